"""Formulas as datasheets print them: read, shown with numbers, and evaluated with their units.

Only sums, products, quotients, powers and square roots are read. Whatever else a line holds (a
logarithm, the remains of a fraction that was set on three lines) makes it no formula at all: a
wrong reading would give a wrong number.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from desktop_qa.answer.measures import Measure, measures_in, reckoned
from desktop_qa.augment.quantities import is_unit

_MAX_LINE = 600
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?|\.\d+)"
    r"(?:\s?(?P<unit>[µμ]?[A-Za-zΩ°]{1,4}(?:/[µμ]?[A-Za-zΩ°]{1,3})?)(?![\w(]))?"
    r"|(?P<symbol>[A-Za-zΔθΘΨητωƒµμ][A-Za-z0-9_'θΘΔΨ]*"
    r"(?:[(\[](?=[A-Za-z])[A-Za-z0-9_\-]{1,12}[)\]])?)|(?P<power>[²³⁻⁰¹⁴⁵⁶⁷⁸⁹]+)"
    r"|(?P<sign>[-+×/^()√π]))"
)
_SIGNS = str.maketrans("−–*·⋅∙÷⁄[]", "--××××//()")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_EQUATION = re.compile(
    r"^(?P<before>[^=]*?)(?P<left>(?:[Δ∆]?[A-Za-zθƒω][\w'θ]*(?:[(\[][\w\-]{1,12}[)\]])?)(?:\s[A-Za-z]{1,4})?)"
    r"\s*=\s*(?P<right>[^=≤≥<>]{3,})$"
)
_NEXT_EQUATION = re.compile(
    r"\(\d{1,3}\)(?:\s+(?=\S+\s*=)|\s*$)|\s(?:or|and)\s(?=\S+(?:\s\S+)?\s*=)|;\s*"
)
_WORD_OF_PROSE = re.compile(
    r"(?i:to|for|of|or|and|in|is|at|if|the|with|where|from|see|by|log|ln|lg|tan|sin|cos|exp|max|min"
    r"|abs|int|mod)\b|[a-z]{4,}\b|R\d?C\d?\b"
)
"""What is no symbol: a word, a function that is not read, "RC" ("1/RC" means 1/(RC))."""

_GOES_BEFORE = re.compile(r"[-+−–/*×·÷^]\s*$|[^\W_]$")
_PYTHON = {"×": "*", "^": "**", "√": "~"}
"""Signs as Python has them; "~" stands for a root."""

_OPERATIONS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.Pow: operator.pow,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Token:
    """A symbol, a number with its measure, or a sign."""

    text: str
    is_symbol: bool = False
    measure: Measure | None = None

    @property
    def is_factor(self) -> bool:
        return self.is_symbol or self.measure is not None


@dataclass(frozen=True, slots=True)
class Formula:
    """An equation with one symbol on the left.

    Attributes:
        tokens: Of the right side.
        tree: Of the right side; the token of place n is called "tn" in it.
    """

    left: str
    tokens: tuple[_Token, ...]
    tree: ast.expr

    @property
    def symbols(self) -> tuple[str, ...]:
        """Symbols of the right side in order, each once."""
        return tuple(dict.fromkeys(token.text for token in self.tokens if token.is_symbol))

    @property
    def text(self) -> str:
        """Right side as it is shown."""
        return filled(self, {})


def read_formulas(line: str) -> list[Formula]:
    """Read the equations of a line, such as "TSS = CSS x VREF / ISS (3)"."""
    if len(line) > _MAX_LINE or "://" in line:
        return []
    found = []
    for piece in _NEXT_EQUATION.split(line):
        match = _EQUATION.search(piece.strip().rstrip(" .,;"))
        if match is None or _GOES_BEFORE.search(match["before"]):
            continue
        name, _space, last = match["left"].strip().rpartition(" ")
        left = name if name and is_unit(last) else match["left"].strip()
        read = formula("_".join(left.split()), match["right"])
        if read is not None and not _WORD_OF_PROSE.match(left):
            found.append(read)
    return found


def formula(left: str, right: str) -> Formula | None:
    """Read an expression as the right side of a formula; None when it cannot be evaluated."""
    try:
        tokens = _tokens(right)
        spelled = (
            f"t{n}" if token.is_factor else _PYTHON.get(token.text, token.text)
            for n, token in enumerate(tokens)
        )
        tree = ast.parse(" ".join(spelled), mode="eval").body
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    parts = [p for p in ast.walk(tree) if isinstance(p, ast.expr)]
    read = Formula(left, tuple(tokens), tree)
    is_plain = all(isinstance(p, ast.Name | ast.BinOp | ast.UnaryOp) for p in parts)
    return read if read.symbols and is_plain else None


def evaluate(formula: Formula, values: Mapping[str, Measure]) -> Measure:
    """Evaluate the right side.

    Raises:
        UnitsDoNotFitError: When parts of it cannot be added.
        ZeroDivisionError: When it divides by zero.
        KeyError: When a symbol has no value.
    """
    known = {
        f"t{n}": t.measure or values[t.text] for n, t in enumerate(formula.tokens) if t.is_factor
    }
    return _value(formula.tree, known)


def filled(formula: Formula, texts: Mapping[str, object]) -> str:
    """Write the right side with names or values in place of its symbols, where there are some."""
    said = []
    for token, after in zip(formula.tokens, (*formula.tokens[1:], None), strict=True):
        text = str(texts.get(token.text, token.text)) if token.is_symbol else token.text
        is_base = after is not None and after.text == "^" and " " in text
        text = f"({text})" if token.is_symbol and (is_base or text.startswith("-")) else text
        said.append(f" {text} " if text in ("+", "-", "×", "/") else text)
    return "".join(said).strip()


def _value(node: ast.expr, values: Mapping[str, Measure]) -> Measure:
    if isinstance(node, ast.Name):
        return values[node.id]
    if isinstance(node, ast.UnaryOp):
        is_root = isinstance(node.op, ast.Invert)
        operation = (lambda value: value**0.5) if is_root else operator.neg
        return reckoned(operation, _value(node.operand, values))
    assert isinstance(node, ast.BinOp)
    sides = (_value(node.left, values), _value(node.right, values))
    return reckoned(_OPERATIONS[type(node.op)], *sides)


def _tokens(text: str) -> list[_Token]:
    """Cut an expression into tokens; units behind symbols go, those behind numbers belong to them.

    Raises:
        ValueError: For anything that is no part of an expression.
    """
    tokens: list[_Token] = []

    def add(token: _Token) -> None:
        """Add a token, and the sign left out before it: "2πRC", "VREF (1 + R2/R1)"."""
        is_open = token.is_factor or token.text in ("(", "√")
        if is_open and tokens and (tokens[-1].is_factor or tokens[-1].text == ")"):
            tokens.append(_Token("×"))
        tokens.append(token)

    position = 0
    text = re.sub(r"(?<=[\s\d)])[x´](?=[\s\d(])", "×", text.rstrip().translate(_SIGNS))
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError
        position = match.end()
        if power := match["power"]:
            exponent = power.translate(_SUPERSCRIPTS)
            tokens += [_Token("^"), _Token(exponent, measure=Measure(float(exponent)))]
        elif number := match["number"]:
            if tokens and (tokens[-1].is_factor or tokens[-1].text == ")"):
                raise ValueError  # "IOUT 2" is a square whose figure was not raised
            placed = measures_in(f"{number} {match['unit']}") if match["unit"] else []
            measure = placed[0].measure if len(placed) == 1 else Measure(float(number), text=number)
            position = match.end() if len(placed) == 1 else match.end("number")
            add(_Token(str(measure), measure=measure))
        elif symbol := match["symbol"]:
            goes_on = bool(tokens) and tokens[-1].is_symbol
            # A unit behind a symbol says what it is given in, a word goes on with its name.
            if goes_on and is_unit(symbol) and symbol.casefold() != "min":
                continue
            if _WORD_OF_PROSE.match(symbol) or (goes_on and not symbol.isalpha()):
                raise ValueError
            if goes_on:
                symbol = f"{tokens.pop().text}_{symbol}"
            add(_Token(symbol, is_symbol=True))
        elif match["sign"] == "π":
            add(_Token("π", measure=Measure(math.pi, text="π")))
        else:
            add(_Token(match["sign"]))
    return tokens
