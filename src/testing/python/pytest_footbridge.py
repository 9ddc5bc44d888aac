"""A private, throw-away Footbridge for each test: ``footbridge emulate`` behind a fixture of pytest.

Copy this one file beside your ``conftest.py`` and write in that: ``pytest_plugins = ["pytest_footbridge"]``. Then

    def test_login(footbridge):
        my_app.login(token_endpoint=footbridge.api)

While the test runs, its environment is that of the bridge, so that every client library finds it, in this process and in
those that it starts. A marker sets how the bridge is started:

    @pytest.mark.footbridge(consent="deny", fixture="world.toml", strict=True, transcript="talk.jsonl")

With ``strict`` a test ends with an error when a bot broke a rule of strict mode. A failing test prints the last 40 lines of
what passed the bridge.

``FOOTBRIDGE_PROGRAM`` says how Footbridge is called where that is not ``footbridge``, such as
``node ../footbridge/dist/footbridge.js``. Without pytest, ``with start() as bridge:`` does the same. It needs Python 3.8 and
nothing else.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
from typing import Any, BinaryIO, Dict, Iterator, List, Optional, Sequence

try:
    import pytest
except ImportError:  # ``start`` works without.
    pytest = None  # type: ignore[assignment]

#: What the bridge is there for: it tells its environment, and stays until nobody holds its stdin any more. So nothing is
#: left over when the tests are killed.
_HOLD = "import json, os, sys; print(json.dumps(dict(os.environ)), flush=True); sys.stdin.read()"
_START_SECONDS = 30
_STOP_SECONDS = 10
#: How `play` ends when an expectation fails.
_FINDINGS = 2


class FootbridgeError(Exception):
    """The bridge did not start, or a command of Footbridge failed; the text is what it said."""


class Bridge:
    """A bridge that only those find who have its environment."""

    def __init__(self, program: Sequence[str], env: Dict[str, str]) -> None:
        self._program = list(program)
        #: The variables with which a program finds the bridge; spread them over ``os.environ``.
        self.env = env
        #: Base address of the token endpoint, such as ``http://127.0.0.1:4000/api``.
        self.api = env["FOOTBRIDGE_API"]
        #: Address of the WebSocket, such as ``ws://127.0.0.1:4001``.
        self.ws = env["FOOTBRIDGE_WS"]
        #: Path of the control socket.
        self.control = env["FOOTBRIDGE_CONTROL"]
        #: Folder in which clients look for the endpoint.
        self.folder = env["XDG_RUNTIME_DIR"]

    def run(self, *words: str, timeout: float = 30) -> str:
        """Runs ``footbridge WORDS`` against this bridge, such as ``run("emulator", "voice", "set", "mute", "true")``.

        Returns what it printed. Raises FootbridgeError when it fails and ``subprocess.TimeoutExpired`` after ``timeout``
        seconds.
        """
        ended = self._ended(words, timeout)
        if ended.returncode != 0:
            raise FootbridgeError(f"footbridge {words[0]} ended with {ended.returncode}: {ended.stderr.strip()}")
        return ended.stdout

    def _ended(self, words: Sequence[str], timeout: float) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [*self._program, *words],
            env={**os.environ, **self.env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=timeout,
            encoding="utf-8",
            errors="replace",
        )

    def transcript(self, full: bool = False) -> str:
        """What passed the bridge as lines of text: the last 40, folded, or all of them."""
        return self.run("journal", "--transcript", *(["--full"] if full else []))

    def play(self, path: str, *words: str, timeout: float = 300) -> None:
        """Plays a file of scenarios against this bridge as it is, with the bots that are connected.

        ``words`` are options of ``footbridge emulator play``, such as ``"--only", "a ticket opens"``. A bot that must be
        started for the scenarios comes last: ``"--", "python3", "bot.py"``; it and they then have a bridge of their own.
        Raises AssertionError with the report when an expectation fails, FootbridgeError when the file cannot be played.
        """
        ended = self._ended(("emulator", "play", os.fspath(path), *words), timeout)
        if ended.returncode == _FINDINGS:
            raise AssertionError(ended.stdout.rstrip())
        if ended.returncode != 0:
            raise FootbridgeError(f"footbridge emulator play ended with {ended.returncode}: {ended.stderr.strip()}")

    def seed(self) -> None:
        """Makes the present state, and the clock, those that ``reset`` returns to; until then they are the fixture's."""
        self.run("emulator", "seed")

    def reset(self, events: bool = False) -> None:
        """Returns to the seed: state, clock and faults. Addresses, grants, tokens and connections stay.

        Bots, apps and webhooks are told nothing unless ``events`` is true.
        """
        self.run("emulator", "reset", "--whole", *([] if events else ["--quiet"]))

    def world(
        self,
        name: Optional[str] = None,
        *,
        fixture: Optional[str] = None,
        consent: Optional[str] = None,
        strict: bool = False,
    ) -> "World":
        """Makes a world: an emulator of its own behind the same port, with its own users, tokens, clock, faults and journal.

        It takes a hundredth of the time of another bridge, and ends with ``close``, with a ``with`` block, or with the bridge.
        """
        words = ["emulator", "world", "add", "--json", "--endpoint"]
        words += [] if name is None else [name]
        words += [] if fixture is None else ["--fixture", os.path.abspath(fixture)]
        words += [] if consent is None else ["--consent", consent]
        words += ["--strict"] if strict else []
        return World(self, json.loads(self.run(*words)))

    def picture(self, message: str, *words: str) -> bytes:
        """Draws a message, as ``footbridge emulator picture`` does, and returns the bytes of a PNG.

        ``words`` are options of that command, such as ``"--as", "heron"``. The browser that the first picture starts stays
        for the next ones of this bridge.
        """
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "picture.png")
            self.run("emulator", "picture", message, path, *words, timeout=60)
            with open(path, "rb") as file:
                return file.read()


class World(Bridge):
    """A world behind a bridge: what ``run`` calls concerns the world alone."""

    def __init__(self, bridge: Bridge, facts: Dict[str, Any]) -> None:
        #: Its name.
        self.name: str = facts["name"]
        addresses = {
            "XDG_RUNTIME_DIR": os.path.dirname(facts["endpoint"]),
            "FOOTBRIDGE_ENDPOINT": facts["endpoint"],
            "FOOTBRIDGE_API": facts["api"],
            "FOOTBRIDGE_WORLD": self.name,
        }
        super().__init__(bridge._program, {**bridge.env, **addresses})
        #: Tokens of the bots of the fixture's applications, by the ids of these.
        self.bots: Dict[str, str] = {bot["application"]: bot["token"] for bot in facts["bots"]}

    def reset(self, events: bool = False) -> None:
        self.run("emulator", "world", "reset", self.name, *(["--events"] if events else []))

    def seed(self) -> None:
        self.run("emulator", "world", "seed", self.name)

    def close(self) -> None:
        """Removes it; its bots and apps are disconnected."""
        self.run("emulator", "world", "remove", self.name)

    def __enter__(self) -> "World":
        return self

    def __exit__(self, *_ended: object) -> None:
        self.close()


@contextlib.contextmanager
def start(
    *,
    consent: str = "allow",
    fixture: Optional[str] = None,
    strict: bool = False,
    transcript: Optional[str] = None,
    program: Optional[Sequence[str]] = None,
) -> Iterator[Bridge]:
    """Starts a bridge that ends with the block.

    ``consent`` is what happens on AUTHORIZE: ``allow``, ``deny`` or ``ask``. ``fixture`` is the path of a TOML file with the
    users, guilds … of the emulator, ``strict`` turns strict mode on, ``transcript`` is a file to which all that is said is written, as JSON lines without
    secrets. ``program`` are the words that call Footbridge. Raises FootbridgeError with what it said when it does not start,
    and at the end of the block with the rules that were broken in strict mode, unless the block raises.
    """
    words = _program(program)
    flags: List[str] = ["--quiet", "--consent", consent]
    if fixture is not None:
        flags += ["--fixture", os.fspath(fixture)]
    if strict:
        flags.append("--strict")
    if transcript is not None:
        flags += ["--transcript", os.fspath(transcript)]
    # -I: the tests' own PYTHON… variables are not for the one who only waits.
    command = [*words, "emulate", *flags, "--", sys.executable, "-I", "-c", _HOLD]
    with tempfile.TemporaryFile() as said:
        try:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said)
        except OSError as error:
            raise FootbridgeError(f"{words[0]} cannot be started: {error.strerror}. Set FOOTBRIDGE_PROGRAM.") from error
        late = threading.Timer(_START_SECONDS, process.kill)
        late.start()
        passed = False
        try:
            line = process.stdout.readline()
            late.cancel()
            if not line.endswith(b"\n"):
                code = process.wait()
                raise FootbridgeError(f"footbridge emulate ended with {code}: {_text(said)}")
            told = json.loads(line)
            yield Bridge(words, {name: value for name, value in told.items() if os.environ.get(name) != value})
            passed = True
        finally:
            late.cancel()
            process.stdin.close()
            process.stdout.close()
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if passed and process.returncode != 0:
            raise FootbridgeError(_text(said))


def _text(said: BinaryIO) -> str:
    said.seek(0)
    return said.read().decode("utf-8", "replace").strip()


def _program(given: Optional[Sequence[str]]) -> List[str]:
    words = list(given) if given is not None else shlex.split(os.environ.get("FOOTBRIDGE_PROGRAM") or "footbridge")
    if not words:
        raise FootbridgeError("program: names no program")
    # Windows finds footbridge.cmd only by its whole name.
    return [shutil.which(words[0]) or words[0], *words[1:]]


if pytest is not None:

    def pytest_configure(config: "pytest.Config") -> None:
        """Makes the marker known."""
        config.addinivalue_line("markers", "footbridge(consent, fixture, strict, transcript): how the bridge of a test is started")

    @pytest.fixture
    def footbridge(request: "pytest.FixtureRequest", monkeypatch: "pytest.MonkeyPatch") -> Iterator[Bridge]:
        """A bridge of the test's own; the environment of the test leads to it."""
        marker = request.node.get_closest_marker("footbridge")
        with start(**(marker.kwargs if marker else {})) as bridge:
            request.node.footbridge = bridge
            for name, value in bridge.env.items():
                monkeypatch.setenv(name, value)
            yield bridge

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(item: "pytest.Item", call: "pytest.CallInfo") -> Iterator[None]:
        """Adds what passed the bridge to the report of a test that failed."""
        report = (yield).get_result()
        bridge = getattr(item, "footbridge", None)
        if bridge is None or call.when != "call" or not report.failed:
            return
        try:
            text = bridge.transcript()
        except (FootbridgeError, OSError, subprocess.SubprocessError) as error:
            # The failure of the test is what counts.
            text = str(error)
        report.sections.append(("What passed the bridge", text))
