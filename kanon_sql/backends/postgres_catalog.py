"""What PostgreSQL's catalog tells of relations: columns and their types, views and who stands on them, grants and comments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kanon_sql.backends.base import Backend, Dependent
from kanon_sql.backends.columns import ColumnInfo
from kanon_sql.model.forms import Form
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statement import Statement

KINDS = {
    "int2": "integer",
    "int4": "integer",
    "int8": "integer",
    "text": "text",
    "varchar": "text",
    "bpchar": "text",
    "name": "text",
    "bool": "boolean",
    "date": "date",
    "timestamp": "timestamp",
    "timestamptz": "timestamptz",
    "char": "other",
    "oid": "other",
    "uuid": "other",
    "time": "other",
    "timetz": "other",
    "bytea": "other",
    "inet": "other",
    "cidr": "other",
    "macaddr": "other",
    "macaddr8": "other",
    "money": "other",
    "bit": "other",
    "varbit": "other",
    "pg_lsn": "other",
}
"""Types whose equal values print the same. What is not named here or below is published as its text."""
FLOATS = {"float4": Form.REAL, "float8": Form.FLOAT}
OWN_TYPES = ("e", "c", "d")
"""What users define: enums, composites, domains."""
FREE_SCALE = 10
"""The digits kept of a numeric column that declares none."""


class PostgresCatalog(Backend):
    """The half of the backend that asks what is there, and changes nothing."""

    def describe(self, relation: Relation) -> list[ColumnInfo]:
        lit = self.dialect.text_literal
        sql = f"""
select
    a.attname,
    format_type(a.atttypid, a.atttypmod),
    coalesce(bt.typname, t.typname),
    case when bt.oid is null then a.atttypmod else t.typtypmod end,
    coalesce(et.typtype, t.typtype),
    case when bt.oid is not null then format_type(t.typbasetype, t.typtypmod) end,
    coalesce(l.collisdeterministic, true),
    coalesce(bt.typnamespace, t.typnamespace) = 'pg_catalog'::regnamespace,
    l.collname
from pg_attribute a
join pg_class c on c.oid = a.attrelid
join pg_namespace n on n.oid = c.relnamespace
join pg_type t on t.oid = a.atttypid
left join pg_type bt on bt.oid = t.typbasetype and t.typtype = 'd' and bt.typtype <> 'd'
left join pg_type et on et.oid = t.typelem and t.typcategory = 'A'
left join pg_collation l on l.oid = a.attcollation
where n.nspname = {lit(str(relation.schema))}
    and c.relname = {lit(relation.name)}
    and c.relkind in ('r', 'v', 'm', 'p', 'f')
    and a.attnum > 0
    and not a.attisdropped
order by a.attnum"""
        return [_column(*row) for row in self.fetch(Statement("meta/describe", sql.strip()))]

    def exists(self, relation: Relation) -> bool:
        return self.relation_kind(relation) is not None

    def relation_kind(self, relation: Relation) -> str | None:
        lit = self.dialect.text_literal
        sql = (
            "select c.relkind from pg_class c join pg_namespace n on n.oid = c.relnamespace "
            f"where n.nspname = {lit(str(relation.schema))} and c.relname = {lit(relation.name)} and c.relkind in ('r', 'v', 'm', 'p', 'f')"
        )
        found = self.fetch(Statement("meta/relation_kind", sql))
        return None if not found else "view" if found[0][0] == "v" else "table"

    def privileges(self, view: Relation, columns: Sequence[str] | None = None) -> list[Statement]:
        lit = self.dialect.text_literal
        name = self.dialect.relation(view)
        oid = f"{lit(name)}::regclass"
        sql = (
            "select coalesce(r.rolname, 'public'), a.grantee = 0, a.privilege_type, a.is_grantable "
            f"from pg_class c, aclexplode(c.relacl) a left join pg_roles r on r.oid = a.grantee where c.oid = {oid} "
            "and a.grantee <> c.relowner order by 1, 3"
        )
        restored = []
        for role, is_public, privilege, grantable in self.fetch(Statement("release/privileges", sql)):
            grantee = "public" if is_public else self.dialect.identifier(str(role))
            option = " with grant option" if grantable else ""
            restored.append(Statement("release/grant", f"grant {privilege} on {name} to {grantee}{option}"))
        comment = self.fetch_one(Statement("release/comment_of", f"select obj_description({oid}, 'pg_class')"))[0]
        if comment is not None:
            restored.append(Statement("release/comment", f"comment on view {name} is {lit(str(comment))}"))
        return restored + self._column_privileges(name, oid, columns)

    def dependents(self, view: Relation) -> list[Dependent]:
        shown = self.dialect.text_literal(self.dialect.relation(view))
        built_on = (
            "select r.ev_class as oid, {depth} as depth from {from_} pg_depend d join pg_rewrite r on r.oid = d.objid "
            "where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass "
            "and d.refobjid = {of} and r.ev_class <> d.refobjid"
        )
        first = built_on.format(depth="1", from_="", of=f"to_regclass({shown})")
        further = built_on.format(depth="f.depth + 1", from_="found f cross join", of="f.oid")
        sql = f"""
with recursive found as ({first} union {further})
select
    n.nspname::text,
    c.relname::text,
    array_to_string(c.reloptions, ', '),
    pg_get_viewdef(c.oid),
    pg_get_userbyid(c.relowner)::text,
    c.relkind = 'v'
        and pg_has_role(c.relowner, 'usage')
        and not exists (select 1 from pg_trigger t where t.tgrelid = c.oid)
from (select oid, max(depth) as depth from found group by oid) f
join pg_class c on c.oid = f.oid
join pg_namespace n on n.oid = c.relnamespace
order by f.depth, 1, 2"""
        dependents = []
        for schema, name, options, definition, owner, ours in self.fetch(Statement("meta/dependents", sql.strip())):
            built = Relation((str(schema), str(name)))
            written, given = self.dialect.relation(built), f" with ({options})" if options else ""
            create = (
                f"create view {written}{given} as {str(definition).rstrip(';')}; "
                f"alter view {written} owner to {self.dialect.identifier(str(owner))}"
            )
            dependents.append(Dependent(built, Statement("release/make_dependent", create), bool(ours)))
        return dependents

    def comments(self, view: Relation) -> dict[str | None, str | None] | None:
        oid = f"{self.dialect.text_literal(self.dialect.relation(view))}::regclass"
        sql = (
            f"select null::text, obj_description({oid}, 'pg_class') union all "
            f"select attname::text, col_description({oid}, attnum) from pg_attribute where attrelid = {oid} and attnum > 0"
        )
        return dict(iter(self.fetch(Statement("release/comments_of", sql))))

    def unknown_roles(self, roles: Sequence[str]) -> list[str]:
        listed = ", ".join(self.dialect.text_literal(role) for role in roles)
        sql = f"select rolname::text from pg_roles where rolname in ({listed})"
        known = {row[0] for row in self.fetch(Statement("meta/roles", sql))}
        return [role for role in roles if role not in known]

    def missing_grants(self, view: Relation, readers: Sequence[str]) -> list[Statement]:
        lit = self.dialect.text_literal
        schema, name = self.dialect.identifier(str(view.schema)), self.dialect.relation(view)
        missing = []
        for reader in readers:
            sql = (
                f"select has_schema_privilege({lit(reader)}, {lit(str(view.schema))}, 'usage'), "
                f"has_table_privilege({lit(reader)}, {lit(name)}, 'select')"
            )
            usage, select = self.fetch_one(Statement("meta/may_read", sql))
            who = self.dialect.identifier(reader)
            if not usage:
                missing.append(Statement("release/grant", f"grant usage on schema {schema} to {who}"))
            if not select:
                missing.append(Statement("release/grant", f"grant select on {name} to {who}"))
        return missing

    def _column_privileges(self, name: str, oid: str, columns: Sequence[str] | None) -> list[Statement]:
        lit = self.dialect.text_literal
        grants = (
            "select t.attname, coalesce(r.rolname, 'public'), a.grantee = 0, a.privilege_type, a.is_grantable "
            "from pg_attribute t, aclexplode(t.attacl) a left join pg_roles r on r.oid = a.grantee "
            f"where t.attrelid = {oid} order by 1, 2, 4"
        )
        restored = []
        for column, role, is_public, privilege, grantable in self.fetch(Statement("release/column_grants", grants)):
            if columns is not None and str(column) not in columns:
                continue  # the release does not have it any more
            grantee = "public" if is_public else self.dialect.identifier(str(role))
            option = " with grant option" if grantable else ""
            what = f"{privilege} ({self.dialect.identifier(str(column))})"
            restored.append(Statement("release/grant", f"grant {what} on {name} to {grantee}{option}"))
        comments = (
            f"select attname, col_description({oid}, attnum) from pg_attribute "
            f"where attrelid = {oid} and attnum > 0 and col_description({oid}, attnum) is not null order by attnum"
        )
        for column, comment in self.fetch(Statement("release/column_comments", comments)):
            if columns is not None and str(column) not in columns:
                continue
            place = f"{name}.{self.dialect.identifier(str(column))}"
            restored.append(Statement("release/comment", f"comment on column {place} is {lit(str(comment))}"))
        return restored

    def relations(self, schema: str) -> list[tuple[str, Relation]]:
        sql = (
            "select c.relkind::text, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace "
            f"where n.nspname = {self.dialect.text_literal(schema)} and c.relkind in ('r', 'v', 'p') order by c.relname"
        )
        found = self.fetch(Statement("meta/relations", sql))
        return [("view" if kind == "v" else "table", Relation((schema, str(name)))) for kind, name in found]

    def view_tables(self, view: Relation) -> list[Relation]:
        lit = self.dialect.text_literal
        sql = f"""
select distinct
    tn.nspname,
    t.relname
from pg_class v
join pg_namespace n on n.oid = v.relnamespace
join pg_rewrite r on r.ev_class = v.oid
join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
join pg_class t on t.oid = d.refobjid and t.oid <> v.oid
join pg_namespace tn on tn.oid = t.relnamespace
where n.nspname = {lit(str(view.schema))}
    and v.relname = {lit(view.name)}
    and v.relkind = 'v'
order by 1, 2"""
        return [Relation((str(s), str(name))) for s, name in self.fetch(Statement("meta/view_tables", sql.strip()))]

    def _comment(self, table: Relation) -> str | None:
        lit = self.dialect.text_literal
        sql = (
            "select obj_description(c.oid, 'pg_class') from pg_class c join pg_namespace n on n.oid = c.relnamespace "
            f"where n.nspname = {lit(str(table.schema))} and c.relname = {lit(table.name)} and c.relkind = 'r'"
        )
        found = self.fetch(Statement("meta/mark", sql))
        return None if not found or found[0][0] is None else str(found[0][0])

    def view_definition(self, view: Relation) -> str | None:
        lit = self.dialect.text_literal
        sql = (
            "select pg_get_viewdef(c.oid) from pg_class c join pg_namespace n on n.oid = c.relnamespace "
            f"where n.nspname = {lit(str(view.schema))} and c.relname = {lit(view.name)} and c.relkind = 'v'"
        )
        found = self.fetch(Statement("meta/view_definition", sql))
        return str(found[0][0]) if found else None


def _column(
    name: object,
    type_name: object,
    typname: object,
    modifier: object,
    type_type: object,
    base: str | None,
    deterministic: bool,
    built_in: bool,
    collation: str | None,
) -> ColumnInfo:
    """A column from its type: `typname` and `modifier` are those of the type a domain stands on, `type_type` that of an array's elements."""
    found = str(typname) if built_in else ""
    column = ColumnInfo(
        str(name), str(type_name), "text", base=base, lists_values=type_type in OWN_TYPES, collation=collation
    )
    assert isinstance(modifier, int)
    if found == "numeric":
        free = modifier < 0
        scale = FREE_SCALE if free else (modifier - 4) & 0x7FF
        # A negative scale rounds to tens: numbers without decimals.
        scale = 0 if not free and scale > 1000 else scale
        return replace(column, kind="decimal", scale=scale, form=Form.SCALED if free else Form.SAME)
    if found in FLOATS:
        return replace(column, kind="double", form=FLOATS[found])
    if found in KINDS and not (
        found == "bpchar" and modifier < 0
    ):  # bpchar of no length: the spaces at its end are kept
        if not deterministic:
            return replace(column, form=Form.COLLATED)
        return replace(column, kind=KINDS[found], wide=found == "int8")
    return replace(column, form=Form.TEXT)
