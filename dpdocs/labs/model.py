"""What a lab is made of: controls, a rule from their values to a result, and plain data.

A lab holds no words. Text is a message key: a string that begins with "@", or a `Message` where
numbers stand among the words. The catalogue of each language (docs/messages) has the words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal

from dpdocs.errors import ParameterError
from dpdocs.exact import Range, clip, number, whole
from dpdocs.labs.result import Result

__all__ = ["Lab", "Parameter", "Slider", "Value"]

Value = Fraction | int | str
"""What a control holds once read: an exact decimal, a whole number or the name of a choice."""

_ANY = Range()
_FAR = Fraction(10) ** 301  # no lab has a legal range that reaches this far


@dataclass(frozen=True)
class Slider:
    """The positions of a slider: each is a text that its control can hold.

    Positions are listed, not computed, so that a slider on a logarithmic scale stops at short
    decimals (0.5, 0.6, 0.8, 1, …), may begin with 0, and writes what a reader could have typed. The
    control may hold more than the slider reaches.
    """

    values: tuple[str, ...]
    scale: Literal["linear", "log"]

    @classmethod
    def linear(cls, low: str, high: str, step: str) -> Slider:
        """Return a slider with equal steps."""
        first, last, by = Decimal(low), Decimal(high), Decimal(step)
        count = int((last - first) / by)
        return cls(tuple(_short(first + by * i) for i in range(count + 1)), "linear")

    @classmethod
    def log(cls, low: int, high: int, stops: str) -> Slider:
        """Return a slider whose steps multiply.

        Parameters
        ----------
        low, high : int
            From 10 to the power `low` up to 10 to the power `high`.
        stops : str
            The stops of one decade, such as "1 2 5".
        """
        decades = [
            _short(Decimal(stop).scaleb(power)) if -4 <= power <= 8 else f"{stop}e{power}"
            for power in range(low, high)
            for stop in stops.split()
        ]
        return cls((*decades, _short(Decimal(1).scaleb(high))), "log")

    @property
    def low(self) -> str:
        """The text at the left end."""
        return self.values[0]

    @property
    def high(self) -> str:
        """The text at the right end."""
        return self.values[-1]

    @property
    def steps(self) -> int:
        """Number of steps from one end to the other."""
        return len(self.values) - 1

    def as_data(self) -> dict[str, Any]:
        """Return the slider as a JSON-able dictionary."""
        return {
            "low": self.low,
            "high": self.high,
            "steps": self.steps,
            "scale": self.scale,
            "values": list(self.values),
        }


def _short(value: Decimal) -> str:
    """Write a decimal without a power of ten and without needless zeros."""
    return f"{value.normalize():f}"


@dataclass(frozen=True)
class Parameter:
    """One control of a lab: what it may hold and how a reader moves it.

    Attributes
    ----------
    name : str
        The keyword of ``compute`` and the name of the control.
    kind : {"choice", "whole", "decimal"}
        One of a few names, a whole number, or a decimal number that is read exactly.
    default : str
        The text it holds at first.
    allowed : Range
        The legal numbers.
    choices : tuple of str
        The names to choose among.
    unit : str or None
        Message key of the unit.
    slider : Slider or None
        The slider beside the text field.
    """

    name: str
    kind: Literal["choice", "whole", "decimal"]
    default: str
    allowed: Range = _ANY
    choices: tuple[str, ...] = ()
    unit: str | None = None
    slider: Slider | None = None

    @property
    def minimum(self) -> str | None:
        """The lower end of the legal range, as text."""
        return self.allowed.minimum

    @property
    def maximum(self) -> str | None:
        """The upper end of the legal range, as text."""
        return self.allowed.maximum

    @property
    def minimum_open(self) -> bool:
        """Whether the lower end itself is refused."""
        return self.allowed.open_minimum

    @property
    def maximum_open(self) -> bool:
        """Whether the upper end itself is refused."""
        return self.allowed.open_maximum

    def read(self, value: object) -> Value:
        """Read what the control holds, exactly.

        Raises
        ------
        ParameterError
            Where it is not legal.
        """
        try:
            if self.kind == "whole":
                return whole(value, self.name, self.allowed)
            if self.kind == "decimal":
                return number(value, self.name, self.allowed)
        except ParameterError as refusal:
            if refusal.case == "above-maximum" and self.maximum_open:
                # "At most 1" would be the wrong rule for a maximum that is itself refused.
                refusal.case = "not-below-maximum"
            raise
        if isinstance(value, str) and value.strip() in self.choices:
            return value.strip()
        names = ", ".join(self.choices)
        raise ParameterError(
            self.name,
            value,
            f"must be one of {names}",
            f"Choose one of {names}",
            "unknown-choice",
            {"choices": names},
        )

    def as_data(self, lab: str) -> dict[str, Any]:
        """Return the control as a JSON-able dictionary, with its message keys."""
        key = f"@{lab}.control.{self.name}"
        return {
            "name": self.name,
            "kind": self.kind,
            "default": self.default,
            "minimum": self.minimum,
            "minimum_open": self.minimum_open,
            "maximum": self.maximum,
            "maximum_open": self.maximum_open,
            "choices": [{"value": name, "label": f"{key}.{name}"} for name in self.choices],
            "unit": self.unit,
            "slider": self.slider.as_data() if self.slider else None,
            "label": f"{key}.label",
            "hint": f"{key}.hint",
        }


class Clipped(Parameter):
    """A control for any finite number, which the lab will move into a range of its own.

    No number is refused for its size; one beyond every legal range is read as the edge of them all.
    """

    def read(self, value: object) -> Value:
        """Read any finite number."""
        return clip(value, self.name, -_FAR, _FAR)


@dataclass(frozen=True)
class Lab:
    """An experiment: controls, and what follows from their values.

    Attributes
    ----------
    name : str
        The name by which pages and ``dpdocs.labs.get`` call it.
    parameters : mapping of str to Parameter
        The controls, in their order.
    layout : mapping
        How a page lays it out: groups of controls, groups of read-outs, verdicts, figures, tables.
    experiment : callable
        From exact values, by name, to the result.
    """

    name: str
    parameters: Mapping[str, Parameter]
    layout: Mapping[str, Any]
    experiment: Callable[[Mapping[str, Value]], Result] = field(repr=False)

    def parse(self, **values: object) -> dict[str, Value]:
        """Read the controls exactly; those not given hold their defaults.

        Raises
        ------
        ParameterError
            For the first control that holds something illegal.
        """
        exact, refused = self._read(values)
        if refused:
            raise refused[0]
        return exact

    def refusals(self, **values: object) -> list[ParameterError]:
        """Return a refusal for each control that holds something illegal, in their order."""
        return self._read(values)[1]

    def compute(self, **values: object) -> Result:
        """Run the experiment with what the controls hold: text as typed, or numbers.

        Raises
        ------
        ParameterError
            For the first control that holds something illegal.
        """
        return self.experiment(MappingProxyType(self.parse(**values)))

    def as_data(self) -> dict[str, Any]:
        """Return the controls and their layout as a JSON-able dictionary."""
        return {
            "name": self.name,
            "parameters": [parameter.as_data(self.name) for parameter in self.parameters.values()],
            "layout": dict(self.layout),
        }

    def _read(self, values: Mapping[str, object]) -> tuple[dict[str, Value], list[ParameterError]]:
        exact: dict[str, Value] = {}
        refused: list[ParameterError] = []
        for name, parameter in self.parameters.items():
            try:
                exact[name] = parameter.read(values.get(name, parameter.default))
            except ParameterError as refusal:
                refused.append(refusal)
        names = ", ".join(self.parameters)
        refused += [
            ParameterError(
                name,
                value,
                f"is no control of the lab {self.name}",
                f"Use one of {names}",
                "unknown-parameter",
                {"choices": names},
            )
            for name, value in values.items()
            if name not in self.parameters
        ]
        return exact, refused
