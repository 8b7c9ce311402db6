"""Exceptions: the engine's own text, and fields to decide by."""

from __future__ import annotations

from typing import Any


class Error(Exception):
    """What all errors of this package have in common.

    ``kind`` is the engine's name of the mistake, ``fields`` what it knows about it.
    """

    def __init__(self, text: str = "", *, kind: str | None = None, fields: dict[str, Any] | None = None, **more: Any):
        super().__init__(text)
        self.kind = kind
        self.fields = dict(fields or {})
        for name, value in more.items():
            setattr(self, name, value)

    def __reduce__(self):  # the fields survive the way between processes
        return (_rebuilt, (type(self), str(self), dict(self.__dict__)))


def _rebuilt(kind, text, fields):
    error = kind(text)
    error.__dict__.update(fields)
    return error


class SceneError(Error, ValueError):
    """A scene or robot file is wrong: ``file``, ``line``, ``column``, ``path``, ``message``, ``help``."""

    file: str | None = None
    line: int | None = None
    column: int | None = None
    path: str | None = None
    message: str | None = None
    help: str | None = None


class ModelError(Error, ValueError):
    """A name that the model does not have, or a question that does not fit it."""


class StepError(Error, RuntimeError):
    """The numbers of a step: what failed, at which ``time``; the state is as it was before."""

    time: float | None = None


class StudyError(Error, ValueError):
    """A study that makes no sense, or a log of another one."""
