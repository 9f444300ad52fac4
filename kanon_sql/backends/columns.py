"""A column as an engine describes it: which kind it is, how it prints, what is published of it."""

from __future__ import annotations

import dataclasses

from kanon_sql.config.attributes import ColumnKind
from kanon_sql.frozen import dataclass
from kanon_sql.model.forms import Form

GROUPABLE = ("integer", "decimal", "double", "text", "boolean", "date", "timestamp", "timestamptz", "other")


@dataclass(frozen=True)
class ColumnInfo:
    """A column as the engine describes it. `kind` is one of GROUPABLE, or "ungroupable" where it does not even print."""

    name: str
    type_name: str
    kind: str
    scale: int = 0
    form: Form = Form.SAME
    base: str | None = None
    """The type that a domain stands on."""
    lists_values: bool = False
    """The type names values or is a user's own: no column is published with it."""
    wide: bool = False
    """An integer of 64 bits, or a decimal of more digits than are reckoned with: the end of its interval may be beyond them."""
    collation: str | None = None
    """How its text is ordered, where the engine holds a view to it."""

    @property
    def described(self) -> ColumnKind:
        """What an attribute is built from."""
        return ColumnKind(self.kind, self.scale, self.type_name, self.form, self.wide)

    @property
    def ordered_as(self) -> str:
        """The kind its values are ordered as: what is kept as stored and has no order of its own goes by its text."""
        return "other" if self.form is Form.TEXT else self.kind

    @property
    def as_published(self) -> ColumnInfo:
        """The column once its values are those that are published for all that equal them (`Dialect.published`)."""
        kind, form = self.kind, self.form
        if form in (Form.TEXT, Form.COLLATED):
            kind, form = "text", Form.SAME
        elif form is Form.REAL:
            form = Form.FLOAT
        return dataclasses.replace(self, kind=kind, form=form, base=None, lists_values=False)
