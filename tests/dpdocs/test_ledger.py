"""The budget ledger: what it adds up, what it refuses, and what it reads back."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpdocs
from dpdocs import Gaussian, Laplace, ParameterError, PureDP
from dpdocs.accounting import ZCDP, Ledger

pures = st.integers(1, 400).map(lambda n: PureDP(Fraction(n, 300)))
laplaces = st.integers(1, 50).map(lambda n: Laplace(n, "0.7"))
gaussians = st.integers(1, 50).map(lambda n: Gaussian(n, "0.3"))


def filled(*spends: tuple[dpdocs.Profile, int], **kind: Any) -> Ledger:
    ledger = Ledger(**kind)
    for profile, count in spends:
        ledger.spend(profile, count)
    return ledger


# plans


def test_a_plan_is_the_exact_composition() -> None:
    ledger = filled((Gaussian(3), 2), (PureDP("0.1"), 5), (Gaussian(3), 1))
    truth = dpdocs.compose(Gaussian(3).compose(3), PureDP("0.1").compose(5))
    found = ledger.spent("1e-6")
    bound = truth.epsilon_bounds("1e-6")[1]
    assert bound <= found.epsilon * (1 + 1e-16)
    assert found.epsilon <= math.nextafter(bound, math.inf)
    assert (found.kind, found.basis) == ("exact", "exact accountant")
    assert ledger.left(10, "1e-6").epsilon == pytest.approx(10 - found.epsilon, rel=1e-14)
    assert ledger.left("0.1", "1e-6").epsilon == 0.0


def test_nothing_is_spent_at_first() -> None:
    for ledger in (
        Ledger(),
        Ledger("filter", theorem="zcdp", budget=(1, "1e-6")),
        Ledger("filter", theorem="gdp", budget=(1, "1e-6")),
        Ledger("odometer", theorem="pure"),
        Ledger("odometer", theorem="renyi", order=8),
    ):
        assert ledger.spent("1e-6").epsilon == 0.0
        assert ledger.spends == ()


def test_what_has_no_exact_method_falls_to_a_certified_bound() -> None:
    """More equal ε than the exact sum takes: the answer says so and is above a part of it."""
    ledger = filled((PureDP("0.001"), 150_000))
    found = ledger.spent("1e-6")
    assert found.kind == "upper bound"
    assert found.basis.startswith("not composed exactly; certified bound by Rényi")
    assert PureDP("0.001").compose(100_000).epsilon("1e-6") < found.epsilon < 150
    assert ledger.spent(0).epsilon == 150.0
    assert ledger.spent(1).epsilon == 0.0


def test_pure_plans_without_delta_add_up_exactly() -> None:
    assert filled((PureDP("0.1"), 3)).spent(0).epsilon == 0.3
    assert math.isinf(filled((Gaussian(1), 1)).spent(0).epsilon)


# filters and odometers


@given(st.lists(st.tuples(pures, st.integers(1, 3)), max_size=12), st.integers(1, 5))
def test_a_pure_filter_never_exceeds_its_budget(
    spends: list[tuple[dpdocs.Profile, int]], budget: int
) -> None:
    ledger = Ledger("filter", theorem="pure", budget=(budget, 0))
    total = Fraction(0)
    for profile, count in spends:
        before = ledger.spends
        size = count * Fraction(profile._loss.largest or 0)
        if total + size <= budget:
            ledger.spend(profile, count)
            total += size
        else:
            with pytest.raises(ParameterError) as refusal:
                ledger.spend(profile, count)
            assert refusal.value.case == "budget-exceeded"
            assert ledger.spends == before
    assert ledger.spent(0).epsilon <= budget


@pytest.mark.parametrize("theorem", ["zcdp", "renyi", "gdp"])
@given(st.lists(gaussians, min_size=1, max_size=8))
def test_a_filter_never_exceeds_its_budget(theorem: Any, spends: list[dpdocs.Profile]) -> None:
    order = 12 if theorem == "renyi" else None
    ledger = Ledger("filter", theorem=theorem, budget=(1, "1e-5"), order=order)
    for profile in spends:
        before = ledger.spends
        if ledger.would(profile).epsilon <= 1:
            ledger.spend(profile)
            continue
        with pytest.raises(ParameterError) as refusal:
            ledger.spend(profile)
        assert refusal.value.case == "budget-exceeded"
        assert ledger.spends == before
    assert ledger.spent("1e-5").epsilon <= 1
    assert 0 <= ledger.left().epsilon <= 1


def test_each_filter_is_its_theorem() -> None:
    spends = [(Gaussian(4), 3), (Gaussian(5), 1)]
    exact = filled(*spends).spent("1e-6").epsilon
    budget = (100, "1e-6")
    gdp = filled(*spends, mode="filter", theorem="gdp", budget=budget).spent("1e-6")
    zcdp = filled(*spends, mode="filter", theorem="zcdp", budget=budget).spent("1e-6")
    renyi = filled(*spends, mode="filter", theorem="renyi", order=20, budget=budget).spent("1e-6")
    assert gdp.epsilon == exact < zcdp.epsilon <= renyi.epsilon
    rho = Fraction(3, 32) + Fraction(1, 50)
    assert zcdp.epsilon == ZCDP(rho).epsilon("1e-6").epsilon
    assert "Koskela" in gdp.basis
    assert "Whitehouse" in zcdp.basis
    assert "fixed order" in renyi.basis
    assert {gdp.kind, zcdp.kind, renyi.kind} == {"upper bound"}


def test_an_odometer_reports_and_does_not_refuse() -> None:
    ledger = Ledger("odometer", theorem="renyi", order=20)
    seen = [ledger.spent("1e-6").epsilon]
    for _ in range(5):
        ledger.spend(Gaussian(1))
        seen.append(ledger.spent("1e-6").epsilon)
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(5 * 10 + math.log(1e6) / 19, rel=1e-14)


def test_a_filter_at_its_budget_exactly() -> None:
    ledger = Ledger("filter", theorem="pure", budget=("0.3", 0))
    for _ in range(3):
        ledger.spend(PureDP("0.1"))
    assert ledger.left().epsilon == 0.0
    with pytest.raises(ParameterError):
        ledger.spend(PureDP("1e-15"))


@pytest.mark.parametrize(
    ("wrong", "case"),
    [
        (lambda: Ledger("free"), "unknown-choice"),  # type: ignore[arg-type]
        (lambda: Ledger("filter", budget=(1, 0)), "no-theorem"),
        (lambda: Ledger("odometer", theorem="gdp"), "no-theorem"),
        (lambda: Ledger("odometer", theorem="zcdp"), "no-theorem"),
        (lambda: Ledger("plan", theorem="pure"), "no-theorem"),
        (lambda: Ledger("filter", theorem="pure"), "missing-parameter"),
        (lambda: Ledger("plan", budget=(1, 0)), "unknown-choice"),
        (lambda: Ledger("filter", theorem="pure", budget=(-1, 0)), "below-minimum"),
        (lambda: Ledger("odometer", theorem="renyi"), "empty"),
        (lambda: Ledger("odometer", theorem="pure", order=2), "unknown-choice"),
        (lambda: Ledger().spend(1), "not-composable"),  # type: ignore[arg-type]
        (lambda: Ledger().spend(PureDP(1), 0), "below-minimum"),
        (lambda: Ledger().spend(PureDP(1), label=1), "too-long"),  # type: ignore[arg-type]
        (lambda: Ledger("odometer", theorem="pure").spend(Gaussian(1)), "unknown-choice"),
        (lambda: Ledger().would(PureDP(1)), "empty"),
        (lambda: Ledger().spent(2), "above-maximum"),
    ],
)
def test_bad_input_is_refused(wrong: Any, case: str) -> None:
    with pytest.raises(ParameterError) as refusal:
        wrong()
    assert refusal.value.case == case


def test_two_adjacencies_do_not_mix() -> None:
    ledger = filled((Laplace(1, adjacency="add-remove"), 1), (PureDP(1), 1))
    with pytest.raises(ParameterError) as refusal:
        ledger.spend(Gaussian(1, adjacency="replace-one"))
    assert refusal.value.case == "different-adjacency"


def test_entries_cannot_be_taken_away() -> None:
    ledger = filled((PureDP(1), 1))
    with pytest.raises(AttributeError):
        ledger.spends = ()  # type: ignore[misc]
    with pytest.raises(TypeError):
        del ledger.spends[0]  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        ledger.spends[0].count = 0  # type: ignore[misc]


# saving and loading


@given(
    st.lists(
        st.tuples(st.one_of(pures, laplaces, gaussians), st.integers(1, 10**9), st.text()),
        max_size=5,
    )
)
def test_saved_and_loaded_is_the_same(spends: list[tuple[dpdocs.Profile, int, str]]) -> None:
    ledger = Ledger()
    for profile, count, label in spends:
        ledger.spend(profile, count, label, note=label[::-1])
    again = Ledger.from_json(ledger.to_json())
    assert again.to_json() == ledger.to_json()
    for old, new in zip(ledger.spends, again.spends, strict=True):
        assert (old.count, old.label, old.note) == (new.count, new.label, new.note)
        assert repr(old.profile) == repr(new.profile)
        assert old.profile._loss.largest == new.profile._loss.largest


def test_a_filter_is_read_back_with_its_budget() -> None:
    ledger = Ledger("filter", theorem="renyi", budget=(200, "1e-400"), order="7.1")
    ledger.spend(Gaussian("1e3", adjacency="add-remove"), 2, "a", "b")
    ledger.spend(dpdocs.compose(Gaussian(1e4), PureDP("0.001").compose(3)))
    again = Ledger.from_json(ledger.to_json())
    assert again.to_json() == ledger.to_json()
    assert again.spent("1e-6") == ledger.spent("1e-6")
    assert again.spends[0].profile.adjacency == "add-remove"
    assert (again.mode, again.theorem, again.budget) == ("filter", "renyi", (200.0, 0.0))


def saved() -> dict[str, Any]:
    ledger = Ledger("filter", theorem="pure", budget=(2, 0))
    ledger.spend(Laplace(2), 3, "ages")
    found: dict[str, Any] = json.loads(ledger.to_json())
    return found


DAMAGE: list[tuple[list[Any], Any, str]] = [
    (["schema"], "other", "schema"),
    (["mode"], "free", "mode"),
    (["mode"], 1, "mode"),
    (["theorem"], "gdp2", "theorem"),
    (["theorem"], None, "theorem"),
    (["budget"], None, "budget"),
    (["budget"], {"epsilon": "1"}, "budget"),
    (["budget", "epsilon"], "-1", "epsilon"),
    (["budget", "epsilon"], 2, "budget.epsilon"),
    (["budget", "delta"], "1/0", "budget.delta"),
    (["budget", "epsilon"], "1", "spends"),
    (["order"], "3", "order"),
    (["spends"], {}, "spends"),
    (["spends", 0], "x", "spends[0]"),
    (["spends", 0, "count"], 3, "spends[0].count"),
    (["spends", 0, "count"], "-3", "spends[0].count"),
    (["spends", 0, "count"], "0", "spends[0].count"),
    (["spends", 0, "count"], "٣", "spends[0].count"),
    (["spends", 0, "label"], 3, "spends[0].label"),
    (["spends", 0, "profile"], [], "spends[0].profile"),
    (["spends", 0, "profile", "mechanism"], "os.system", "spends[0].profile.mechanism"),
    (["spends", 0, "profile", "mechanism"], ["Laplace"], "spends[0].profile.mechanism"),
    (["spends", 0, "profile", "mechanism"], "Composition", "spends[0].profile.parts"),
    (["spends", 0, "profile", "parameters"], {"scale": "1"}, "spends[0].profile.parameters"),
    (["spends", 0, "profile", "parameters", "scale"], "0", "spends[0].profile"),
    (["spends", 0, "profile", "parameters", "scale"], "nan", "spends[0].profile.parameters.scale"),
    (["spends", 0, "profile", "parameters", "scale"], 2.0, "spends[0].profile.parameters.scale"),
    (
        ["spends", 0, "profile", "parameters", "scale"],
        "9" * 5000,
        "spends[0].profile.parameters.scale",
    ),
    (["spends", 0, "profile", "adjacency"], "both", "spends[0].profile.adjacency"),
    (["spends", 0, "profile", "adjacency"], {}, "spends[0].profile.adjacency"),
    (["extra"], 1, "ledger"),
]


@pytest.mark.parametrize(("path", "value", "where"), DAMAGE)
def test_damage_is_named(path: list[Any], value: Any, where: str) -> None:
    data = saved()
    place: Any = data
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(ParameterError) as refusal:
        Ledger.from_json(json.dumps(data))
    assert (refusal.value.case, refusal.value.parameter) == ("damaged-file", where)


@pytest.mark.parametrize("version", [0, 2, "1", 1.0, True, None])
def test_an_unknown_version_is_named(version: object) -> None:
    with pytest.raises(ParameterError) as refusal:
        Ledger.from_json(json.dumps({**saved(), "version": version}))
    assert refusal.value.case == "unknown-version"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "1",
        "[" * 100_000,
        '{"a": ' * 100_000,
        '{"schema": "dpdocs.ledger", "schema": "dpdocs.ledger"}',
        "9" * 10_000,
        None,
        b"{}",
    ],
)
def test_what_is_no_json_object_is_refused(text: Any) -> None:
    with pytest.raises(ParameterError) as refusal:
        Ledger.from_json(text)
    assert refusal.value.case == "damaged-file"


def test_a_cut_text_is_refused() -> None:
    text = json.dumps(saved())
    for end in range(0, len(text), 7):
        with pytest.raises(ParameterError):
            Ledger.from_json(text[:end])


def test_deep_compositions_are_refused() -> None:
    part: dict[str, Any] = saved()["spends"][0]["profile"]
    for _ in range(20):
        part = {"mechanism": "Composition", "parts": [{**part, "count": "1"}]}
    data = saved()
    data["spends"][0]["profile"] = part
    with pytest.raises(ParameterError) as refusal:
        Ledger.from_json(json.dumps(data))
    assert refusal.value.case == "damaged-file"


def test_a_profile_without_a_name_cannot_be_saved() -> None:
    ledger = filled((dpdocs.Profile(PureDP(1)._loss), 1))
    assert ledger.spent(0).epsilon == 1.0
    with pytest.raises(ParameterError):
        ledger.to_json()
