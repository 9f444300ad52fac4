"""Every type of the engines, with values that are equal but not identical wherever the type has such values."""

from __future__ import annotations

CITEXT = """
create type citext;
create function citext_in(cstring) returns citext language internal immutable strict as 'textin';
create function citext_out(citext) returns cstring language internal immutable strict as 'textout';
create type citext (input = citext_in, output = citext_out, internallength = variable, storage = extended, category = 'S',
    collatable = true);
create cast (citext as text) without function as implicit;
create cast (text as citext) without function as assignment;
create function citext_cmp(citext, citext) returns int language sql immutable strict
    as $$ select case when lower($1::text) < lower($2::text) then -1 when lower($1::text) > lower($2::text) then 1 else 0 end $$;
create function citext_eq(citext, citext) returns bool language sql immutable strict as $$ select lower($1::text) = lower($2::text) $$;
create function citext_lt(citext, citext) returns bool language sql immutable strict as $$ select lower($1::text) < lower($2::text) $$;
create function citext_le(citext, citext) returns bool language sql immutable strict as $$ select lower($1::text) <= lower($2::text) $$;
create function citext_gt(citext, citext) returns bool language sql immutable strict as $$ select lower($1::text) > lower($2::text) $$;
create function citext_ge(citext, citext) returns bool language sql immutable strict as $$ select lower($1::text) >= lower($2::text) $$;
create function citext_hash(citext) returns int language sql immutable strict as $$ select hashtext(lower($1::text)) $$;
create operator = (leftarg = citext, rightarg = citext, procedure = citext_eq, commutator = =, hashes, merges);
create operator < (leftarg = citext, rightarg = citext, procedure = citext_lt);
create operator <= (leftarg = citext, rightarg = citext, procedure = citext_le);
create operator > (leftarg = citext, rightarg = citext, procedure = citext_gt);
create operator >= (leftarg = citext, rightarg = citext, procedure = citext_ge);
create operator class citext_ops default for type citext using btree as
    operator 1 <, operator 2 <=, operator 3 =, operator 4 >=, operator 5 >, function 1 citext_cmp(citext, citext);
create operator class citext_hash_ops default for type citext using hash as operator 1 =, function 1 citext_hash(citext);
"""
"""The case-insensitive text of PostgreSQL's extension of that name, from what every server has: servers in wheels come without it."""

POSTGRES_SETUP = (
    CITEXT,
    "create type mood as enum ('sad', 'ok', 'happy', 'never_published')",
    "create type pair as (a numeric, b text)",
    "create domain few as text check (value in ('p', 'q', 'never_published'))",
    "create domain whole as numeric",
)

POSTGRES: dict[str, tuple[str, ...]] = {
    "smallint": ("1", "2"),
    "bigint": ("9007199254740993", "9007199254740992"),
    "oid": ("7", "8"),
    "numeric": ("1.0", "1.00", "1.000", "2", "2.0", "2", "'NaN'", "100", "1e2"),
    "numeric(9, 2)": ("1.0", "1.00", "2", "2.0"),
    "whole": ("1.0", "1.00", "2"),
    "real": ("0", "'-0'", "0.7", "'NaN'", "'-Infinity'"),
    "double precision": ("0", "'-0'", "0.3", "'NaN'", "'Infinity'"),
    "money": ("1.0", "2.5"),
    "text": ("'a'", "'A'", "''", "null"),
    "varchar(9)": ("'a'", "'a '"),
    "char(4)": ("'a'", "'a  '", "'b'"),
    "bpchar": ("'a'", "'a  '", "'b'"),
    '"char"': ("'a'", "'b'"),
    "name": ("'a'", "'b'"),
    "citext": ("'Smith'", "'SMITH'", "'smith'", "'x'"),
    "few": ("'p'", "'q'"),
    "bytea": (r"'\x00ff'", r"'\x0000'"),
    "boolean": ("true", "false"),
    "date": ("'2024-02-29'", "'infinity'"),
    "time": ("'24:00'", "'00:00'"),
    "timetz": ("'12:00+00'", "'13:00+01'"),
    "timestamp": ("'2024-02-29 12:00'", "'-infinity'"),
    "timestamptz": ("'2024-02-29 12:00+00'", "'2024-02-29 13:00+01'"),
    "interval": ("'1 day'", "'24 hours'", "'1 month'", "'30 days'", "'720 hours'"),
    "uuid": ("'00000000-0000-0000-0000-000000000001'", "'00000000-0000-0000-0000-000000000002'"),
    "inet": ("'10.0.0.1'", "'10.0.0.1/24'"),
    "cidr": ("'10.0.0.0/8'", "'10.0.0.0/16'"),
    "macaddr": ("'08:00:2b:01:02:03'", "'08-00-2b-01-02-04'"),
    "bit(3)": ("b'101'", "b'100'"),
    "varbit": ("b'1'", "b'10'"),
    "mood": ("'sad'", "'ok'"),
    "pair": ("row(1.0, 'x')", "row(1.00, 'x')", "row(2, 'y')"),
    "int4range": ("'[1,3]'", "'[1,4)'", "'[1,9)'"),
    "numrange": ("'[1.0,2)'", "'[1.00,2)'"),
    "nummultirange": ("'{[1.0,2)}'", "'{[1.00,2)}'"),
    "numeric[]": ("'{1.0,2}'", "'{1.00,2}'"),
    "text[]": ("'{a,b}'", "'{\"a,b\"}'"),
    "mood[]": ("'{sad}'", "'{ok}'"),
    "json": ("'{\"a\": 1}'", "'{\"a\":1}'"),
    "jsonb": ("'{\"a\": 1.0}'", "'{\"a\": 1.00}'"),
    "point": ("'(0,0)'", "'(0,1e-7)'"),
    "polygon": ("'((0,0),(1,1))'", "'((0,0),(2,2))'"),
    "tsvector": ("'a b'", "'b c'"),
    "pg_lsn": ("'0/1'", "'0/2'"),
}

DUCKDB_SETUP = ("create type mood as enum ('sad', 'ok', 'happy', 'never_published')",)

DUCKDB: dict[str, tuple[str, ...]] = {
    "tinyint": ("1", "2"),
    "ubigint": ("18446744073709551615", "2"),
    "hugeint": ("170141183460469231731687303715884105727", "2"),
    "uhugeint": ("340282366920938463463374607431768211455", "2"),
    "bignum": ("'1234567890123456789012345678901234567890123'", "'2'"),
    "decimal(9, 2)": ("1.0", "1.00", "2"),
    "float": ("0.0", "'-0.0'", "0.7", "'nan'", "'-nan'"),
    "double": ("0.0", "'-0.0'", "0.3", "'nan'", "'-nan'", "'inf'"),
    "varchar": ("'a'", "'A'", "''", "null"),
    "varchar collate nocase": ("'Smith'", "'SMITH'", "'smith'", "'x'"),
    "varchar collate noaccent": ("'e'", "'é'", "'x'"),
    "varchar collate de": ("'a'", "'A'", "'b'"),
    "boolean": ("true", "false"),
    "date": ("'2024-02-29'", "'infinity'"),
    "time": ("'23:00'", "'00:00'"),
    "timetz": ("'12:00:00+00'", "'13:00:00+01'"),
    "time_ns": ("'12:00:00.000000001'", "'12:00:00.000000002'"),
    "timestamp": ("'2024-02-29 12:00'", "'-infinity'"),
    "timestamp_s": ("'2024-02-29 12:00:01'", "'2024-02-29 12:00:02'"),
    "timestamp_ns": ("'2024-02-29 12:00:00.000000001'", "'2024-02-29 12:00:00.000000002'"),
    "timestamptz": ("'2024-02-29 12:00+00'", "'2024-02-29 13:00+01'"),
    "interval": ("'1 day'", "'24 hours'", "'1440 minutes'", "'1 month'", "'30 days'", "'720 hours'"),
    "uuid": ("'00000000-0000-0000-0000-000000000001'", "'80000000-0000-0000-0000-000000000002'"),
    "blob": (r"'\x00\xFF'", r"'\x00'"),
    "bit": ("'101'", "'100'"),
    "mood": ("'sad'", "'ok'"),
    "mood[]": ("['sad']", "['ok']"),
    "struct(q mood)": ("{'q': 'sad'}", "{'q': 'ok'}"),
    "struct(a double, b varchar)": ("{'a': 0.0, 'b': 'x'}", "{'a': '-0.0'::double, 'b': 'x'}", "{'a': 1, 'b': 'y'}"),
    "double[]": ("[0.0]", "['-0.0'::double]", "[1]"),
    "integer[2]": ("[1, 2]", "[1, 3]"),
    "map(varchar, integer)": ("map {'a': 1}", "map {'b': 2}"),
    "union(a integer, b varchar)": ("union_value(a := 1)", "union_value(b := 'x')"),
    "json": ("'{\"a\": 1}'", "'{\"a\":1}'"),
}

SPARK: dict[str, tuple[str, ...]] = {
    "tinyint": ("1", "2"),
    "decimal(9, 2)": ("1.0", "2"),
    "float": ("0", "float('-0.0')", "0.7", "float('NaN')"),
    "double": ("0", "double('-0.0')", "0.3", "double('NaN')"),
    "string": ("'a'", "'A'", "null"),
    "boolean": ("true", "false"),
    "binary": ("x'00ff'", "x'00'"),
    "date": ("date'2024-02-29'", "date'2024-03-01'"),
    "timestamp": ("timestamp'2024-02-29 12:00:00Z'", "timestamp'2024-02-29 13:00:00+01:00'"),
    "timestamp_ntz": ("timestamp_ntz'2024-02-29 12:00:00'", "timestamp_ntz'2024-02-29 12:00:01'"),
    "interval year to month": ("interval '1-0' year to month", "interval '1-1' year to month"),
    "interval day to second": ("interval '1 00:00:00' day to second", "interval '2 00:00:00' day to second"),
    "map<string, int>": ("map('a', 1, 'b', 2)", "map('b', 2, 'a', 1)", "map('c', 3)"),
    "struct<a: double, b: string>": ("struct(0D as a, 'x' as b)", "struct(double('-0.0') as a, 'x' as b)"),
    "array<int>": ("array(1, 2)", "array(1)"),
}
