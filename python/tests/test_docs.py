"""Examples of docstrings and pages, and the scripts of `examples`."""

import doctest
import importlib
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import cardan
import cardan._cardan as extension

ROOT = pathlib.Path(__file__).parent.parent


@pytest.mark.parametrize("name", ["cardan"] + [f"cardan.{m.name}" for m in pkgutil.iter_modules(cardan.__path__)])
def test_docstrings(name):
    if name.endswith("gym"):
        pytest.importorskip("gymnasium")
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, verbose=False)
    assert failed == 0


def test_docstrings_of_the_extension():
    runner = doctest.DocTestRunner()
    for kind in (extension.Model, extension.Simulation, extension.Batch):
        for name in vars(kind):
            text = getattr(getattr(kind, name), "__doc__", None)
            if isinstance(text, str) and ">>>" in text:
                test = doctest.DocTestParser().get_doctest(text, {}, f"{kind.__name__}.{name}", None, 0)
                assert runner.run(test).failed == 0
    assert runner.tries > 0


def test_the_page_runs(tmp_path, monkeypatch):
    page = (ROOT.parent / "docs" / "python.md").read_text()
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", page, re.S)
    assert len(blocks) >= 5
    names = {"__name__": "page"}
    for block in blocks:
        if "# not run" not in block:
            exec(compile(block, "docs/python.md", "exec"), names)


@pytest.mark.parametrize("name", ["four_bar_torque", "computed_torque", "sweep"])
def test_examples_run(name, tmp_path):
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / f"{name}.py"), "--quick"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_stubs_name_what_the_extension_has():
    stub = (ROOT / "python" / "cardan" / "_cardan.pyi").read_text()
    for kind in (extension.Model, extension.Simulation, extension.Batch, extension.Study, extension.StudyLog, extension.Joint):
        body = stub[stub.index(f"class {kind.__name__}") :].split("\nclass ")[0].split("\n@final")[0]
        for name in vars(kind):
            if not name.startswith("_"):
                assert f"def {name}(" in body or f"    {name}:" in body, f"{kind.__name__}.{name}"
