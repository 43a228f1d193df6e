"""Answers as values."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from . import _syntax

Verdict = Literal["safe", "unsafe", "unknown"]


@dataclass(frozen=True)
class Definition:
    """The formula a model gives to a predicate."""

    name: str
    parameters: tuple[tuple[str, str], ...]
    body: str
    text: str


class Model(Mapping[str, Definition]):
    """A model: a definition per predicate. `str(model)` is the text."""

    def __init__(self, text: str, infix: tuple[str, ...] = ()) -> None:
        self._text = text
        self.infix = infix
        self._definitions = {d.name: d for d in _definitions(text)}

    def __getitem__(self, key: str) -> Definition:
        return self._definitions[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._definitions)

    def __len__(self) -> int:
        return len(self._definitions)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<model of {', '.join(self._definitions) or 'nothing'}>"

    def _repr_html_(self) -> str:
        shown = "\n".join(self.infix) or self._text
        return f"<pre>{html.escape(shown)}</pre>"


def _definitions(text: str) -> Iterator[Definition]:
    for command in _syntax.children(f"({text})"):
        parts = _syntax.children(command)
        if len(parts) == 5 and parts[0] in ("define-fun", "define-fun-rec"):
            pairs = [_syntax.children(p) for p in _syntax.children(parts[2])]
            parameters = tuple((_syntax.name(n), sort) for n, sort in pairs)
            yield Definition(_syntax.name(parts[1]), parameters, parts[4], command)


@dataclass(frozen=True)
class Step:
    """One step of a derivation."""

    clause: int
    line: int | None
    values: Mapping[str, Any]
    premises: tuple[int, ...]
    derives: Any


@dataclass(frozen=True)
class State:
    """One state of a run."""

    values: Mapping[str, Any]
    inputs: Mapping[str, Any]


@dataclass(frozen=True)
class Counterexample:
    """Why a problem is unsafe: `steps` for clauses, `states` for transition systems, or neither for C,
    where `raw` has the trace."""

    kind: str
    steps: tuple[Step, ...]
    states: tuple[State, ...]
    raw: Mapping[str, Any] = field(repr=False)

    def __len__(self) -> int:
        return len(self.steps) or len(self.states)

    @staticmethod
    def of(raw: Mapping[str, Any]) -> Counterexample:
        steps = tuple(
            Step(
                s["clause"],
                s.get("line"),
                s.get("values", {}),
                tuple(s.get("premises", ())),
                s.get("derives"),
            )
            for s in raw.get("steps", ())
            if "clause" in s
        )
        states = tuple(
            State(s.get("values", {}), s.get("inputs", {})) for s in raw.get("states", ())
        )
        return Counterexample(str(raw.get("kind", "")), steps, states, raw)


@dataclass(frozen=True)
class Check:
    """Who accepted a witness."""

    by: str
    obligations: int
    seconds: float


@dataclass(frozen=True)
class PropertyResult:
    """The answer to one property."""

    property: int | str | None
    verdict: Verdict
    engine: str | None
    checks: tuple[Check, ...]
    certificate: str | None
    model: Model | None
    counterexample: Counterexample | None
    reason: str | None

    @staticmethod
    def of(raw: Mapping[str, Any]) -> PropertyResult:
        model = raw.get("model")
        counterexample = raw.get("counterexample")
        return PropertyResult(
            property=raw.get("property", raw.get("group")),
            verdict=raw["verdict"],
            engine=raw.get("configuration"),
            checks=tuple(
                Check(c["by"], c["obligations"], c["seconds"]) for c in raw.get("checks", ())
            ),
            certificate=raw.get("certificate"),
            model=Model(model["text"], tuple(model.get("infix", ()))) if model else None,
            counterexample=Counterexample.of(counterexample) if counterexample else None,
            reason=raw.get("reason"),
        )


@dataclass(frozen=True)
class Result:
    """The answer to a check. Every `safe` and `unsafe` was checked before it was printed."""

    verdict: Verdict
    answer: str
    properties: tuple[PropertyResult, ...]
    warnings: tuple[str, ...]
    seconds: float
    raw: Mapping[str, Any] = field(repr=False)

    @staticmethod
    def of(raw: Mapping[str, Any]) -> Result:
        parts = raw.get("properties") or raw.get("groups") or ()
        return Result(
            verdict=raw["verdict"],
            answer=raw.get("answer", raw["verdict"]),
            properties=tuple(PropertyResult.of(p) for p in parts),
            warnings=tuple(w["message"] for w in raw.get("warnings", ())),
            seconds=float(raw.get("seconds", 0.0)),
            raw=raw,
        )

    def _first(self, verdict: Verdict) -> PropertyResult | None:
        return next((p for p in self.properties if p.verdict == verdict), None)

    @property
    def safe(self) -> bool:
        """Whether everything asked for was proved."""
        return self.verdict == "safe"

    @property
    def model(self) -> Model:
        """The model of safe clauses; empty when there is none."""
        found = self._first("safe")
        return found.model if found and found.model else Model("")

    @property
    def counterexample(self) -> Counterexample | None:
        """The first counterexample."""
        found = self._first("unsafe")
        return found.counterexample if found else None

    @property
    def certificate(self) -> str | None:
        """The text that was checked, of the property that decided the verdict."""
        found = self._first(self.verdict)
        return found.certificate if found else None

    @property
    def reason(self) -> str | None:
        """Why it is unknown."""
        found = self._first("unknown")
        return found.reason if found else None

    def _repr_html_(self) -> str:
        colour = {"safe": "#1a7f37", "unsafe": "#b42318"}.get(self.verdict, "#57606a")
        parts = [f'<p><strong style="color:{colour}">{self.answer}</strong>']
        parts.append(f" after {self.seconds:.2f} s")
        if self.reason:
            parts.append(f": {html.escape(self.reason)}")
        parts.append("</p>")
        if len(self.model):
            parts.append(self.model._repr_html_())
        if self.counterexample is not None:
            parts.append(f"<p>counterexample of {len(self.counterexample)} steps</p>")
        return "".join(parts)


@dataclass(frozen=True)
class Validation:
    """What became of somebody's witness."""

    verdict: Literal["accepted", "rejected", "undecided"]
    text: str

    def __bool__(self) -> bool:
        return self.verdict == "accepted"
