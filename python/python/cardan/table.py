"""Tables of a run: columns by name, with units."""

from __future__ import annotations

from typing import Iterable, Mapping

import numpy as np


class Table(dict):
    """Columns of a run: a dict of float64 arrays of one length; ``units`` has the unit of each.

    >>> table = Table({"time": [0.0, 0.1], "energy.total": [1.0, 1.0]}, {"time": "s", "energy.total": "J"})
    >>> table["time"], table.units["energy.total"], len(table.rows())
    (array([0. , 0.1]), 'J', 2)
    """

    def __init__(
        self,
        columns: Mapping[str, Iterable[float]] | None = None,
        units: Mapping[str, str] | None = None,
        title: str = "",
    ):
        super().__init__((name, np.asarray(values, dtype=np.float64)) for name, values in (columns or {}).items())
        self.units = {name: (units or {}).get(name, "") for name in self}
        self.title = title

    @classmethod
    def _of_rows(cls, names, units, rows, title=""):
        columns = np.ascontiguousarray(rows.T)
        return cls(dict(zip(names, columns)), dict(zip(names, units)), title)

    def rows(self) -> np.ndarray:
        """All numbers: [row × column]."""
        return np.column_stack(list(self.values())) if self else np.empty((0, 0))

    def select(self, *prefixes: str) -> "Table":
        """The columns of these names, or below them; time stays.

        >>> Table({"time": [0.0], "a.x": [1.0], "b": [2.0]}).select("a").keys()
        dict_keys(['time', 'a.x'])
        """
        wanted = lambda name: name == "time" or any(name == p or name.startswith(p + ".") for p in prefixes)
        found = {name: values for name, values in self.items() if wanted(name)}
        return Table(found, self.units, self.title)

    def to_pandas(self):
        """A data frame; units are in ``frame.attrs["units"]``."""
        import pandas

        frame = pandas.DataFrame(dict(self))
        frame.attrs["units"] = dict(self.units)
        return frame

    def to_parquet(self, path) -> None:
        """Writes Parquet; the unit of a column is in the metadata of its field (``unit``)."""
        import pyarrow
        import pyarrow.parquet

        fields = [
            pyarrow.field(name, pyarrow.float64(), metadata={"unit": self.units[name]}) for name in self
        ]
        arrays = [pyarrow.array(values) for values in self.values()]
        pyarrow.parquet.write_table(pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields)), path)

    def to_csv(self, path) -> None:
        """Writes CSV with the names in the first line; numbers read back to the same bits."""
        with open(path, "w", encoding="utf-8", newline="") as out:
            out.write(",".join(f'"{name}"' if "," in name else name for name in self) + "\n")
            for row in self.rows():
                out.write(",".join(repr(float(x)) for x in row) + "\n")

    def plot(self, *columns: str, x: str = "time", path=None):
        """Plots columns (all without any) against ``x``, one panel per unit: see `cardan.plot`."""
        from .plot import plot_table

        return plot_table(self, columns, x, path)

    def _repr_html_(self) -> str:
        from .plot import table_html

        return table_html(self)

    def __repr__(self) -> str:
        rows = len(next(iter(self.values()))) if self else 0
        return f"Table({rows} rows: {', '.join(list(self)[:6])}{', …' if len(self) > 6 else ''})"
