"""What a lab returns: numbers, verdicts, tables and figures, and all of them as plain data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dpdocs.profile import Verdict

__all__ = ["Figure", "Message", "Readout", "Result", "Ruling", "Table"]


@dataclass(frozen=True)
class Message:
    """A message of the catalogue with the formatted numbers that belong into it.

    Attributes
    ----------
    key : str
        Key in the catalogue, without "@".
    values : mapping of str to str
        One text for each placeholder of the message.
    """

    key: str
    values: Mapping[str, str] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """Return the message as a JSON-able dictionary."""
        return {"message": self.key, "values": dict(self.values)}


@dataclass(frozen=True)
class Readout:
    """One number of the result.

    Attributes
    ----------
    value : float or None
        The number, for further computation; None where there is none.
    text : str
        The number as a reader sees it: rounded, and never to be read back.
    label : str
        Message key of its name.
    unit : str or None
        Message key of its unit.
    note : Message or None
        A remark that belongs beside it.
    """

    value: float | None
    text: str
    label: str
    unit: str | None = None
    note: Message | None = None

    def as_data(self) -> dict[str, Any]:
        """Return the number as a JSON-able dictionary; infinities as text."""
        value: float | str | None = self.value
        if self.value is not None and math.isinf(self.value):
            value = "inf" if self.value > 0 else "-inf"
        return {
            "value": value,
            "text": self.text,
            "label": self.label,
            "unit": self.unit,
            "note": self.note.as_data() if self.note else None,
        }


@dataclass(frozen=True)
class Ruling:
    """A verdict with the words for it: what it is about, why, and the event that breaks a claim."""

    verdict: Verdict
    title: str
    message: Message
    witness: Message | None = None

    def as_data(self) -> dict[str, Any]:
        """Return the verdict as a JSON-able dictionary."""
        return {
            "holds": self.verdict.holds,
            "title": self.title,
            "message": self.message.as_data(),
            "witness": self.witness.as_data() if self.witness else None,
        }


@dataclass(frozen=True)
class Table:
    """A table: a few rows to begin with, all of them on request."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    rows_all: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    def as_data(self) -> dict[str, Any]:
        """Return the table as a JSON-able dictionary."""
        return {
            "caption": self.caption,
            "columns": list(self.columns),
            "rows": [list(row) for row in self.rows],
            "rows_all": [list(row) for row in self.rows_all],
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Figure:
    """A Vega-Lite specification that depends on choices only, and the rows it draws by name."""

    spec: Mapping[str, Any]
    data: Mapping[str, Sequence[Mapping[str, Any]]]
    title: str
    summary: Message

    def as_data(self) -> dict[str, Any]:
        """Return specification, rows and words as a JSON-able dictionary."""
        return {
            "spec": dict(self.spec),
            "data": {name: list(rows) for name, rows in self.data.items()},
            "title": self.title,
            "summary": self.summary.as_data(),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return one whole Vega-Lite specification with the rows inside."""
        return {**self.spec, "datasets": {name: list(rows) for name, rows in self.data.items()}}


@dataclass(frozen=True)
class Result:
    """Everything that follows from one setting of a lab's controls."""

    numbers: Mapping[str, Readout]
    rulings: Mapping[str, Ruling]
    tables: Mapping[str, Table]
    figures: Mapping[str, Figure]

    @property
    def readouts(self) -> dict[str, float | None]:
        """The numbers by key."""
        return {key: entry.value for key, entry in self.numbers.items()}

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """The verdicts by key."""
        return {key: ruling.verdict for key, ruling in self.rulings.items()}

    def as_data(self) -> dict[str, Any]:
        """Return everything as a JSON-able dictionary without NaN or infinity."""
        return {
            "readouts": {key: entry.as_data() for key, entry in self.numbers.items()},
            "verdicts": {key: ruling.as_data() for key, ruling in self.rulings.items()},
            "tables": {key: table.as_data() for key, table in self.tables.items()},
            "figures": {key: figure.as_data() for key, figure in self.figures.items()},
        }
