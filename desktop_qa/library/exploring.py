"""A question over first passages, and what the model looks up beyond them (PDFTriage).

It reads the passages of the offline answer and the structure of their documents, and may call the
functions of PDFTriage for four rounds: by calls of its own where the probe of the profile saw it
do so, else by JSON objects, else not at all. What it fetches becomes evidence with the next
markers. All of it shares the window: passages, structure and what is fetched have their budgets.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

from desktop_qa.core.answer import Answer, Evidence
from desktop_qa.core.errors import DesktopQaError, QuestionError
from desktop_qa.core.segment import Segment
from desktop_qa.generate.passages import (
    Passage,
    TableSource,
    n_model_tokens,
    passages_of,
    passages_within,
)
from desktop_qa.generate.prompt import build_prompt, kind_of, passage_budget
from desktop_qa.generate.structure_tree import document_head, structure_tree
from desktop_qa.generate.tools import (
    ASKED_FOR_CALL,
    CALL_SCHEMA,
    TOOLS,
    Lookup,
    RefusedCallError,
    call_in,
    lookup_of,
)
from desktop_qa.library.shelf import StoredShelf
from desktop_qa.library.talk import Round
from desktop_qa.llm.messages import Message, MessageRole, ToolCall
from desktop_qa.llm.profile import Profile
from desktop_qa.tokens import count_tokens

MAX_ROUNDS = 4

_MAX_CALLS = 4
"""Of one round: a model that calls more at once is guessing."""

_TREE_SHARE = 0.2
_FETCHED_SHARE = 0.35
"""Of the room for passages; what the first passages leave is added."""

_LEAST_ROOM = 500
"""Tokens for passages, structure and what is fetched, below which the first passages need all."""

_LEAST_FETCHED = 60
"""Tokens: no passage is shorter."""

_TURN_TOKENS = 30
"""What the templates of chats put around a call and its result, and our words in the result."""

_NO_MORE = "Nothing more can be looked up. Answer the question now."
_CHARACTERS_OF_TITLE = 60


class Way(Enum):
    """How a model looks something up."""

    CALLS = "calls"
    OBJECTS = "objects"
    NOT = "not"


def ways_of(profile: Profile) -> tuple[Way, ...]:
    """Return what the probe of a profile saw work, the better one first."""
    works = (Way.CALLS, profile.calls_tools), (Way.OBJECTS, profile.keeps_schema)
    return tuple(way for way, does_work in works if does_work)


class Exploring:
    """The rounds of a question over an offline answer; one without a shelf, or without tools.

    Attributes:
        prompt: Of the round, with all passages that the answer may cite.
        evidence: Of the passages, by marker.
        steps: What was done before the answer, each as a line for the user.
        unfinished: What stands for the answer when no more rounds come.
        structure_tokens: Of the structure that the model was shown.
        retrieved_tokens: Of all passages that it was shown.
    """

    def __init__(
        self,
        offline: Answer,
        source: TableSource,
        window: int,
        earlier: Sequence[str],
        shelf: StoredShelf | None,
        ways: Sequence[Way],
    ) -> None:
        """Choose the first passages, and the structure that fits beside them.

        Args:
            offline: The answer of the library.
            source: Of the tables of its evidence.
            window: Tokens for prompt and answer.
            earlier: Questions before it, oldest first.
            shelf: What may be looked up.
            ways: How; the first one that leaves room for passages.

        Raises:
            QuestionError: When there is nothing to ask a model, or its window is too small.
        """
        self._question = offline.read_as or offline.question
        kind = kind_of(offline.type)
        budget = first = passage_budget(kind, window, self._question, earlier)
        trees: tuple[str, ...] = ()
        self._way, self._shelf = Way.NOT, shelf
        self._documents = list(shelf.candidates) if shelf is not None and ways else []
        told = passage_budget(kind, window, self._question, earlier, ("D1",))
        rooms = ((told - _cost_of_asking(way), way) for way in ways if self._documents)
        room, way = next((one for one in rooms if one[0] >= _LEAST_ROOM), (0, Way.NOT))
        if way is not Way.NOT:
            views = [self._open_shelf.structure(one) for one in self._documents]
            trees = structure_tree(views, int(room * _TREE_SHARE))
        if trees:
            self._way = way
            self._documents = self._documents[: len(trees)]
            budget = room - sum(map(n_model_tokens, trees))
            first = budget - int(room * _FETCHED_SHARE)
        passages = passages_of(replace(offline, question=self._question), source, first)
        if not passages:
            raise QuestionError("Nothing was found that a model could read.")
        self.prompt = build_prompt(kind, window, self._question, passages, earlier, trees=trees)
        self.evidence = offline.evidence
        self.steps: tuple[str, ...] = ()
        self.unfinished = ""
        self.structure_tokens = sum(map(count_tokens, trees))
        self.retrieved_tokens = sum(count_tokens(passage.printed) for passage in passages)
        self._left = budget - sum(n_model_tokens(passage.printed) for passage in passages)
        self._turns: tuple[Message, ...] = ()
        self._n_rounds = 0
        self._seen: set[Lookup] = set()

    @property
    def round(self) -> Round:
        """What is asked now: a call of a tool or the answer."""
        messages = (*self.prompt.messages[:2], *self._turns)
        if not self._may_look_up:
            return Round(messages)
        if self._way is Way.CALLS:
            return Round(messages, TOOLS)
        last = messages[-1]
        # Some models take no two messages of the user in a row.
        asking = replace(last, text=f"{last.text}\n\n{ASKED_FOR_CALL}")
        return Round((*messages[:-1], asking), schema=CALL_SCHEMA, is_heard=False)

    def took(self, text: str, calls: Sequence[ToolCall]) -> bool:
        """Follow the calls, if there are any."""
        if not self._may_look_up:
            return True
        if self._way is Way.OBJECTS:
            call = call_in(text, f"call_{self._n_rounds}")
            calls = () if call is None else (call,)
        if not calls:
            is_answer = self._way is Way.CALLS
            self._way = Way.NOT  # it has seen enough
            return is_answer
        self._n_rounds += 1
        results = [self._followed(call, n) for n, call in enumerate(calls)]
        self._left -= sum(n_model_tokens(_said(call)) + _TURN_TOKENS for call in calls)
        if not self._may_look_up:
            results[-1] = f"{results[-1]}\n\n{_NO_MORE}"
        self._turns += self._as_turns(calls, results)
        return False

    @property
    def _may_look_up(self) -> bool:
        is_left = self._n_rounds < MAX_ROUNDS and self._left >= _LEAST_FETCHED
        return self._way is not Way.NOT and is_left

    @property
    def _open_shelf(self) -> StoredShelf:
        assert self._shelf is not None, "without a shelf nothing may be looked up"
        return self._shelf

    def _as_turns(self, calls: Sequence[ToolCall], results: Sequence[str]) -> tuple[Message, ...]:
        if self._way is Way.OBJECTS:
            said = Message(MessageRole.ASSISTANT, _said(calls[0]))
            return said, Message(MessageRole.USER, results[0])
        return (
            Message(MessageRole.ASSISTANT, "", tool_calls=tuple(calls)),
            *(
                Message(MessageRole.TOOL, result, tool_call_id=call.id)
                for call, result in zip(calls, results, strict=True)
            ),
        )

    def _followed(self, call: ToolCall, n: int) -> str:
        """Return what a call gives, or why it gives nothing."""
        try:
            if n >= _MAX_CALLS:
                raise RefusedCallError(f"At most {_MAX_CALLS} calls are followed at once.")
            lookup = lookup_of(call)
            if lookup in self._seen:
                raise RefusedCallError("That was looked up before; use the passages that it gave.")
            self._seen.add(lookup)
            return self._fetched(lookup)
        except RefusedCallError as refused:
            return f"Error: {refused}"

    def _fetched(self, lookup: Lookup) -> str:
        number = lookup.document_no
        if number > len(self._documents):
            raise RefusedCallError(
                f"There is no D{number}; the last one is D{len(self._documents)}."
            )
        document_id = self._documents[number - 1] if number else None
        try:
            if document_id is None or lookup.words:
                found = self._open_shelf.retrieve(lookup.words, document_id)
            else:
                found = self._open_shelf.at(document_id, lookup.places)
        except DesktopQaError as error:  # it left the library meanwhile
            raise RefusedCallError(error.message) from error
        if not found:
            raise RefusedCallError(f"There is no {lookup.name} in what can be looked up.")
        is_last = self._n_rounds >= MAX_ROUNDS
        return self._passages(lookup, found, self._left if is_last else self._left // 2)

    def _passages(self, lookup: Lookup, found: Sequence[Segment], budget: int) -> str:
        """Take what was found into the passages, and return what is new of it."""
        by_id = {item.segment.id: item for item in self.evidence}
        new = [segment for segment in found if segment.id not in by_id]
        added = {
            segment.id: Evidence(len(self.evidence) + n, segment, 0.0, ())
            for n, segment in enumerate(new, start=1)
        }
        items = [by_id.get(segment.id) or added[segment.id] for segment in found]
        known = {passage.marker: passage for passage in self.prompt.passages}
        shown: list[Passage] = []
        for item in items:
            left = budget - sum(n_model_tokens(passage.printed) for passage in shown)
            fitted = passages_within((item,), self._open_shelf, self._question, left)
            before = known.get(item.marker)
            # A passage that was cut before may be read whole now.
            is_new = before is None or any(len(p.content) > len(before.content) for p in fitted)
            shown += fitted if is_new else ()
        if not shown:
            told = [f"[{item.marker}]" for item in items if item.marker in known]
            if told:
                raise RefusedCallError(f"You have read it: {', '.join(told)}.")
            raise RefusedCallError("It is longer than what is left to read. Answer the question.")
        text = "\n\n".join(passage.printed for passage in shown)
        self._left -= n_model_tokens(text)
        self.retrieved_tokens += count_tokens(text)
        # Markers are positions in the evidence: what was cut off behind the last one goes.
        last = max((p.marker for p in shown), default=0)
        self.evidence += tuple(e for e in added.values() if e.marker <= last)
        self._tell(lookup, shown)
        known.update((passage.marker, passage) for passage in shown)
        delimiter = self.prompt.delimiter
        quoted = f"<{delimiter}>\n{self._new_documents(shown)}{text}\n</{delimiter}>"
        # What was fetched counts as told by the user: repeating it gives no instruction away.
        told_too = Message(MessageRole.USER, quoted)
        self.prompt = replace(
            self.prompt,
            messages=(*self.prompt.messages, told_too),
            passages=tuple(known.values()),
        )
        return quoted

    def _new_documents(self, shown: Sequence[Passage]) -> str:
        """Number the documents that a search found beyond the structure, and name them."""
        own = {item.marker: item.segment.document_id for item in self.evidence}
        lines = ""
        for document_id in dict.fromkeys(own[passage.marker] for passage in shown):
            if document_id not in self._documents:
                self._documents.append(document_id)
                view = self._open_shelf.structure(document_id)
                lines += f"{document_head(len(self._documents), view)}\n"
        return f"{lines}\n" if lines else ""

    def _tell(self, lookup: Lookup, shown: Sequence[Passage]) -> None:
        # One part number says more in fewer words than the title around it.
        names = (p.parts[0] if len(p.parts) == 1 else p.document for p in shown)
        titles = list(dict.fromkeys(names))
        title = titles[0]
        if len(title) > _CHARACTERS_OF_TITLE:
            title = f"{title[:_CHARACTERS_OF_TITLE].rstrip()}…"
        if len(titles) > 1:
            title += f" and {len(titles) - 1} more"
        line = f"Looked up: {lookup.name} {'in' if lookup.words else 'of'} {title}"
        pages = sorted({passage.page_no for passage in shown if passage.page_no})
        if pages and not lookup.name.startswith("page"):
            line += f", page{'s' if len(pages) > 1 else ''} {', '.join(map(str, pages))}"
        self.steps += (line,)


def _cost_of_asking(way: Way) -> int:
    if way is Way.OBJECTS:
        return n_model_tokens(ASKED_FOR_CALL)
    tools = [(tool.name, tool.description, dict(tool.parameters)) for tool in TOOLS]
    return n_model_tokens(json.dumps(tools))


def _said(call: ToolCall) -> str:
    return json.dumps({"tool": call.name, **call.arguments}, ensure_ascii=False, default=str)
