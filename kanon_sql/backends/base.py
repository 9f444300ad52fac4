"""The narrow interface behind which an engine stands: execute, fetch, trace, capabilities, cancel."""

from __future__ import annotations

import datetime
import errno
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from kanon_sql.backends.capabilities import Capabilities
from kanon_sql.backends.columns import ColumnInfo
from kanon_sql.backends.rows import Row
from kanon_sql.backends.stopping import stops
from kanon_sql.backends.trace import Trace, TraceEntry
from kanon_sql.errors import ConnectionFailed, JobError, KanonError
from kanon_sql.frozen import dataclass
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.statement import Statement

MARK = "kanon_sql "
"""How the mark on a table of ours begins; who made it follows."""
FULL_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
SIGNS_OF_A_FULL_DISK = ("no space left on device", "disk quota exceeded", "file too large", "disk full")


@dataclass(frozen=True)
class Dependent:
    """A view that somebody built on a release."""

    view: Relation
    create: Statement
    ours: bool
    """This user can drop it and make it anew as it was."""


@dataclass(frozen=True)
class LockHolder:
    """The session that holds a claim, as the server sees it; `since` is when it connected (UTC)."""

    user: str
    application: str
    address: str
    since: datetime.datetime | None


class Snapshot:
    """What statements see, until it ends: the engine's own, or nothing to end."""

    def __init__(self, end: Callable[[], None] | None = None) -> None:
        self._end = end

    @property
    def open(self) -> bool:
        return self._end is not None

    def end(self) -> None:
        """Keep what was made, and see what others do from now on."""
        end, self._end = self._end, None
        if end is not None:
            end()


class Backend(ABC):
    """An engine with one open connection."""

    dialect: Dialect
    capabilities: Capabilities
    work_schema: str

    def __init__(self) -> None:
        self.trace = Trace()
        self._within = False

    def execute(self, statement: Statement) -> None:
        """Run a statement for its effect."""
        self._timed(statement, fetch=False)

    def execute_all(self, statements: Sequence[Statement]) -> None:
        """Run statements that do not depend on each other for their effect, in any order."""
        for statement in statements:
            self.execute(statement)

    def fetch(self, statement: Statement) -> list[Row]:
        """Run a statement and bring back its rows: counts, names, figures; never the source's rows."""
        return self._timed(statement, fetch=True)

    def fetch_one(self, statement: Statement) -> Row:
        return self.fetch(statement)[0]

    def _timed(self, statement: Statement, fetch: bool) -> list[Row]:
        if self.trace.before is not None:
            self.trace.before(statement)
        started, cpu = time.perf_counter(), time.process_time()
        self.written: int | None = None
        try:
            with stops.statement(self.cancel, statement.label):
                rows = self._run(statement, fetch)
        except Exception as error:
            self.trace.add(TraceEntry(statement.label, statement.shown or statement.sql, time.perf_counter() - started))
            raise self._explained(error, statement) from error
        self.trace.add(
            TraceEntry(
                statement.label,
                statement.shown or statement.sql,
                time.perf_counter() - started,
                len(rows) if fetch else self.written,
                time.process_time() - cpu,
            )
        )
        return rows

    @abstractmethod
    def _run(self, statement: Statement, fetch: bool) -> list[Row]:
        """Run a statement on the connection; `written` tells of how many rows it made, where the engine does."""

    def _explained(self, error: Exception, statement: Statement) -> Exception:
        """The error as one of ours; a full disk is called one, whichever of its many names the engine uses."""
        text = str(getattr(error, "orig", None) or error).lower()  # without the statement that SQLAlchemy quotes
        if getattr(error, "errno", None) in FULL_DISK or any(sign in text for sign in SIGNS_OF_A_FULL_DISK):
            return ConnectionFailed(
                f"there is no space left on disk in step {statement.label}: nothing was published",
                "free space where the database, its temporary files and the temporary directory lie, and run again",
            )
        return self._translated(error, statement)

    @abstractmethod
    def _translated(self, error: Exception, statement: Statement) -> Exception:
        """The driver's error as one of ours, without secrets or data."""

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing; within another transaction, a part of it."""
        if self._within:
            with self._part():
                yield
            return
        self._ended(self._begin, "begin")
        self._within = True
        try:
            yield
        except BaseException:
            self._within = False
            with stops.shielded():
                self._rollback()
            raise
        self._within = False
        self._ended(self._commit, "commit")

    @contextmanager
    def _part(self) -> Iterator[None]:
        """A part of a transaction, which can fail alone where the engine has savepoints."""
        yield

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Statements in it see the source as it is when it begins; an engine that cannot do that does nothing here (`pins`)."""
        yield Snapshot()

    def pins(self, relation: Relation) -> bool:
        """Whether nobody can change what a relation shows as long as a snapshot lasts."""
        return False

    def _ended(self, act: Callable[[], None], label: str) -> None:
        try:
            with stops.shielded():
                act()
        except Exception as error:
            raise self._explained(error, Statement(label, label)) from error

    @abstractmethod
    def _begin(self) -> None: ...

    @abstractmethod
    def _commit(self) -> None: ...

    @abstractmethod
    def _rollback(self) -> None: ...

    @abstractmethod
    def relation(self, name: str) -> Relation:
        """A table named in a job (`schema.table`, dots in quotes allowed) with its schema filled in."""

    def identity(self, relation: Relation) -> tuple[str, ...]:
        """A relation as the database knows it, for comparisons: two names with one identity mean one relation."""
        return relation.parts

    def view_tables(self, view: Relation) -> list[Relation]:
        """The tables a view reads; empty when there is no such view, or it reads none."""
        return []

    def mark(self, table: Relation, text: str) -> None:
        """Leave a mark on a table of ours, by which it is told from one that only has its name."""
        name, shown = self.dialect.relation(table), self.dialect.text_literal(MARK + text)
        self.execute(Statement("release/mark", f"comment on table {name} is {shown}"))

    def mark_of(self, table: Relation) -> str | None:
        """The mark on a table; none on one that is not ours."""
        comment = self._comment(table)
        return comment.removeprefix(MARK) if comment is not None and comment.startswith(MARK) else None

    def _comment(self, table: Relation) -> str | None:
        return None

    @abstractmethod
    def describe(self, relation: Relation) -> list[ColumnInfo]:
        """The columns of a table or view, in order; empty when it does not exist."""

    @abstractmethod
    def exists(self, relation: Relation) -> bool: ...

    @abstractmethod
    def relation_kind(self, relation: Relation) -> str | None:
        """ "table", "view", or None when there is no such relation."""

    def privileges(self, view: Relation, columns: Sequence[str] | None = None) -> list[Statement]:
        """The statements that give a view made anew the grants and the comments it had, as far as it still has these columns."""
        return []

    @abstractmethod
    def relations(self, schema: str) -> list[tuple[str, Relation]]:
        """The tables and views of a schema: (kind, relation) by name; empty when there is no such schema."""

    def kept_relation(self, name: str) -> Relation:
        """A table of ours that outlives the run."""
        return Relation((self.work_schema, name))

    @abstractmethod
    def view_definition(self, view: Relation) -> str | None:
        """The text of a view; none when there is no such view."""

    def claim(self, name: str) -> bool:
        """Hold a name as long as the session lasts; false when another session holds it. An embedded engine has one session."""
        return True

    def disclaim(self, name: str) -> None:
        """Let a claim go."""
        return None

    def lock_holder(self, name: str) -> LockHolder | None:
        """Who holds a claim."""
        return None

    def set_lock_timeout(self, seconds: float) -> None:
        """Within a transaction: wait no longer than this for a lock that readers hold (StatementTimedOut then)."""
        return None

    @abstractmethod
    def create_schema(self, schema: str) -> None:
        """Create a schema unless it is there."""

    def drop_table(self, table: Relation) -> None:
        """Drop a release's table, whatever a killed run left of it."""
        self.execute(Statement("release/drop_table", f"drop table if exists {self.dialect.relation(table)}"))

    def rename_table(self, table: Relation, to: Relation) -> None:
        """Give a table another name, in its schema or in another one."""
        name, new = self.dialect.relation(table), self.dialect.identifier(to.name)
        self.execute(Statement("release/rename", f"alter table {name} rename to {new}"))

    @contextmanager
    def staging(self, table: Relation, work: Relation) -> Iterator[Relation]:
        """Where a release is built that is not verified yet, so that nobody reads it: `work`, or `table` in a transaction that publishes it."""
        try:
            if self.capabilities.stages_in_place:
                with self.transaction():
                    yield table
                return
            yield work
        except BaseException:
            stops.clear("staged release")
            # One that is published has another name by now, and one in a transaction is gone with it.
            if not self.capabilities.stages_in_place:
                with suppress(KanonError), stops.shielded():
                    self.drop_table(work)
            raise

    def take(self, name: str, holder: str) -> str | None:
        """Hold a name where an engine without sessions keeps its tables; returns the holder who has it already."""
        return None

    def give(self, name: str) -> None:
        """Let a name go that `take` held."""
        return None

    def refresh(self) -> None:
        """See what others have made and dropped since this session began, where the engine does not by itself."""
        return None

    def drop_leftovers(self, run: str, mark: str, schema: str, known: Sequence[Relation]) -> list[str]:
        """Drop what a dead run left where no janitor can look by itself: its work tables, and a release in `schema` that carries its
        mark and is not known."""
        return []

    def scratch(self, view: Relation) -> Relation:
        """Where a view lies that is made while a release is staged: its place among the work tables, unless that is out of reach then."""
        return view

    def close_to_others(self, table: Relation) -> None:
        """Take away what default privileges gave others on a table of ours."""
        return None

    def enlist(self, run: str) -> None:
        """Write down, where work tables outlive a killed client, that a run is about to make some."""
        return None

    def enlisted(self) -> set[str]:
        """The runs that made work tables and have not dropped them."""
        return set()

    def delist(self, run: str) -> None:
        """A run's work tables are gone."""
        return None

    def dependents(self, view: Relation) -> list[Dependent]:
        """The views built on a view, each after those it is built on, where they keep it from being made anew."""
        return []

    def comments(self, view: Relation) -> dict[str | None, str | None] | None:
        """The comments on a view's columns by name, and on the view itself under None; none where the engine has no comments."""
        return None

    def unknown_roles(self, roles: Sequence[str]) -> list[str]:
        """Those of these roles that the database does not have."""
        return []

    def missing_grants(self, view: Relation, readers: Sequence[str]) -> list[Statement]:
        """The statements that let readers read a view, without those that are not needed."""
        return []

    def keep_view(self, view: Relation, table: Relation) -> None:
        """Make the switch of a published view outlive the session, where the catalog would forget it."""
        return None

    def folder(self, table: Relation | None = None) -> Path | None:
        """The folder of this machine where releases are written, or a table's own; none where the engine keeps them elsewhere."""
        return None

    def selectable(self, path: str | Path, options: dict[str, object]) -> str:
        """A file (a path, or a URI as written) as something to select from."""
        raise JobError(
            "files are read by the embedded engine and by Spark", "use a duckdb:/// URL, or load the file into a table"
        )

    def export_counts(self, statement: Statement, file: Path, columns: Sequence[str]) -> str:
        """Write the numbers a statement returns to a file of this machine; returns what DuckDB selects them from."""
        raise NotImplementedError(f"{self.dialect.name} exports no counts: it is the engine that others export to")

    receives = "csv"
    """The form of a file of numbers that `receive` reads."""

    def receive(self, create: Statement, table: Relation, columns: Sequence[str], file: Path) -> None:
        """Make a work table of the whole numbers of a file of this machine."""
        raise NotImplementedError(f"{self.dialect.name} receives nothing: searches run on it")

    def _traced_export(self, statement: Statement, write: Callable[[], int]) -> None:
        """Time and trace an export as any other statement."""
        if self.trace.before is not None:
            self.trace.before(statement)
        started = time.perf_counter()
        rows = None
        try:
            with stops.statement(self.cancel, statement.label):
                rows = write()
        except Exception as error:
            raise self._explained(error, statement) from error
        finally:
            shown = statement.shown or statement.sql
            self.trace.add(TraceEntry(statement.label, shown, time.perf_counter() - started, rows))

    @abstractmethod
    def export(self, statement: Statement, file: Path, format: str, columns: Sequence[ColumnInfo]) -> None:
        """Write the rows of a release to a file of this machine, as "csv" (with a header) or "parquet"; `columns` are theirs."""

    def scale_to(self, rows: int) -> None:
        """Hear how many rows the coming statements read, about: a small table is not worth many threads."""
        return None

    def analyze(self, relation: Relation, *, often: bool = True, published: bool = False) -> None:
        """Tell the planner what a work table holds, where the engine does not know by itself; `often`: many statements read it;
        `published`: and others will."""
        return None

    @abstractmethod
    def cancel(self) -> None:
        """Stop the running statement in the database, from another thread or a signal handler."""

    @abstractmethod
    def version(self) -> str: ...

    @abstractmethod
    def close(self) -> None: ...

    def drop_work(self, relations: list[tuple[str, Relation]]) -> None:
        """Drop work relations (kind, relation), newest first."""
        for kind, relation in reversed(relations):
            self.execute(Statement("work/drop", f"drop {kind} if exists {self.dialect.relation(relation)}"))
