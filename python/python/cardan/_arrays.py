"""What is no array of float64 becomes one, or is refused."""

import numpy as np


def as_float64(value, named):
    """``value`` as a contiguous and aligned array of float64; other kinds of numbers are converted, nothing else is."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiub":
        raise TypeError(
            f"{named} has the type {array.dtype}; it takes real numbers (float64, or what converts to it)"
        )
    return np.require(array, np.float64, ["C", "A"])
