"""The window's line to a process that runs the library; what that process needs stays in it."""

from __future__ import annotations

from multiprocessing.connection import Connection

from desktop_qa.service.line import ServiceLine


def _serve(connection: Connection) -> None:
    # Only the child reads the service: the window shall be on screen before anything else.
    from desktop_qa.service.library_service import serve

    serve(connection)


class ServiceClient(ServiceLine):
    """The window's end of the line to a process that runs `library_service.serve`."""

    def __init__(self) -> None:
        super().__init__(_serve)
