#!/usr/bin/env python3
"""Ration's client for Python: publish intents, follow the events, ask the broker.

One file, pyzmq and the standard library. An object belongs to the thread that made it.

    with Publisher("tcp://127.0.0.1:7464", "onboarding", "onboarding.outbox") as publisher:
        print(publisher.publish([{"op": "cancel", "app": "com.example.habits", "device": "d1", "id": "day1"}]).outcomes)
"""
from __future__ import annotations

import argparse
import itertools
import json
import random
import signal
import sqlite3
import sys
import time
from collections import deque
from contextlib import closing
from typing import Any, Iterable, Iterator, Mapping, NamedTuple, Optional, Union

import zmq

Intent = Union[Mapping[str, Any], bytes]  # an intent, or its line of JSON
Event = Mapping[str, Any]  # CloudEvents 1.0: `sequence`, `type`, `time`, `data`, …

PASSING = frozenset({"busy", "full", "stopping"})  # refusals that use up no number: the same is sent again later
UNDECIDED = frozenset({"numberReused", "version", "unknown", "forbidden"})  # a person has to act: the outbox keeps it


class RationError(Exception):
    """What every error of this client is."""


class Unreachable(RationError):
    """No progress within `give_up` seconds. What was numbered by then stays in the outbox."""


class Unreconciled(RationError):
    """The broker lacks requests from before the outbox's oldest: it went back, or the outbox is another's."""


class LogChanged(RationError):
    """The events are of another log: the data folder was restored or made anew, and positions mean nothing there."""


class EventsGone(RationError):
    """Events were trimmed from the log before they were read. Reading can go on after them."""


class Refusal(RationError):
    """The broker's error for one request: `number`, `code`, `message`, and all that it said in `details`."""

    def __init__(self, number: int, details: Mapping[str, Any]) -> None:
        self.number, self.details = number, details
        self.code, self.message = str(details.get("code", "")), str(details.get("message", ""))
        super().__init__(f"request {number}: {self.code}: {self.message}")


class Acknowledgement(NamedTuple):
    """A request is decided and on disk. `data` is all that the broker said, empty when it remembers only that it was."""

    number: int
    data: Mapping[str, Any]

    @property
    def outcomes(self) -> str:
        """One letter for each intent: h held, q queued, u unchanged, c cancelled, n not found, o done, x, e, r rejected."""
        return self.data.get("outcomes", "")


Outcome = Union[Acknowledgement, Refusal]


def pause(attempt: int) -> float:
    """Seconds to wait after `attempt` earlier failures: doubling from 50 ms to 5 s, the upper half random."""
    return min(5.0, 0.05 * 2 ** min(attempt, 10)) * random.uniform(0.5, 1.0)


def encode(value: Any) -> bytes:
    """A value as one line of JSON; ValueError for what JSON cannot say."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def decode(frames: list[bytes], name: str) -> Any:
    """The JSON in an answer called `name`; raises Refusal for an error."""
    if len(frames) < 3 or frames[0] not in (b"ration/1 " + name.encode(), b"ration/1 error"):
        raise RationError(f"no {name} of ration/1: {frames[0][:64]!r} and {len(frames) - 1} more frames")
    if frames[0] == b"ration/1 error":
        raise Refusal(int(frames[1]), json.loads(frames[2]))
    return json.loads(frames[2])


def connected(kind: int, endpoint: str) -> zmq.Socket:
    """A socket with finite queues that notices a dead peer, and queues nothing for one that is not there."""
    socket = zmq.Context.instance().socket(kind)
    options = {zmq.LINGER: 0, zmq.SNDHWM: 100_000 if kind == zmq.SUB else 1_000, zmq.RCVHWM: 10_000, zmq.MAXMSGSIZE: 64 << 20, zmq.IMMEDIATE: 1,
               zmq.HEARTBEAT_IVL: 2_000, zmq.HEARTBEAT_TIMEOUT: 6_000, zmq.HEARTBEAT_TTL: 10_000,
               zmq.RECONNECT_IVL: 50, zmq.RECONNECT_IVL_MAX: 2_000}
    for option, value in options.items():
        socket.setsockopt(option, value)
    socket.connect(endpoint)
    return socket


class Channel:
    """A DEALER socket to one of the broker's ROUTERs, replaced as a whole when an answer is overdue."""

    def __init__(self, endpoint: str, deadline: float, give_up: Optional[float]) -> None:
        self._endpoint, self.deadline, self._give_up = endpoint, deadline, give_up
        self._socket, self._numbers = connected(zmq.DEALER, endpoint), itertools.count(1)

    def reset(self) -> None:
        """A new socket: late answers to the old one can no longer come."""
        self._socket.close()
        self._socket = connected(zmq.DEALER, self._endpoint)

    def send(self, frames: list[bytes], seconds: float) -> bool:
        """Whether the connection took the frames within `seconds`."""
        if not self._socket.poll(int(seconds * 1_000), zmq.POLLOUT):
            return False
        self._socket.send_multipart(frames, zmq.NOBLOCK)
        return True

    def receive(self, seconds: float) -> Optional[list[bytes]]:
        """The next message, or None when none came within `seconds`."""
        return self._socket.recv_multipart() if self._socket.poll(int(seconds * 1_000)) else None

    def ask(self, name: str, body: Mapping[str, Any], wait: float = 0.0) -> list[bytes]:
        """The frames that answer a request, asked until then; `wait`: seconds that the broker may take on purpose."""
        begun, attempt = time.monotonic(), 0
        while True:
            frames = self._attempt(name, body, self.deadline + wait)
            try:
                if frames is not None:
                    decode(frames, name)
                    return frames
                reason = f"no answer to {name} from {self._endpoint}"
                self.reset()
            except Refusal as refusal:
                if refusal.code not in PASSING:
                    raise
                reason = str(refusal)
            if self._give_up is not None and time.monotonic() - begun >= self._give_up:
                raise Unreachable(reason)
            time.sleep(pause(attempt))
            attempt += 1

    def _attempt(self, name: str, body: Mapping[str, Any], seconds: float) -> Optional[list[bytes]]:
        number, until = b"%d" % next(self._numbers), time.monotonic() + seconds
        if self.send([b"ration/1 " + name.encode(), number, encode(body)], seconds):
            while (frames := self.receive(max(0.0, until - time.monotonic()))) is not None:
                if len(frames) >= 3 and frames[1] == number:
                    return frames
        return None

    def close(self) -> None:
        self._socket.close()


class Outbox:
    """Requests that are not acknowledged yet, by number: a SQLite file that one process holds, or memory."""

    def __init__(self, path: Optional[str], publisher: str) -> None:
        self._publisher = publisher
        self._database = sqlite3.connect(path or ":memory:", timeout=0, isolation_level=None)
        try:
            self._database.executescript(
                "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL;"
                "BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS unacknowledged (publisher TEXT NOT NULL,"
                " number INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (publisher, number));"
                " CREATE TABLE IF NOT EXISTS logs (publisher TEXT PRIMARY KEY, log TEXT NOT NULL); COMMIT")
        except sqlite3.DatabaseError as error:
            self._database.close()
            raise RationError(f"outbox {path}: {error} (it is a SQLite file that one process at a time may hold)") from error

    def load(self) -> dict[int, bytes]:
        return dict(self._database.execute(
            "SELECT number, body FROM unacknowledged WHERE publisher = ? ORDER BY number", (self._publisher,)))

    def log(self) -> Optional[str]:
        """The event log that the numbers were agreed on with; None: not yet."""
        row = self._database.execute("SELECT log FROM logs WHERE publisher = ?", (self._publisher,)).fetchone()
        return row[0] if row else None

    def agree(self, log: str) -> None:
        self._database.execute("INSERT OR REPLACE INTO logs VALUES (?, ?)", (self._publisher, log))

    def add(self, number: int, body: bytes) -> None:
        self._database.execute("INSERT INTO unacknowledged VALUES (?, ?, ?)", (self._publisher, number, body))

    def remove(self, number: int) -> None:
        self._database.execute("DELETE FROM unacknowledged WHERE publisher = ? AND number = ?", (self._publisher, number))

    def renumber(self, bodies: Mapping[int, bytes]) -> None:
        """Other numbers for what is kept, in one transaction."""
        with self._database:
            self._database.execute("BEGIN")
            self._database.execute("DELETE FROM unacknowledged WHERE publisher = ?", (self._publisher,))
            for number, body in bodies.items():
                self.add(number, body)

    def close(self) -> None:
        self._database.close()


class Publisher:
    """Publishes requests of intents under a stable name, each decided exactly once, also across crashes of either side.

    endpoint: the broker's `intents`. name: at most 64 bytes, used by one process at a time; empty: no duplicate detection,
    one request at a time, and a lost answer may double it. outbox: a file for what is unacknowledged; without one it is
    lost with the process. deadline: seconds without an answer until it connects anew. give_up: seconds without progress
    until it raises Unreachable; None: never."""

    def __init__(self, endpoint: str, name: str, outbox: Optional[str] = None, *,
                 deadline: float = 5.0, give_up: Optional[float] = None) -> None:
        if len(name.encode()) > 64 or (outbox and not name):
            raise ValueError(f"publisher {name!r}: at most 64 bytes, and not empty beside an outbox")
        self.name, self.log, self._window, self._limits = name, "", 1, {}
        self.resumed: list[Outcome] = []  # of requests that were unacknowledged when an iteration began
        self._outbox = Outbox(outbox, name)
        self._channel, self._give_up = Channel(endpoint, deadline, give_up), give_up
        self._pending, self._ready = self._outbox.load(), deque()
        self._next = self._cursor = 1  # the number of the next new request, and of the next one to send
        self._unanswered = self._failures = 0  # requests in flight, failures since the last progress
        self._connected = self._going_back = False
        self._progress_at = time.monotonic()

    @property
    def unacknowledged(self) -> int:
        """How many requests the outbox keeps for sending again."""
        return len(self._pending)

    def publish(self, intents: Iterable[Intent]) -> Acknowledgement:
        """Sends one request and waits for its acknowledgement. Raises Refusal when the broker refused it as a whole."""
        outcome = next(self.publish_many([intents]))
        if isinstance(outcome, Refusal):
            raise outcome
        return outcome

    def publish_many(self, requests: Iterable[Iterable[Intent]]) -> Iterator[Outcome]:
        """Sends requests, up to the window at once, and yields what came of each in order: its Acknowledgement, or the
        Refusal (`malformed`, `tooLarge`, …) that used up its number. Raises Refusal for `numberReused` (somebody else
        publishes under this name), Unreconciled, Unreachable; the outbox then keeps what is unacknowledged."""
        leftovers, source, more = len(self._pending) + len(self._ready), iter(requests), True
        self._progress_at = time.monotonic()
        while more or self._pending or self._ready:
            if more and self._has_room():
                intents = next(source, None)
                more = intents is not None
                if intents is not None:
                    self._keep(intents)
            if self._pending:
                self._turn(wait=not (more and self._has_room()))
            while self._ready:
                outcome = self._ready.popleft()
                if leftovers == 0:
                    yield outcome
                else:
                    leftovers -= 1
                    self.resumed.append(outcome)

    def resume(self) -> list[Outcome]:
        """Sends what an earlier run or iteration left unacknowledged, and takes what came of it."""
        deque(self.publish_many(()), maxlen=0)
        taken, self.resumed = self.resumed, []
        return taken

    def close(self) -> None:
        self._channel.close()
        self._outbox.close()

    def _has_room(self) -> bool:
        return not self._pending or self._next < min(self._pending) + self._window

    def _keep(self, intents: Iterable[Intent]) -> None:
        """Numbers and stores a request; it is sent afterwards."""
        self._connect()
        lines = [intent.rstrip(b"\r\n") if isinstance(intent, bytes) else encode(intent) for intent in intents]
        body = b"".join(line + b"\n" for line in lines)
        most, most_bytes = self._limits.get("lines", 4_096), self._limits.get("bytes", 2 << 20)
        if not 1 <= len(lines) <= most or body.count(b"\n") != len(lines) or len(body) > most_bytes:
            raise ValueError(f"a request has 1 to {most} intents, a line each, in {most_bytes} bytes: "
                             f"not {len(lines)} in {len(body)} bytes and {body.count(10)} lines")
        self._outbox.add(self._next, body)
        self._pending[self._next] = body
        self._next += 1

    def _connect(self) -> None:
        """Says hello on a new socket, and takes over what the broker knows of this publisher."""
        if self._connected:
            return
        self._channel.reset()
        hello = decode(self._channel.ask("hello", {"publisher": self.name}), "hello")
        if 1 not in hello["versions"]:
            raise RationError(f"this client speaks version 1, the broker {hello['versions']}")
        self.log, self._limits = hello["log"], hello.get("limits", {})
        self._window = hello["window"] if self.name else 1
        self._reconcile(hello["last"])
        self._connected, self._going_back, self._unanswered = True, False, 0

    def _reconcile(self, last: Optional[int]) -> None:
        """Sets where to send from; a publisher that the broker does not know starts anew at 1. A log that was restored from a
        backup may lack what another one has acknowledged: it goes on behind the number that this one has."""
        known = self._outbox.log()
        if last is None:
            self._pending = dict(enumerate(self._pending.values(), 1))
            self._outbox.renumber(self._pending)
        elif self._pending and min(self._pending) > last + 1 and known not in (None, self.log):
            self._pending = dict(enumerate(self._pending.values(), last + 1))
            self._outbox.renumber(self._pending)
        elif self._pending and min(self._pending) > last + 1:
            raise Unreconciled(f"the last request of publisher {self.name!r} in log {self.log!r} is {last}, but the oldest "
                               f"unacknowledged one in the outbox is {min(self._pending)}")
        self._next, self._cursor = max(last or 0, *self._pending, 0) + 1, 0
        if known != self.log:
            self._outbox.agree(self.log)

    def _turn(self, wait: bool) -> None:
        """Sends what may be sent and takes what has come; `wait`: until something comes or is overdue."""
        self._connect()
        self._send()
        frames = self._channel.receive(self._channel.deadline if wait else 0.0)
        if frames is None and wait:
            self._fail(f"no answer within {self._channel.deadline} s")
            self._connected = False
        while frames is not None:
            self._answer(frames)
            frames = self._channel.receive(0.0) if self._connected else None

    def _send(self) -> None:
        if self._going_back and self._unanswered:
            return  # answers to what was sent too early are still on the way
        self._going_back = False
        end = min(self._pending) + self._window
        for number in [number for number in self._pending if self._cursor <= number < end]:
            if not self._channel.send([b"ration/1 publish", self.name.encode(), b"%d" % number, self._pending[number]], 0.0):
                return
            self._unanswered += 1
            self._cursor = number + 1

    def _answer(self, frames: list[bytes]) -> None:
        self._unanswered -= 1
        try:
            outcome: Outcome = Acknowledgement(int(frames[1]), decode(frames, "ack"))
        except Refusal as refusal:
            outcome = refusal
        if outcome.number not in self._pending:
            return  # answered before
        if isinstance(outcome, Acknowledgement) or not self._is_open(outcome):
            self._settle(outcome)

    def _is_open(self, refusal: Refusal) -> bool:
        """Whether the request still has to be decided; then this has arranged for it."""
        if refusal.code in UNDECIDED:
            self._connected = False
            raise refusal
        if refusal.code in PASSING:
            self._go_back(refusal.number, str(refusal))
        elif refusal.code == "outOfOrder" and refusal.details["expected"] >= min(self._pending):
            self._go_back(refusal.details["expected"], str(refusal))
        elif refusal.code == "outOfOrder":  # not the broker that said hello: another hello tells what this one knows
            self._fail(str(refusal))
            self._connected = False
        else:
            return False
        return True

    def _settle(self, outcome: Outcome) -> None:
        """Takes the outcome of the oldest request; one of a later request says that an answer was lost."""
        if outcome.number != min(self._pending):
            self._go_back(min(self._pending), "an answer was lost")
            return
        if isinstance(outcome, Refusal) and outcome.code == "alreadyCommitted":
            outcome = Acknowledgement(outcome.number, {})
        self._outbox.remove(outcome.number)
        del self._pending[outcome.number]
        self._ready.append(outcome)
        self._failures, self._progress_at = 0, time.monotonic()

    def _go_back(self, number: int, reason: str) -> None:
        """Sends again from `number`, once all that is in flight has been answered."""
        self._cursor = min(self._cursor, number)
        if not self._going_back:
            self._going_back = True
            self._fail(reason)

    def _fail(self, reason: str) -> None:
        """Waits, longer after each failure, or gives up."""
        if self._give_up is not None and time.monotonic() - self._progress_at >= self._give_up:
            self._connected = False
            raise Unreachable(f"{reason}; no progress for {self._give_up} s, {len(self._pending)} requests are kept")
        time.sleep(pause(self._failures))
        self._failures += 1


class Position(NamedTuple):
    """Where a reader stands: all up to the sequence `after` is read. Keep it together with what was made of the events."""

    log: Optional[str] = None  # None: whichever log there is
    after: int = 0  # 0: from the oldest that is kept


class Page(NamedTuple):
    """An answer to `read`: `next` is the next position, `first` the oldest event that is kept, `last` the newest."""

    log: str
    first: int
    last: int
    next: int
    events: list[Event]


class Reader:
    """Reads the event log and asks the broker. queries: its endpoint; deadline, give_up: as for Publisher."""

    def __init__(self, queries: str, *, deadline: float = 5.0, give_up: Optional[float] = None) -> None:
        self._channel = Channel(queries, deadline, give_up)

    def read(self, after: int, log: Optional[str] = None, *, kinds: Iterable[str] = (), types: Iterable[str] = (),
             apps: Iterable[str] = (), devices: Iterable[str] = (), most: int = 1_000, most_bytes: int = 1 << 20,
             wait: float = 0.0) -> Page:
        """One page of the events after a sequence that fit all named filters; `wait`: seconds to wait for one.
        Raises Refusal `cursorAhead` when the position is past the end or of another log."""
        named = {"log": log, "kinds": list(kinds), "types": list(types), "apps": list(apps), "devices": list(devices)}
        body = {"after": after, "most": most, "mostBytes": most_bytes, "waitMs": int(wait * 1_000)}
        frames = self._channel.ask("read", {**body, **{key: value for key, value in named.items() if value}}, wait)
        events = [json.loads(line) for line in b"".join(frames[3:4]).splitlines()]
        return Page(*map(json.loads(frames[2]).__getitem__, ("log", "first", "last", "next")), events)

    def iterate(self, after: int, log: Optional[str] = None, **filters: Any) -> Iterator[Event]:
        """The events after a sequence up to the end that the log had at the beginning; filters as for `read`."""
        end = None
        while end is None or after < end:
            page = self.read(after, log, **filters)
            check_kept(page, after)
            log, end, after = page.log, end or page.last, page.next
            yield from page.events

    def ask(self, name: str, **body: Any) -> Mapping[str, Any]:
        """Any other query of wire.md."""
        return decode(self._channel.ask(name, body), name)

    def plan(self, app: str, device: str) -> Mapping[str, Any]:
        """What one recipient holds and what waits: `sequence`, `held`, `queued`."""
        return self.ask("plan", app=app, device=device)

    def status(self) -> Mapping[str, Any]:
        """The broker's counters, sequence range and revisions."""
        return self.ask("status")

    def close(self) -> None:
        self._channel.close()


def check_kept(page: Page, after: int) -> None:
    """Raises EventsGone when events after the sequence are no longer kept; 0 means from the oldest, whatever that is."""
    if 0 < after < page.first - 1:
        raise EventsGone(f"the {page.first - 1 - after} events after {after} are no longer kept: go on at {page.first}")


class Tail:
    """Iterates over events as they happen: none twice, none left out, in order of sequence.

    Live events come over `events`. What does not follow on the last one, or is missing when a heartbeat tells the log's
    end, is read from the log over `queries`, so a lost event costs time only. kinds, types, apps, devices: only events
    that fit all that are named. position: where to go on; None: from now. deadline, give_up: as for Publisher."""

    def __init__(self, events: str, queries: str, kinds: Iterable[str] = (), types: Iterable[str] = (),
                 apps: Iterable[str] = (), devices: Iterable[str] = (), position: Optional[Position] = None, *,
                 deadline: float = 5.0, give_up: Optional[float] = None) -> None:
        self._filters = {"kinds": frozenset(kinds), "types": frozenset(types), "apps": frozenset(apps),
                         "devices": frozenset(devices)}
        self._reader, self._live = Reader(queries, deadline=deadline, give_up=give_up), connected(zmq.SUB, events)
        for topic in self._topics():
            self._live.subscribe(topic)
        self._ready: deque[Event] = deque()
        start = position or Position()
        try:
            page = self._read(start.log, start.after, most=1)
        except BaseException:
            self.close()
            raise
        self._log, self._end = page.log, page.last
        self._given = self._taken = start.after if position else page.last  # handed out; handed out or ready

    @property
    def position(self) -> Position:
        """Behind the last event that was handed out."""
        return Position(self._log, self._given if self._ready else self._taken)

    def __iter__(self) -> Tail:
        return self

    def __next__(self) -> Event:
        event = self.next_event()
        assert event is not None
        return event

    def next_event(self, seconds: Optional[float] = None) -> Optional[Event]:
        """The next event, or None when the broker had none for about `seconds`. Raises LogChanged and EventsGone; after
        the latter the next call goes on with the oldest event that is kept."""
        until = float("inf") if seconds is None else time.monotonic() + seconds
        wait = 0.0
        while not self._ready:
            left = max(0.0, until - time.monotonic())
            if self._taken < self._end:
                before = self._taken
                self._fill(wait)
                wait = 0.0 if self._taken > before else 0.2
            elif self._live.poll(int(min(left, 1.0) * 1_000)):  # a signal just before a poll waits for its end
                self._take(*self._live.recv_multipart())
            elif left == 0.0:
                return None
        event = self._ready.popleft()
        self._given = int(event["sequence"])
        return event

    def close(self) -> None:
        self._live.close()
        self._reader.close()

    def _topics(self) -> set[str]:
        """Prefixes of `kind/type/app` that leave out no event that fits; a type that no policy names is `unknown` there."""
        kinds, types, apps = (sorted(self._filters[name]) for name in ("kinds", "types", "apps"))
        if not kinds:
            return {"", "heartbeat"}
        if not types:
            return {"heartbeat", *(f"{kind}/" for kind in kinds)}
        pairs = itertools.product(kinds, [*types, "unknown"])
        return {"heartbeat", *(f"{kind}/{type}/{app}" for (kind, type), app in itertools.product(pairs, apps or [""]))}

    def _fits(self, event: Event) -> bool:
        data = event["data"]
        return all(not wanted or data.get(name[:-1]) in wanted for name, wanted in self._filters.items())

    def _take(self, topic: bytes, sequence: bytes, rest: bytes) -> None:
        """A live message: the event if it follows on what was taken, else only the news of how far the log goes."""
        number, event = int(sequence), None if topic == b"heartbeat" else json.loads(rest)
        self._check_log(rest.decode() if event is None else event["source"].removeprefix("/ration/"))
        self._end = max(self._end, number)
        if event is not None and number == self._taken + 1:
            self._taken = number
            if self._fits(event):
                self._ready.append(event)

    def _fill(self, wait: float) -> None:
        page = self._read(self._log, self._taken, wait=wait, **self._filters)
        try:
            check_kept(page, self._taken)
        except EventsGone:
            self._taken = page.first - 1
            raise
        self._ready.extend(event for event in page.events if int(event["sequence"]) > self._taken)
        self._taken = max(self._taken, page.next)

    def _read(self, log: Optional[str], after: int, **options: Any) -> Page:
        try:
            return self._reader.read(after, log, **options)
        except Refusal as refusal:
            if refusal.code == "cursorAhead" and log is not None:
                self._check_log(self._reader.read(0, most=1).log, log)
            raise

    def _check_log(self, found: str, known: Optional[str] = None) -> None:
        if found != (known or self._log):
            raise LogChanged(f"the log was {known or self._log!r} and is now {found!r}")


def run_publish(options: argparse.Namespace) -> bool:
    """Publishes lines; whether nothing of them was rejected or refused."""
    files = [open(path, "rb") for path in options.files] or [sys.stdin.buffer]
    lines = (line for line in itertools.chain.from_iterable(files) if line.strip())
    requests = iter(lambda: list(itertools.islice(lines, options.lines)), [])
    clean = True
    with closing(Publisher(options.intents, options.publisher, options.outbox, give_up=options.give_up)) as publisher:
        for outcome in itertools.chain(publisher.resume(), publisher.publish_many(requests)):
            show({"number": outcome.number, **(outcome.details if isinstance(outcome, Refusal) else outcome.data)})
            clean = clean and isinstance(outcome, Acknowledgement) and "r" not in outcome.outcomes
    return clean


def run_query(options: argparse.Namespace) -> bool:
    """Answers tail, read, plan and status."""
    filters = {name + "s": getattr(options, name, ()) for name in ("kind", "type", "app", "device")}
    with closing(Reader(options.queries, give_up=options.give_up)) as reader:
        if options.command == "plan":
            show(reader.plan(options.app, options.device))
        elif options.command == "status":
            show(reader.status())
        elif options.command == "read":
            for event in reader.iterate(options.after or 0, options.log, **filters):
                show(event)
        else:
            start = None if options.after is None else Position(options.log, options.after)
            tail = Tail(options.events, options.queries, position=start, give_up=options.give_up, **filters)
            with closing(tail):
                for event in tail:
                    show(event)
    return True


def show(value: Mapping[str, Any]) -> None:
    print(encode(value).decode(), flush=True)


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="ration.py", description="Ration from the command line, over the wire alone.")
    commands = parser.add_subparsers(dest="command", required=True)
    publish = commands.add_parser("publish", help="publish intents, a line of JSON each; prints the acknowledgements")
    publish.add_argument("files", nargs="*", help="files of lines; none: standard input")
    publish.add_argument("--intents", default="tcp://127.0.0.1:7464")
    publish.add_argument("--publisher", default="", help="stable name; none: no duplicate detection")
    publish.add_argument("--outbox", help="file for what is unacknowledged")
    publish.add_argument("--lines", type=int, default=256, help="intents in a request")
    helps = {"tail": "print events as they happen", "read": "print the event log to its end",
             "plan": "what a recipient holds and what waits", "status": "how the broker is"}
    for name, text in helps.items():
        command = commands.add_parser(name, help=text)
        command.add_argument("--queries", default="tcp://127.0.0.1:7466")
        if name == "plan":
            command.add_argument("app")
            command.add_argument("device")
        if name in ("tail", "read"):
            for word in ("kind", "type", "app", "device"):
                command.add_argument("--" + word, action="append", default=[], help="only this; may be repeated")
            command.add_argument("--after", type=int, help="the sequence to go on after; 0: the oldest that is kept")
            command.add_argument("--log", help="the log that the sequence belongs to")
        if name == "tail":
            command.add_argument("--events", default="tcp://127.0.0.1:7465")
    for command in commands.choices.values():
        command.add_argument("--give-up", type=float, metavar="SECONDS", help="without progress; else it tries for ever")
    return parser


def main() -> int:
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells let what runs in the background ignore it
    options = arguments().parse_args()
    try:
        return 0 if (run_publish if options.command == "publish" else run_query)(options) else 1
    except KeyboardInterrupt:
        return 130
    except (RationError, ValueError, OSError) as error:
        print(f"ration.py {options.command}: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
