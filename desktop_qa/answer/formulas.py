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

from desktop_qa.answer.measures import Measure, measures_in, plain_number, reckoned
from desktop_qa.augment.quantities import is_unit

_MAX_FORMULA = 160
_MAX_LINE = 600
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?|\.\d+)|(?P<symbol>[A-Za-zΔθΘΨητωƒµμ][A-Za-z0-9_'θΘΔΨ]*"
    r"(?:[(\[](?=[A-Za-z])[A-Za-z0-9_\-]{1,12}[)\]])?)|(?P<power>[²³⁻⁰¹⁴⁵⁶⁷⁸⁹]+)"
    r"|(?P<sign>[-+−–×*·⋅∙/÷^()\[\]√π⁄]))"
)
_UNIT_BEHIND = re.compile(r"\s?(?P<unit>[µμ]?[A-Za-zΩ°]{1,4}(?:/[µμ]?[A-Za-zΩ°]{1,3})?)(?![\w(])")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_EQUATION_NO = re.compile(r"\s*\(\d{1,3}\)\s*$")
_EQUATION = re.compile(
    r"^(?P<before>[^=]*?)(?P<left>(?:[Δ∆]?[A-Za-zθƒω][\w'θ]*(?:[(\[][\w\-]{1,12}[)\]])?)(?:\s[A-Za-z]{1,4})?)"
    r"\s*=\s*(?P<right>[^=≤≥<>]{3,})$"
)
_NEXT_EQUATION = re.compile(r"\(\d{1,3}\)\s+(?=\S+\s*=)|\s(?:or|and)\s(?=\S+(?:\s\S+)?\s*=)|;\s*")
_WORD_OF_PROSE = re.compile(r"to|for|of|or|and|in|is|at|if|the|with|where|from|see|by")
_OPERATOR_BEFORE = re.compile(r"[-+−–/*×·÷^]\s*$")
_PRODUCT = re.compile(r"(R\d?)(C\d?)")
_FUNCTIONS = frozenset(
    ["log", "ln", "lg", "tan", "sin", "cos", "exp", "max", "min", "abs", "int", "round", "mod"]
)
_WORDS = re.compile(r"[a-z]{4,}")


@dataclass(frozen=True, slots=True)
class Formula:
    """An equation with one symbol on the left.

    Attributes:
        text: Of the right side, as it is shown.
        tree: Of the right side, over the names in `constants` and `names`.
        names: Of each symbol of the right side, in order, the name that it has in the tree.
    """

    left: str
    text: str
    tree: ast.expr
    names: Mapping[str, str]
    constants: Mapping[str, Measure]

    @property
    def symbols(self) -> tuple[str, ...]:
        """Symbols of the right side in order, each once."""
        return tuple(self.names)


class _NotAFormulaError(Exception):
    pass


def read_formulas(line: str) -> list[Formula]:
    """Read the equations of a line, such as "TSS = CSS x VREF / ISS (3)"."""
    if len(line) > _MAX_LINE or "://" in line:
        return []
    found = (_read_equation(piece) for piece in _NEXT_EQUATION.split(line))
    return [formula for formula in found if formula is not None]


def _read_equation(text: str) -> Formula | None:
    match = _EQUATION.search(_EQUATION_NO.sub("", text.strip()).rstrip(" .,;"))
    if match is None or len(match["right"]) > _MAX_FORMULA:
        return None
    if _OPERATOR_BEFORE.search(match["before"]) or match["before"][-1:].isalnum():
        return None
    left = re.sub(r"\s+", "_", _without_unit(match["left"].strip()))
    if _WORDS.fullmatch(left) or _WORD_OF_PROSE.match(left + " "):
        return None
    return formula(left, match["right"])


def formula(left: str, right: str) -> Formula | None:
    """Read an expression as the right side of a formula; None when it cannot be evaluated."""
    try:
        tokens = _tokens(right)
        names = {t: f"s{n}" for n, (kind, t, _c) in enumerate(tokens) if kind == "symbol"}
        constants = {f"c{n}": c for n, (_k, _t, c) in enumerate(tokens) if c is not None}
        spelled = (
            names[text] if kind == "symbol" else f"c{n}" if kind == "number" else _PYTHON[text]
            for n, (kind, text, _c) in enumerate(tokens)
        )  # fmt: skip
        tree = ast.parse(" ".join(spelled), mode="eval").body
    except (_NotAFormulaError, KeyError, SyntaxError, MemoryError, RecursionError):
        return None
    parts = [p for p in ast.walk(tree) if isinstance(p, ast.expr)]
    if not names or not all(isinstance(p, ast.Name | ast.BinOp | ast.UnaryOp) for p in parts):
        return None
    signs = {sign: f" {sign} " for sign in "+-×/"} | {"": " × "}
    shown = "".join(signs.get(text, text) for _kind, text, _c in tokens)
    return Formula(left, shown.strip(), tree, names, constants)


def evaluate(formula: Formula, values: Mapping[str, Measure]) -> Measure:
    """Evaluate the right side.

    Raises:
        UnitsDoNotFitError: When parts of it cannot be added.
        ZeroDivisionError: When it divides by zero.
        KeyError: When a symbol has no value.
    """
    known = dict(formula.constants) | {n: values[s] for s, n in formula.names.items()}
    return _value(formula.tree, known)


def with_numbers(formula: Formula, values: Mapping[str, Measure]) -> str:
    """Write the right side with the values in place of their symbols."""
    return filled(formula, {symbol: str(values[symbol]) for symbol in formula.symbols})


def filled(formula: Formula, texts: Mapping[str, str]) -> str:
    """Write the right side with texts in place of its symbols."""
    symbols = "|".join(map(re.escape, sorted(formula.symbols, key=len, reverse=True)))

    def text(match: re.Match[str]) -> str:
        own = texts[match["symbol"]]
        return f"({own})" if own.startswith("-") or match["power"] is not None else own

    # In one go: the unit of a value may be spelled like a symbol.
    return re.sub(rf"(?<!\w)(?P<symbol>{symbols})(?![\w(])(?P<power>(?=\^))?", text, formula.text)


def _without_unit(left: str) -> str:
    name, _space, last = left.rpartition(" ")
    return name if name and is_unit(last) else left


def _value(node: ast.expr, values: Mapping[str, Measure]) -> Measure:
    if isinstance(node, ast.Name):
        return values[node.id]
    if isinstance(node, ast.UnaryOp):
        inner = _value(node.operand, values)
        is_root = isinstance(node.op, ast.Invert)
        return reckoned(_root if is_root else operator.neg, inner)
    assert isinstance(node, ast.BinOp)
    sides = (_value(node.left, values), _value(node.right, values))
    return reckoned(_OPERATIONS[type(node.op)], *sides)


def _root(value: Any) -> Any:
    return value**0.5


_OPERATIONS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.Pow: operator.pow,
}  # fmt: skip
_PYTHON = {"+": "+", "-": "-", "×": "*", "": "*", "/": "/", "^": "**", "√": "~", "(": "(", ")": ")"}
"""Signs as Python has them; "~" stands for a root."""

_SIGNS = {"−": "-", "–": "-", "*": "×", "·": "×", "⋅": "×", "∙": "×", "÷": "/", "⁄": "/",
          "[": "(", "]": ")"}  # fmt: skip
_Token = tuple[str, str, Measure | None]


def _tokens(text: str) -> list[_Token]:
    """Cut an expression into tokens; units behind symbols go, those behind numbers belong to them.

    Raises:
        _NotAFormulaError: For anything that is no part of an expression.
    """
    tokens: list[_Token] = []
    position = 0
    text = re.sub(r"(?<=[\s\d)])[x´](?=[\s\d(])", "×", text.rstrip())
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise _NotAFormulaError
        position = match.end()
        if match["power"]:
            exponent = match["power"].translate(_SUPERSCRIPTS)
            tokens += [("sign", "^", None), _number(exponent, exponent)]
            continue
        if match["number"]:
            position = _add_number(tokens, text, match, position)
        elif match["symbol"]:
            _add_symbol(tokens, match["symbol"])
        elif match["sign"] == "π":
            _join(tokens)
            tokens.append(("number", "π", plain_number(math.pi, "π")))
        else:
            sign = _SIGNS.get(match["sign"], match["sign"])
            if sign in ("(", "√"):
                _join(tokens)
            tokens.append(("sign", sign, None))
    return tokens


def _number(text: str, shown: str) -> _Token:
    try:
        return ("number", shown, plain_number(float(text), shown))
    except ValueError as error:
        raise _NotAFormulaError from error


def _add_number(tokens: list[_Token], text: str, match: re.Match[str], position: int) -> int:
    if tokens and (tokens[-1][0] in ("symbol", "number") or tokens[-1][1] == ")"):
        raise _NotAFormulaError  # "IOUT 2" is a square whose figure was not raised
    _join(tokens)
    behind = _UNIT_BEHIND.match(text, position)
    if behind is not None:
        placed = measures_in(match["number"] + " " + behind["unit"])
        if len(placed) == 1:
            tokens.append(("number", str(placed[0].measure), placed[0].measure))
            return behind.end()
    tokens.append(_number(match["number"], match["number"]))
    return position


def _add_symbol(tokens: list[_Token], symbol: str) -> None:
    """Add a symbol; a unit behind one says what it is given in, a word goes on with its name."""
    goes_on = bool(tokens) and tokens[-1][0] == "symbol"
    if goes_on and is_unit(symbol) and symbol.casefold() != "min":
        return
    if _WORDS.fullmatch(symbol) or _WORD_OF_PROSE.fullmatch(symbol.casefold()):
        raise _NotAFormulaError
    if goes_on:
        if not symbol.isalpha():
            raise _NotAFormulaError
        tokens[-1] = ("symbol", f"{tokens[-1][1]}_{symbol}", None)
        return
    if symbol.casefold() in _FUNCTIONS:
        raise _NotAFormulaError
    _join(tokens)
    product = _PRODUCT.fullmatch(symbol)
    if product is not None:
        if tokens and tokens[-1][1] == "/":
            raise _NotAFormulaError  # "1/RC" means 1/(RC), "1/2 RC" does not
        tokens += [("symbol", product[1], None), ("implied", "", None)]
        symbol = product[2]
    tokens.append(("symbol", symbol, None))


def _join(tokens: list[_Token]) -> None:
    """Put in the sign that is left out between two factors: "2πRC", "VREF (1 + R2/R1)"."""
    if tokens and (tokens[-1][0] in ("number", "symbol") or tokens[-1][1] == ")"):
        tokens.append(("implied", "", None))
