"""A budget ledger: what was spent, what is left, and by which theorem.

Entries are added and never taken away, as what was released cannot be called back.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Literal

from dpdocs import exact
from dpdocs.accounting.records import (
    damaged,
    from_record,
    read_count,
    read_fraction,
    to_record,
    write_fraction,
)
from dpdocs.accounting.rules import THEOREMS, Theorem, adaptive, plan
from dpdocs.accounting.safe import Guarantee
from dpdocs.errors import ParameterError
from dpdocs.exact import FLOAT_EPSILON, Number, Range
from dpdocs.profile import Profile

__all__ = ["Ledger", "Spend"]

_MODES = ("plan", "filter", "odometer")
_COUNT = Range("1", "1000000000")
_ORDER = Range("1", "1e9", open_minimum=True)
_SCHEMA, _VERSION = "dpdocs.ledger", 1
_LONGEST = 10_000_000  # characters of a saved ledger
_DEEPEST = 50  # levels of its brackets; a ledger has a handful
_LONGEST_TEXT = 10_000  # characters of a label or a note


@dataclass(frozen=True, slots=True)
class Spend:
    """One entry of a ledger.

    Parameters
    ----------
    profile : Profile
        What was used.
    count : int
        How often.
    label, note : str
        Whatever its owner wants to remember.

    Examples
    --------
    >>> import dpdocs
    >>> ledger = dpdocs.accounting.Ledger()
    >>> ledger.spend(dpdocs.Laplace(scale=2), label="ages").label
    'ages'
    """

    profile: Profile
    count: int = 1
    label: str = ""
    note: str = ""


class Ledger:
    """Spends in the order in which they were made.

    Parameters
    ----------
    mode : {"plan", "filter", "odometer"}
        "plan": every mechanism was fixed before the first answer was seen; the exact accountant
        adds up. "filter": mechanisms may be chosen by earlier answers, and a spend that would
        exceed the budget is refused. "odometer": chosen by earlier answers, and only reported.
    theorem : {"pure", "zcdp", "renyi", "gdp"}, optional
        On what a filter or an odometer rests; odometers exist for "pure" and "renyi".
    budget : (number, number), optional
        ε and δ that a filter guards; they are fixed for its life.
    order : number or decimal string, optional
        For "renyi", the order α > 1, fixed before the first spend.

    Raises
    ------
    ParameterError
        Case "no-theorem" where adaptive spending has no theorem named for it.

    Examples
    --------
    >>> import dpdocs
    >>> ledger = dpdocs.accounting.Ledger()
    >>> _ = ledger.spend(dpdocs.Gaussian(sigma=10), count=100, label="means")
    >>> found = ledger.spent("1e-5")
    >>> round(found.epsilon, 9), found.kind, found.basis
    (4.377178096, 'exact', 'exact accountant')
    >>> guard = dpdocs.accounting.Ledger("filter", theorem="pure", budget=(1, 0))
    >>> _ = guard.spend(dpdocs.Laplace(scale=2))
    >>> guard.spend(dpdocs.Laplace(scale=1))
    Traceback (most recent call last):
        ...
    dpdocs.errors.ParameterError: profile = Laplace(scale=1.0, sensitivity=1.0) is refused: it \
must leave the total ε at most 1, and it would be 1.5. Spend less, or stop.
    """

    def __init__(
        self,
        mode: Literal["plan", "filter", "odometer"] = "plan",
        *,
        theorem: Theorem | None = None,
        budget: tuple[Number, Number] | None = None,
        order: Number | None = None,
    ) -> None:
        if mode not in _MODES:
            raise _choice("mode", mode, ", ".join(_MODES))
        known = THEOREMS.get(mode, {})
        if mode == "plan" and theorem is not None:
            raise ParameterError(
                "theorem",
                theorem,
                "must be left out for a plan",
                'Choose the mode "filter" or "odometer" for adaptive spending',
                "no-theorem",
            )
        if mode != "plan" and theorem not in known:
            raise ParameterError(
                "theorem",
                theorem,
                f"must be one of {', '.join(known)} for the mode {mode!r}",
                'Name the theorem, or use the mode "plan" for what was fixed in advance',
                "no-theorem",
                {"choices": ", ".join(known)},
            )
        self._mode, self._theorem = mode, theorem
        self._order = self._read_order(order)
        self._budget = self._read_budget(budget)
        self._spends: tuple[Spend, ...] = ()

    def _read_order(self, order: Number | None) -> Fraction | None:
        if self._theorem == "renyi":
            return exact.number(order, "order", _ORDER)
        if order is not None:
            raise _choice("order", order, 'none, except for the theorem "renyi"')
        return None

    def _read_budget(
        self, budget: tuple[Number, Number] | None
    ) -> tuple[Fraction, Fraction] | None:
        if self._mode != "filter":
            if budget is not None:
                raise _choice("budget", budget, 'none, except for the mode "filter"')
            return None
        if not isinstance(budget, tuple | list) or len(budget) != 2:
            raise ParameterError(
                "budget",
                budget,
                "must be a pair (ε, δ) for a filter",
                "Give a budget such as (1, 1e-6)",
                "missing-parameter",
            )
        return (
            exact.number(budget[0], "epsilon", FLOAT_EPSILON),
            exact.number(budget[1], "delta", exact.DELTA),
        )

    def __repr__(self) -> str:
        named = f", theorem={self._theorem!r}" if self._theorem else ""
        return f"Ledger({self._mode!r}{named}, {len(self._spends)} spends)"

    @property
    def mode(self) -> str:
        """How it adds up: "plan", "filter" or "odometer"."""
        return self._mode

    @property
    def theorem(self) -> str | None:
        """What adaptive spending rests on; None for a plan."""
        return self._theorem

    @property
    def budget(self) -> tuple[float, float] | None:
        """ε and δ that a filter guards, rounded down; None for other modes."""
        return (
            None
            if self._budget is None
            else (
                exact.below(self._budget[0]),
                exact.below(self._budget[1]),
            )
        )

    @property
    def spends(self) -> tuple[Spend, ...]:
        """All entries, oldest first. None can be taken away."""
        return self._spends

    def spent(self, delta: Number) -> Guarantee:
        """Return the ε spent so far at a δ.

        A filter's guarantee is its budget, whenever one stops. Its `spent` tells how much of that
        is used up, by the same formula.

        Parameters
        ----------
        delta : number or decimal string
            δ in [0, 1].

        Returns
        -------
        Guarantee
            With the theorem in `basis`, and "exact" or "upper bound" in `kind`.

        Examples
        --------
        >>> import dpdocs
        >>> ledger = dpdocs.accounting.Ledger()
        >>> _ = ledger.spend(dpdocs.PureDP("0.1"), count=100)
        >>> round(ledger.spent("1e-6").epsilon, 12)
        4.774567588108
        """
        return self._total(self._spends, exact.number(delta, "delta", exact.DELTA))

    def would(
        self, profile: Profile, count: Number = 1, *, delta: Number | None = None
    ) -> Guarantee:
        """Return what would be spent after one more spend, without recording it.

        Parameters
        ----------
        profile : Profile
            The mechanism.
        count : int
            How often it would be used.
        delta : number or decimal string, optional
            The δ at which to answer; a filter's own where it is left out.

        Returns
        -------
        Guarantee
            As `spent` would give it.

        Examples
        --------
        >>> import dpdocs
        >>> ledger = dpdocs.accounting.Ledger("odometer", theorem="pure")
        >>> ledger.would(dpdocs.Laplace(scale=2), 3, delta=0).epsilon, len(ledger.spends)
        (1.5, 0)
        """
        entry = self._entry(profile, count, "", "")
        if delta is None and self._budget is not None:
            claim = self._budget[1]
        else:
            claim = exact.number(delta, "delta", exact.DELTA)
        return self._total((*self._spends, entry), claim)

    def spend(self, profile: Profile, count: Number = 1, label: str = "", note: str = "") -> Spend:
        """Record a spend; a filter refuses one that would exceed its budget.

        Parameters
        ----------
        profile : Profile
            The mechanism.
        count : int
            How often it is used.
        label, note : str
            Kept with the entry.

        Returns
        -------
        Spend
            The entry.

        Raises
        ------
        ParameterError
            Case "budget-exceeded"; nothing is then recorded. Also for what the ledger's theorem
            says nothing about, and for another adjacency.

        Examples
        --------
        >>> import dpdocs
        >>> ledger = dpdocs.accounting.Ledger("filter", theorem="zcdp", budget=(2, "1e-6"))
        >>> _ = ledger.spend(dpdocs.Gaussian(sigma=10), count=5)
        >>> round(ledger.left().epsilon, 3)
        0.986
        """
        entry = self._entry(profile, count, label, note)
        after = (*self._spends, entry)
        if self._budget is not None:
            total = self._total(after, self._budget[1]).epsilon
            if math.isinf(total) or exact.number(total, "total") > self._budget[0]:
                most = exact.below(self._budget[0])
                raise ParameterError(
                    "profile",
                    profile,
                    f"must leave the total ε at most {most:.12g}, and it would be {total:.12g}",
                    "Spend less, or stop",
                    "budget-exceeded",
                    {"maximum": f"{most:.12g}"},
                )
        elif self._mode == "odometer":
            self._total(after, Fraction(1, 2))  # refuses what the theorem says nothing about
        self._spends = after
        return entry

    def left(self, epsilon_budget: Number | None = None, delta: Number | None = None) -> Guarantee:
        """Return how much ε is left of a budget.

        Parameters
        ----------
        epsilon_budget, delta : number or decimal string, optional
            The budget; a filter's own where both are left out.

        Returns
        -------
        Guarantee
            The difference of budget and `spent`, rounded down, at least 0. As ε does not simply
            add up, `would` tells whether a spend fits.

        Examples
        --------
        >>> import dpdocs
        >>> ledger = dpdocs.accounting.Ledger()
        >>> _ = ledger.spend(dpdocs.PureDP("0.25"))
        >>> ledger.left(1, 0).epsilon
        0.75
        """
        if epsilon_budget is None and delta is None and self._budget is not None:
            most, claim = self._budget
        else:
            most = exact.number(epsilon_budget, "epsilon_budget", FLOAT_EPSILON)
            claim = exact.number(delta, "delta", exact.DELTA)
        used = self._total(self._spends, claim)
        if math.isinf(used.epsilon):
            rest = 0.0
        else:
            rest = max(0.0, exact.below(most - exact.number(used.epsilon, "spent")))
        return Guarantee(rest, used.delta, used.basis, used.kind)

    def _entry(self, profile: Profile, count: Number, label: str, note: str) -> Spend:
        if not isinstance(profile, Profile):
            raise ParameterError(
                "profile",
                profile,
                "must be a privacy profile",
                "Give profiles such as Laplace(1) or PureDP(0.5)",
                "not-composable",
            )
        for name, text in (("label", label), ("note", note)):
            if not isinstance(text, str) or len(text) > _LONGEST_TEXT:
                raise ParameterError(
                    name,
                    text,
                    f"must be text of at most {_LONGEST_TEXT} characters",
                    "Give a shorter text",
                    "too-long",
                )
        stated = {s.profile.adjacency for s in self._spends} | {profile.adjacency}
        stated.discard(None)
        if len(stated) > 1:
            raise ParameterError(
                "profile",
                profile,
                "must be about the same neighbours as the spends before it",
                "Keep one ledger for each adjacency",
                "different-adjacency",
            )
        return Spend(profile, exact.whole(count, "count", _COUNT), label, note)

    def _total(self, spends: tuple[Spend, ...], delta: Fraction) -> Guarantee:
        pairs = [(spend.profile, spend.count) for spend in spends]
        if self._mode == "plan":
            return plan(pairs, delta)
        return adaptive(pairs, delta, self._mode, str(self._theorem), self._order)

    def to_json(self) -> str:
        """Write the ledger as JSON text.

        Returns
        -------
        str
            Parameters are exact fractions in text. `from_json` reads the same ledger back.

        Examples
        --------
        >>> import dpdocs
        >>> ledger = dpdocs.accounting.Ledger()
        >>> _ = ledger.spend(dpdocs.Laplace(scale="0.1"))
        >>> again = dpdocs.accounting.Ledger.from_json(ledger.to_json())
        >>> again.spends[0].profile, again.to_json() == ledger.to_json()
        (Laplace(scale=0.1, sensitivity=1.0), True)
        """
        data = {
            "schema": _SCHEMA,
            "version": _VERSION,
            "mode": self._mode,
            "theorem": self._theorem,
            "order": None if self._order is None else write_fraction(self._order),
            "budget": None
            if self._budget is None
            else {
                "epsilon": write_fraction(self._budget[0]),
                "delta": write_fraction(self._budget[1]),
            },
            "spends": [
                {
                    "profile": to_record(spend.profile),
                    "count": str(spend.count),
                    "label": spend.label,
                    "note": spend.note,
                }
                for spend in self._spends
            ],
        }
        return json.dumps(data, ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Ledger:
        """Read a ledger that `to_json` wrote.

        Only names of known mechanisms and fractions are read; nothing in the text is run.

        Parameters
        ----------
        text : str
            The JSON text.

        Returns
        -------
        Ledger
            The same ledger.

        Raises
        ------
        ParameterError
            Cases "damaged-file", with the place in `parameter`, and "unknown-version".

        Examples
        --------
        >>> import dpdocs
        >>> dpdocs.accounting.Ledger.from_json("{}")
        Traceback (most recent call last):
            ...
        dpdocs.errors.ParameterError: schema = None is refused: it must be "dpdocs.ledger". Use \
the text as the ledger's to_json wrote it.
        """
        data = _parsed(text)
        if data.get("schema") != _SCHEMA:
            raise damaged("schema", data.get("schema"), f'must be "{_SCHEMA}"')
        version = data.get("version")
        if type(version) is not int or version != _VERSION:
            raise ParameterError(
                "version",
                version,
                f"must be {_VERSION}",
                "Read it with the version of dpdocs that wrote it",
                "unknown-version",
                {"maximum": str(_VERSION)},
            )
        fields = {"schema", "version", "mode", "theorem", "order", "budget", "spends"}
        if set(data) != fields:
            raise damaged("ledger", sorted(set(data) ^ fields), "must hold exactly its own fields")
        ledger = _opened(cls, data)
        spends = data["spends"]
        if not isinstance(spends, list):
            raise damaged("spends", type(spends).__name__, "must be a list")
        for i, item in enumerate(spends):
            _restore(ledger, item, f"spends[{i}]")
        if ledger._budget is not None and ledger._spends:
            total = ledger._total(ledger._spends, ledger._budget[1]).epsilon
            if math.isinf(total) or exact.number(total, "total") > ledger._budget[0]:
                raise damaged("spends", total, "must not spend more than the budget")
        return ledger


def _choice(parameter: str, value: object, choices: str) -> ParameterError:
    return ParameterError(
        parameter,
        value,
        f"must be one of {choices}",
        "Choose one of them",
        "unknown-choice",
        {"choices": choices},
    )


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name occurs twice")
    return found


def _depth(text: str) -> int:
    """How deep the brackets outside strings go; json's own recursion ends the browser's Python."""
    brackets = re.findall(r"[\[{\]}]", re.sub(r'"(?:[^"\\]|\\.)*"', "", text))
    return max(accumulate(1 if bracket in "[{" else -1 for bracket in brackets), default=0)


def _parsed(text: object) -> dict[str, object]:
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise damaged("text", type(text).__name__, f"must be text of at most {_LONGEST} characters")
    if _depth(text) > _DEEPEST:
        raise damaged("text", text, f"must be JSON nested at most {_DEEPEST} deep")
    try:
        data = json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise damaged("text", text, f"must be JSON ({type(error).__name__})") from None
    if not isinstance(data, dict):
        raise damaged("text", text, "must be a JSON object")
    return data


def _opened(cls: type[Ledger], data: dict[str, object]) -> Ledger:
    """Return the empty ledger that a file describes."""
    order, budget = data["order"], data["budget"]
    if budget is not None and (not isinstance(budget, dict) or set(budget) != {"epsilon", "delta"}):
        raise damaged("budget", budget, "must hold epsilon and delta, or be null")
    pair = None
    if isinstance(budget, dict):
        pair = (
            read_fraction(budget["epsilon"], "budget.epsilon"),
            read_fraction(budget["delta"], "budget.delta"),
        )
    mode, theorem = data["mode"], data["theorem"]
    if not isinstance(mode, str) or not (theorem is None or isinstance(theorem, str)):
        raise damaged("mode", mode, "must be text")
    try:
        return cls(
            mode,  # type: ignore[arg-type]
            theorem=theorem,  # type: ignore[arg-type]
            budget=pair,
            order=None if order is None else read_fraction(order, "order"),
        )
    except ParameterError as refusal:
        if refusal.case == "damaged-file":
            raise
        raise damaged(refusal.parameter, refusal.value, refusal.rule) from None


def _restore(ledger: Ledger, item: object, where: str) -> None:
    """Add one entry of a file; the budget is checked once, at the end."""
    if not isinstance(item, dict) or set(item) != {"profile", "count", "label", "note"}:
        raise damaged(where, item, "must hold profile, count, label and note")
    profile = from_record(item["profile"], f"{where}.profile")
    count = read_count(item["count"], f"{where}.count")
    try:
        entry = ledger._entry(profile, count, item["label"], item["note"])
    except ParameterError as refusal:
        raise damaged(f"{where}.{refusal.parameter}", refusal.value, refusal.rule) from None
    ledger._spends = (*ledger._spends, entry)
