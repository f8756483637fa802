"""Stands in for Hypothesis's compiled helpers, which exist for no browser: the same in Python.

Hypothesis generates the cases of property tests; these helpers move between neighbouring floats.
"""

import math
import struct
import sys
import types

_FORMATS = {16: ("!e", "!H"), 32: ("!f", "!I"), 64: ("!d", "!Q")}
_SMALLEST_NORMAL = {16: 2.0**-14, 32: 2.0**-126, 64: 2.0**-1022}


def float_of(x, width):
    """Return the float of this width that is nearest to x."""
    form, _ = _FORMATS[width]
    return struct.unpack(form, struct.pack(form, float(x)))[0]


def float_to_int(value, width=64):
    """Return the bits of a float as a whole number."""
    form, whole = _FORMATS[width]
    return struct.unpack(whole, struct.pack(form, value))[0]


def int_to_float(value, width=64):
    """Return the float that has these bits."""
    form, whole = _FORMATS[width]
    return struct.unpack(form, struct.pack(whole, value))[0]


def is_negative(x):
    """Does x carry a minus sign, zero included?"""
    return math.copysign(1.0, x) < 0


def count_between_floats(x, y, width=64):
    """Return how many floats lie from x to y, both included."""
    if is_negative(x):
        if is_negative(y):
            return float_to_int(x, width) - float_to_int(y, width) + 1
        return count_between_floats(x, -0.0, width) + count_between_floats(0.0, y, width)
    return float_to_int(y, width) - float_to_int(x, width) + 1


def next_up(value, width=64):
    """Return the next larger float."""
    if math.isnan(value) or (math.isinf(value) and value > 0):
        return value
    if value == 0.0 and is_negative(value):
        return 0.0
    bits = float_to_int(value, width)
    return int_to_float(bits + 1 if value >= 0 else bits - 1, width)


def next_down(value, width=64):
    """Return the next smaller float."""
    return -next_up(-value, width)


def width_smallest_normals(width):
    """Return the least positive float that is not subnormal."""
    return _SMALLEST_NORMAL[width]


def next_up_normal(value, width, *, allow_subnormal):
    """Return the next larger float, past the subnormal ones where they are not wanted."""
    found = next_up(value, width)
    least = width_smallest_normals(width)
    if not allow_subnormal and 0 < abs(found) < least:
        return -0.0 if is_negative(found) else least
    return found


def next_down_normal(value, width, *, allow_subnormal):
    """Return the next smaller float, past the subnormal ones where they are not wanted."""
    return -next_up_normal(-value, width, allow_subnormal=allow_subnormal)


def cathetus(h, a):
    """Return the other leg of a right triangle with hypotenuse h and leg a."""
    if math.isnan(h) or math.isnan(a):
        return math.nan
    if math.isinf(h):
        return math.nan if math.isinf(a) else math.inf
    h, a = abs(h), abs(a)
    if h < a:
        return math.nan
    return math.sqrt(h - a) * math.sqrt(h + a)


def install(version):
    """Make `import hypothesis._native…` find these."""
    helpers = {
        "hypothesis._native": {"__version__": version},
        "hypothesis._native.internal": {},
        "hypothesis._native.internal.cathetus": {"cathetus": cathetus},
        "hypothesis._native.internal.floats": {
            helper.__name__: helper
            for helper in (
                *(count_between_floats, float_of, float_to_int, int_to_float, is_negative),
                *(next_down, next_down_normal, next_up, next_up_normal, width_smallest_normals),
            )
        },
    }
    for name, content in helpers.items():
        module = types.ModuleType(name)
        module.__dict__.update(content)
        module.__path__ = []
        sys.modules[name] = module
        above, _, last = name.rpartition(".")
        if above in sys.modules and above != "hypothesis":
            setattr(sys.modules[above], last, module)
