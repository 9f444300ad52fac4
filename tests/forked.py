"""`kanon` in processes of their own that import nothing: a process that has imported the program forks one for each command.

A forked command has its own directory, environment, terminal and exit code. What it shares with the others is what was imported, and
no more: no connection, no command that is already known. Tests of the start itself (the wheel, what an import brings) begin a fresh
interpreter.

In a shell `python -I -S tests/forked.py SOCKET arguments` is `kanon arguments`.
"""

from __future__ import annotations

import json
import os
import socket
import sys

MOST = 1 << 22
"""Bytes of one request: arguments and environment."""


def ask(
    address: str,
    arguments: list[str],
    cwd: str,
    env: dict[str, str],
    streams: tuple[int, int, int] = (0, 1, 2),
    timeout: float | None = None,
) -> int:
    """Run one command in a forked process whose standard streams are these; its exit code."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.connect(address)
        request = json.dumps({"arguments": arguments, "cwd": cwd, "env": env}).encode()
        socket.send_fds(server, [len(request).to_bytes(4, "big")], list(streams))
        server.sendall(request)
        answers = server.makefile("r")
        process = int(answers.readline() or 0)
        if not process:
            raise RuntimeError("the forking process is gone")
        server.settimeout(timeout)
        try:
            return int(answers.readline())
        except TimeoutError:
            os.kill(process, 9)
            raise


def _imported() -> None:
    import importlib.util
    import pkgutil

    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    import kanon_sql

    for module in pkgutil.walk_packages(kanon_sql.__path__, "kanon_sql."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in ("duckdb_sqlalchemy", "sqlalchemy.dialects.postgresql.psycopg", "alembic.command", "yaml", "jinja2"):
        importlib.import_module(name)
    if importlib.util.find_spec("altair") and importlib.util.find_spec("vl_convert"):
        importlib.import_module("altair")
        _bundled()


def _bundled() -> None:
    """Give the pages their bundle of Vega, which takes seconds to make. Its maker runs threads, so it is made in another process."""
    from kanon_sql.pages import page

    reading, writing = os.pipe()
    maker = os.fork()
    if maker == 0:
        with os.fdopen(writing, "w", encoding="utf-8") as out:
            out.write(page._vega())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as made:
        bundle = made.read()
    os.waitpid(maker, 0)
    page._vega = lambda: bundle  # type: ignore[assignment]


def _next_command(address: str) -> dict[str, object]:
    """Fork for every request; in the forked process, return with what it is to do."""
    import select
    import signal

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(address)
        listening.listen(16)
        print("ready", flush=True)
        while True:
            ready, _, _ = select.select([listening, sys.stdin], [], [])
            if sys.stdin in ready:  # the tests are over
                os._exit(0)
            asking, _ = listening.accept()
            while _reaped():
                pass
            if os.fork() == 0:
                break
            asking.close()
    # The keeper of one command: it says what became of it.
    head, streams, _, _ = socket.recv_fds(asking, 4, 3)
    with asking.makefile("rb") as rest:
        request = json.loads(rest.read(int.from_bytes(head, "big")))
    command = os.fork()
    if command:
        asking.sendall(f"{command}\n".encode())
        _, status = os.waitpid(command, 0)
        asking.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
        os._exit(0)
    asking.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    # A process started in the background ignores Ctrl-C, and so do its children.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return dict(request)


def _reaped() -> bool:
    try:
        return os.waitpid(-1, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return False


def _become(request: dict[str, object]) -> None:
    """Be the process that was asked for."""
    os.environ.clear()
    os.environ.update(request["env"])  # type: ignore[call-overload]
    os.chdir(str(request["cwd"]))
    sys.argv = ["kanon", *request["arguments"]]  # type: ignore[misc]
    sys.stdin = open(0, closefd=False, encoding="utf-8")  # noqa: SIM115
    sys.stdout = open(1, "w", buffering=1 if os.isatty(1) else -1, closefd=False, encoding="utf-8")  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, closefd=False, encoding="utf-8", errors="backslashreplace")  # noqa: SIM115


def _main() -> object:
    import traceback

    from kanon_sql.cli import main

    try:
        main()
    except SystemExit as stop:
        return stop.code
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def _end(code: object) -> None:
    """End as an interpreter ends, but for the memory: to give back what others imported takes longer than most commands."""
    import atexit
    import threading

    if isinstance(code, str):
        print(code, file=sys.stderr)
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    if sys.argv[1:2] != ["--serve"]:
        sys.exit(ask(sys.argv[1], sys.argv[2:], os.getcwd(), dict(os.environ)))
    _imported()
    _become(_next_command(sys.argv[2]))
    _end(_main())
