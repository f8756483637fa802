"""The figures: constant specifications, finite rows, true to the numbers they show."""

from __future__ import annotations

import json
import math
from itertools import pairwise, product
from typing import Any

import pytest

from dpdocs import Gaussian, Laplace

CHOICES = list(product(("laplace", "gaussian"), ("linear", "log")))


def rows(lab, figure: str, **values) -> dict[str, list[dict[str, Any]]]:
    return lab.compute(**values).as_data()["figures"][figure]["data"]


def test_specifications_depend_on_choices_only(lab, settings):
    seen: dict[tuple[str, ...], str] = {}
    for setting in settings:
        for axis in ("linear", "log"):
            figures = lab.compute(**setting, profile_axis=axis).as_data()["figures"]
            for name, figure in figures.items():
                text = json.dumps(figure["spec"])
                assert seen.setdefault((name, setting["noise"], axis), text) == text


def test_rows_are_few_and_named_by_the_specification(lab, setting):
    for figure in lab.compute(**setting).as_data()["figures"].values():
        named = {layer["data"]["name"] for layer in figure["spec"]["layer"]}
        assert named == figure["data"].keys()
        assert sum(len(part) for part in figure["data"].values()) <= 400


def test_colours_are_roles(lab):
    roles = {"d", "d-prime", "loss", "claim", "grid", "text", "muted", "good", "bad"}

    def colours(data: Any):
        if isinstance(data, dict):
            for name, item in data.items():
                if name in ("color", "fill", "stroke"):
                    yield item
                yield from colours(item)
        elif isinstance(data, list):
            for item in data:
                yield from colours(item)

    for figure in lab.compute().figures.values():
        for colour in colours(figure.spec):
            assert colour.removeprefix("@colour.") in roles


def test_both_peaks_and_the_crossing_are_drawn_exactly(lab):
    for scale in ("0.001", "0.5", "2", "100"):
        shown = rows(lab, "densities", scale=scale, epsilon="0", bound="2")
        curve = shown["curves"]
        peak = 1 / (2 * float(scale))
        top = {point["x"]: point for point in curve}
        assert top[0.0]["p"] == pytest.approx(peak, rel=1e-5)
        assert top[2.0]["q"] == pytest.approx(peak, rel=1e-5)
        (event,) = shown["event"]
        assert event["end"] == 1.0
        crossing = min(curve, key=lambda point: abs(point["x"] - 1))
        assert crossing["p"] == pytest.approx(crossing["q"], rel=1e-4)
        assert [point["x"] for point in curve] == sorted(point["x"] for point in curve)


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
@pytest.mark.parametrize("epsilon", ["0", "0.7", "1.9"])
def test_the_shaded_area_is_delta_up_to_the_tail_outside_the_window(lab, noise, epsilon):
    shown = rows(lab, "densities", noise=noise, scale="1", epsilon=epsilon)["curves"]
    area = 0.0
    for left, right in pairwise(shown):
        heights = [point["p"] - point["covered"] for point in (left, right)]
        area += (right["x"] - left["x"]) * sum(heights) / 2
    mechanism = Laplace(1, 2) if noise == "laplace" else Gaussian(1, 2)
    assert area == pytest.approx(mechanism.delta(epsilon), abs=3e-3)


def test_the_curves_are_the_densities(lab):
    for noise, mechanism in (("laplace", Laplace(0.7, 2)), ("gaussian", Gaussian(0.7, 2))):
        for point in rows(lab, "densities", noise=noise, scale="0.7")["curves"]:
            for name, centre in (("p", 0.0), ("q", 2.0)):
                true = math.exp(mechanism.log_density(point["x"], centre))
                assert point[name] == pytest.approx(true, rel=2e-4, abs=1e-12)


def test_where_no_event_is_left_nothing_is_shaded(lab):
    shown = rows(lab, "densities", scale="2", epsilon="1")
    assert shown["event"] == []
    assert all(point["p"] == point["covered"] for point in shown["curves"])


def test_the_requested_pair_is_marked_where_it_is_milder(lab):
    assert rows(lab, "densities", record="2")["pair"] == []
    (marked,) = rows(lab, "densities", record="0.5")["pair"]
    assert (marked["start"], marked["end"]) == (0, 0.5)


def test_powers_of_ten_are_taken_out_of_extreme_axes(lab):
    frame = rows(lab, "densities", scale="1e-300", bound="1e-300")["frame"][0]
    assert (frame["x_unit"], frame["y_unit"]) == ("×10⁻³⁰⁰", "×10²⁹⁹")
    frame = rows(lab, "densities", scale="2")["frame"][0]
    assert (frame["x_unit"], frame["y_unit"]) == ("", "")


@pytest.mark.parametrize("epsilon", ["0", "0.05", "1.2345", "9.99", "10"])
def test_the_claim_is_drawn_where_it_was_typed(lab, epsilon):
    shown = rows(lab, "profile", noise="gaussian", scale="1", epsilon=epsilon, delta="0.25")
    (claim,), (needed,) = shown["claim"], shown["needed"]
    assert claim["epsilon"] == needed["epsilon"] == float(epsilon)
    assert claim["delta"] == 0.25
    assert needed["delta"] == pytest.approx(Gaussian(1, 2).delta(epsilon), rel=1e-12)
    assert claim["holds"] is Gaussian(1, 2).satisfies(epsilon, "0.25").holds


def test_a_claim_beyond_the_picture_is_named_not_moved(lab):
    shown = rows(lab, "profile", epsilon="50")
    assert (shown["claim"], shown["needed"]) == ([], [])
    assert shown["beyond"] == [{"label": "ε = 50 →"}]


def test_the_profile_meets_zero_where_it_does(lab):
    curve = rows(lab, "profile", bound="2.5", scale="2", record="1")["curve"]
    assert {"epsilon": 1.25, "delta": 0.0}.items() <= curve[13].items()
    assert len(curve) == 102


def test_the_logarithmic_axis_goes_below_all_floats(lab):
    values = {"noise": "gaussian", "bound": "1", "scale": "1e4", "profile_axis": "log"}
    curve = rows(lab, "profile", **values)["curve"]
    assert len(curve) == 101
    assert curve[10]["delta"] == pytest.approx(-50000028.0499597 / math.log(10), rel=1e-5)


@pytest.mark.parametrize("width", [340, 700])
@pytest.mark.parametrize(("noise", "axis"), CHOICES)
def test_figures_are_valid_and_draw(lab, noise, axis, width):
    vl_convert = pytest.importorskip("vl_convert")
    for figure in lab.compute(
        noise=noise, scale="1", record="1", profile_axis=axis
    ).figures.values():
        spec = {**figure.to_dict(), "width": width}
        vega = vl_convert.vegalite_to_vega(spec, vl_version="6.4")
        assert vega["marks"]
        svg = vl_convert.vegalite_to_svg(spec, vl_version="6.4")
        assert "NaN" not in svg
        assert "Infinity" not in svg
        assert "@colour.text" in svg


def test_extreme_figures_draw(lab, setting):
    vl_convert = pytest.importorskip("vl_convert")
    for axis in ("linear", "log"):
        for figure in lab.compute(**setting, profile_axis=axis).figures.values():
            svg = vl_convert.vegalite_to_svg({**figure.to_dict(), "width": 340}, vl_version="6.4")
            assert "NaN" not in svg
