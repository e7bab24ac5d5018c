"""The links on the pages: which is meant, what it is called, and what is not followed."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from desktop_qa.core.page_text import PageLink, PageText

_SCHEMES = ("http", "https", "mailto")
_MAX_TIP = 90
_REFUSED = {
    "javascript": "This link would run a script, which Desktop QA never does.",
    "file": "This link leads to a file on a disk. Desktop QA opens web and mail addresses only.",
    "launch": "This link would start a program or open a file, which Desktop QA never does.",
}


def link_at(page: PageText, x: float, y: float) -> PageLink | None:
    """Return the smallest link under a point of a page, in points as displayed."""
    under = [
        link
        for link in page.links
        if link.bbox.left <= x <= link.bbox.right and link.bbox.top <= y <= link.bbox.bottom
    ]
    return min(under, key=lambda link: link.bbox.area, default=None)


def whole_address(address: str) -> str:
    """Return an address with its scheme; one that starts with "www." is a web page's."""
    return f"https://{address}" if address.lower().startswith("www.") else address


def description(link: PageLink, labels: Sequence[str] = ()) -> str:
    """Return what the tool tip says of a link; pages without labels go by their numbers."""
    if link.page_no is not None:
        is_named = link.page_no <= len(labels)
        return f"Page {labels[link.page_no - 1] if is_named else link.page_no}"
    address = whole_address(link.address)
    if len(address) > _MAX_TIP:
        return f"{address[: _MAX_TIP - 1]}…"
    return address


def refusal(address: str) -> str:
    """Return why an address is not opened; empty for one that may be."""
    # Control characters could hide what an address is.
    if any(ord(char) < 0x20 or ord(char) == 0x7F for char in address):
        return "The address of this link is damaged."
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return "The address of this link is damaged."
    scheme = parts.scheme.lower()
    if scheme in _REFUSED:
        return _REFUSED[scheme]
    if scheme not in _SCHEMES:
        named = f"“{scheme}:” links" if scheme else "links without a kind"
        return f"Desktop QA opens web and mail addresses only, no {named}."
    if scheme != "mailto" and not parts.netloc:
        return "The address of this link is damaged."
    return ""
