"""Count the house: what `make house` prints, to be compared from one change to the next.

    python packaging/house.py [--walk] [--json] [CHECKOUT]

All Python that git tracks in a checkout (this one unless said), by package. `--walk` also asks one
question in the window of this checkout, over the sample library, and prints every function of the
program that hands it on from the key to where the library reads it.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import io
import json
import subprocess
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SHORT_LINES = 5
_WINDOW_MAKERS = {"MainWindow", "Application"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_THIS = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Module:
    """A tracked file of Python: its path in the checkout, its text and its tree."""

    path: str
    text: str
    tree: ast.Module

    @property
    def package(self) -> str:
        """The row it is counted in: a package of the program, or a top folder."""
        parts = self.path.split("/")
        return "/".join(parts[:2]) if parts[0] == "desktop_qa" and len(parts) > 2 else parts[0]

    @property
    def name(self) -> str:
        """As imports name it."""
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@dataclass(slots=True)
class Counts:
    """What is counted of a package; sums but for the last two."""

    files: int = 0
    lines: int = 0
    code_lines: int = 0
    functions: int = 0
    short_functions: int = 0
    patterns: int = 0
    floats: int = 0
    inheritance: int = 0
    constructor: int = 0

    def add(self, other: Counts) -> None:
        """Take another package's counts in."""
        for name in COLUMNS:
            mine, its = getattr(self, name), getattr(other, name)
            setattr(self, name, max(mine, its) if name in _LARGEST else mine + its)


COLUMNS = {
    "files": "files",
    "lines": "lines",
    "code_lines": "code lines",
    "functions": "functions",
    "short_functions": f"of <= {SHORT_LINES} lines",
    "patterns": "patterns",
    "floats": "floats",
    "inheritance": "inheritance",
    "constructor": "constructor",
}
_LARGEST = ("inheritance", "constructor")


def modules_of(checkout: Path) -> list[Module]:
    """Return the tracked Python of a checkout, in the order of its paths."""
    listed = subprocess.run(
        ["git", "-C", checkout, "ls-files", "*.py"], capture_output=True, text=True, check=True
    )
    modules = []
    for path in sorted(listed.stdout.split("\n")[:-1]):
        text = (checkout / path).read_text(encoding="utf-8")
        modules.append(Module(path, text, ast.parse(text, path)))
    return modules


def code_lines(module: Module) -> int:
    """Count the lines that hold code: no blank line, comment or docstring."""
    nothing = {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
    held: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
        if token.type not in nothing:
            held.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(module.tree):
        # Texts that stand alone: docstrings of modules, classes, functions and attributes.
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                held.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(held)


def counts_of(module: Module, depths: dict[str, int]) -> Counts:
    """Count one module; `depths` are those of its classes by name."""
    counts = Counts(1, module.text.count("\n"), code_lines(module))
    for node in ast.walk(module.tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                counts.functions += 1
                n_lines = (node.end_lineno or node.lineno) - node.lineno + 1
                counts.short_functions += n_lines <= SHORT_LINES
                if node.name == "__init__":
                    arguments = node.args
                    n = len(arguments.posonlyargs + arguments.args + arguments.kwonlyargs) - 1
                    counts.constructor = max(counts.constructor, n)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr="compile")):
                counts.patterns += 1
            case ast.Constant(value=float()):
                counts.floats += 1
            case ast.ClassDef():
                counts.inheritance = max(counts.inheritance, depths[f"{module.name}.{node.name}"])
    return counts


def class_depths(modules: Iterable[Module]) -> dict[str, int]:
    """Return for each class how many classes of our own stand above it, itself included."""
    bases: dict[str, list[str]] = {}
    for module in modules:
        names = dict(imported_names(module))
        for statement in module.tree.body:
            if isinstance(statement, ast.ClassDef):
                names[statement.name] = f"{module.name}.{statement.name}"
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef):
                above = [b.id for b in node.bases if isinstance(b, ast.Name)]
                bases[f"{module.name}.{node.name}"] = [names[b] for b in above if b in names]

    def depth(name: str) -> int:
        return 1 + max(map(depth, bases[name]), default=0) if name in bases else 0

    return {name: depth(name) for name in bases}


def imported_names(module: Module) -> Iterator[tuple[str, str]]:
    """Yield (name in the module, full name) for each `from ... import`."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def import_circles(modules: list[Module]) -> list[list[str]]:
    """Return the groups of modules that import one another, however late; not for types alone."""
    known = {module.name for module in modules}
    imports = {module.name: set(_imports(module.tree, known)) for module in modules}
    reached: dict[str, set[str]] = {}
    for name in known:
        seen: set[str] = set()
        waiting = list(imports[name])
        while waiting:
            other = waiting.pop()
            if other not in seen:
                seen.add(other)
                waiting += imports[other]
        reached[name] = seen
    circles = {
        tuple(sorted(other for other in reached[name] if name in reached[other]))
        for name in known
        if name in reached[name]
    }
    return sorted(map(list, circles))


def _imports(node: ast.AST, known: set[str]) -> Iterator[str]:
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return
    match node:
        case ast.Import():
            yield from (alias.name for alias in node.names if alias.name in known)
        case ast.ImportFrom(module=str(module)):
            names = [f"{module}.{alias.name}" for alias in node.names]
            yield from (
                name if name in known else module
                for name in names
                if name in known or module in known
            )
    for child in ast.iter_child_nodes(node):
        yield from _imports(child, known)


def window_tests(modules: Iterable[Module]) -> list[str]:
    """Return the tests that build the whole window, by a fixture or a helper or themselves."""
    uses: dict[str, set[str]] = {}
    for module in modules:
        if not module.path.startswith("tests/"):
            continue
        functions = [n for n in module.tree.body if isinstance(n, _FUNCTIONS)]
        here = {n.name: f"{module.name}.{n.name}" for n in functions}
        names = dict(imported_names(module)) | here
        for node in functions:
            # What is called; a parameter of the same name as a fixture is none in a helper.
            called = {n.func for n in ast.walk(node) if isinstance(n, ast.Call)}
            words = {n.id for n in called if isinstance(n, ast.Name)}
            words |= {n.attr for n in called if isinstance(n, ast.Attribute)} & _WINDOW_MAKERS
            is_test = node.name.startswith("test_")
            if is_test or "fixture" in " ".join(map(ast.unparse, node.decorator_list)):
                words |= {argument.arg for argument in node.args.args}
            uses[here[node.name]] = {names.get(word, word) for word in words}
    fixtures = {name.rsplit(".", 1)[1]: name for name in uses if ".conftest." in name}
    makers = {
        name
        for name, words in uses.items()
        if any(word.rsplit(".", 1)[-1] in _WINDOW_MAKERS for word in words)
    }
    while True:
        more = {
            name
            for name, words in uses.items()
            if name not in makers and any(fixtures.get(w, w) in makers for w in words)
        }
        if not more:
            break
        makers |= more
    return sorted(name for name in makers if name.rsplit(".", 1)[1].startswith("test_"))


def house(checkout: Path) -> dict[str, Any]:
    """Return all counts of a checkout."""
    modules = modules_of(checkout)
    depths = class_depths(modules)
    packages: defaultdict[str, Counts] = defaultdict(Counts)
    for module in modules:
        packages[module.package].add(counts_of(module, depths))
    program, whole = Counts(), Counts()
    for name, counts in packages.items():
        whole.add(counts)
        if name.startswith("desktop_qa"):
            program.add(counts)
    rows = dict(sorted(packages.items())) | {"the program": program, "all": whole}
    ours = [module for module in modules if module.path.startswith("desktop_qa/")]
    commit = subprocess.run(
        ["git", "-C", checkout, "rev-parse", "--short", "HEAD"],
        capture_output=True,
        text=True,
        check=True,
    )
    return {
        "commit": commit.stdout.strip(),
        "packages": {
            name: {column: getattr(counts, column) for column in COLUMNS}
            for name, counts in rows.items()
        },
        "import_circles": import_circles(ours),
        "window_tests": len(window_tests(modules)),
    }


def report(counted: dict[str, Any]) -> str:
    """Return the counts as Markdown."""
    lines = [
        f"Commit {counted['commit']}",
        "",
        "| package | " + " | ".join(COLUMNS.values()) + " |",
        "|---|" + "---|" * len(COLUMNS),
    ]
    for name, counts in counted["packages"].items():
        lines.append(f"| {name} | " + " | ".join(str(counts[column]) for column in COLUMNS) + " |")
    lines += ["", f"Tests that build the whole window: {counted['window_tests']}"]
    lines.append(f"Circles of imports: {len(counted['import_circles'])}")
    lines += ["  " + ", ".join(circle) for circle in counted["import_circles"]]
    if "steps" in counted:
        lines.append(f"Steps of a question from the key to the library: {len(counted['steps'])}")
        lines += [f"  {step}" for step in counted["steps"]]
    return "\n".join(lines)


def main() -> None:
    """Print the counts as Markdown, or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("checkout", type=Path, nargs="?", default=_THIS)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--walk", action="store_true", help="ask a question and print its steps")
    arguments = parser.parse_args()
    counted = house(arguments.checkout)
    if arguments.walk:
        # Imports the program, which a count of other checkouts must not.
        sys.path.insert(0, str(Path(__file__).parent))
        counted["steps"] = importlib.import_module("question_walk").steps()
    text = json.dumps(counted, indent=2) if arguments.json else report(counted)
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
