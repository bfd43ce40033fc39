"""The client against a broker that follows the wire protocol to the letter, in a thread of its own, over real sockets."""
from __future__ import annotations

import hashlib
import json
import os
import queue
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from contextlib import closing
from pathlib import Path
from unittest import mock

import zmq

import ration
from ration import (Acknowledgement, EventsGone, LogChanged, Position, Publisher, RationError, Reader, Refusal, Tail,
                    Unreachable, Unreconciled)

HERE = Path(__file__).parent
WINDOW = 64


class Disk:
    """What a broker has committed, and how it is told to misbehave. It outlives the broker's runs."""

    def __init__(self, log="log-1"):
        self.log, self.first, self.events, self.publishers = log, 1, [], {}
        self.applied = []  # (publisher, number, body), in the order of commits
        self.seen = []  # numbers in the order in which they came, taken or not
        self.drop = set()  # numbers whose next acknowledgement is lost
        self.codes = {}  # number -> refusals to answer with before it is taken
        self.refuse = {}  # number -> a refusal that uses up the number
        self.hellos = []  # refusals to answer hellos with first
        self.on_publish = lambda number: None  # called before anything else is done with a request
        self.limits = {"lines": 4096, "bytes": 2 << 20}
        self.window, self.reads, self.page = WINDOW, 0, 1000


class Broker:
    """One run of a broker on a folder for its sockets and a disk."""

    def __init__(self, folder, disk):
        self.disk, self.context, self.calls = disk, zmq.Context(), queue.Queue()
        self.endpoints = {name: f"ipc://{folder}/{name}" for name in ("intents", "events", "queries")}
        kinds = {"intents": zmq.ROUTER, "events": zmq.PUB, "queries": zmq.ROUTER}
        self.sockets = {name: self.context.socket(kind) for name, kind in kinds.items()}
        for name, socket in self.sockets.items():
            socket.setsockopt(zmq.LINGER, 0)
            socket.bind(self.endpoints[name])
        self.inside, self.outside = self.context.socket(zmq.PULL), self.context.socket(zmq.PUSH)
        self.inside.bind("inproc://calls")
        self.outside.connect("inproc://calls")
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def do(self, call):
        """Runs a call in the broker's thread, between two messages, and gives what it returned."""
        answer = queue.Queue()
        self.calls.put((call, answer))
        self.outside.send(b"")
        return answer.get(timeout=10)

    def stop(self):
        """As a crash: nothing is drained. Its sockets are gone when this returns."""
        self.calls.put((None, None))
        self.outside.send(b"")
        self.thread.join(10)
        self.outside.close()
        self.context.term()

    def run(self):
        poller = zmq.Poller()
        for socket in (self.inside, self.sockets["intents"], self.sockets["queries"]):
            poller.register(socket, zmq.POLLIN)
        while True:
            ready = dict(poller.poll())
            if self.inside in ready:
                self.inside.recv()
                call, answer = self.calls.get()
                if call is None:
                    break
                answer.put(call())
            for name in ("intents", "queries"):
                if self.sockets[name] in ready:
                    route, kind, *frames = self.sockets[name].recv_multipart()
                    answers = getattr(self, kind.decode().replace("ration/1 ", "on_"))(*frames)
                    if answers is not None:
                        self.sockets[name].send_multipart([route, *answers])
        for socket in [self.inside, *self.sockets.values()]:
            socket.close()

    def on_hello(self, number, body):
        if self.disk.hellos:
            return error(number, self.disk.hellos.pop(0))
        known = self.disk.publishers.get(json.loads(body)["publisher"])
        hello = {"versions": [1], "log": self.disk.log, "limits": self.disk.limits, "window": self.disk.window,
                 "last": known and known["last"], "server": "fake"}
        return [b"ration/1 hello", number, ration.encode(hello)]

    def on_publish(self, publisher, number, body):
        disk, name, value = self.disk, publisher.decode(), int(number)
        disk.on_publish(value)
        disk.seen.append(value)
        if disk.codes.get(value):
            return error(number, disk.codes[value].pop(0))
        if name == "":
            return self.commit(name, number, body)
        known = disk.publishers.setdefault(name, {"last": None, "acks": {}})
        last, digest = known["last"] or 0, hashlib.sha256(body).digest()
        if value > last + 1:
            return error(number, "outOfOrder", expected=last + 1)
        if value <= last:
            if value not in known["acks"] or value <= last - WINDOW:
                return error(number, "alreadyCommitted")
            kept, answer = known["acks"][value]
            return answer if kept == digest else error(number, "numberReused")
        answer = error(number, disk.refuse[value]) if value in disk.refuse else self.commit(name, number, body)
        known["last"] = value
        known["acks"][value] = (digest, answer)
        if value in disk.drop:
            disk.drop.remove(value)
            return None
        return answer

    def commit(self, name, number, body):
        lines = body.splitlines()
        self.disk.applied.append((name, int(number), body))
        for line in lines:
            self.happen(json.loads(line))
        ack = {"log": self.disk.log, "batch": len(self.disk.applied), "now": "2026-12-01T08:00:00.000Z",
               "outcomes": "".join("r" if b"reject" in line else "h" for line in lines), "problems": []}
        return [b"ration/1 ack", number, ration.encode(ack)]

    def happen(self, intent, live=True):
        """One event, committed and then sent live."""
        number = self.disk.first + len(self.disk.events)
        data = {"kind": intent.get("kind", "accepted"), "app": intent.get("app", "a"), "device": intent.get("device", "d"),
                "id": intent.get("id", "n"), "type": intent.get("type", "habit")}
        sequence = f"{number:020}"
        event = {"specversion": "1.0", "id": sequence, "sequence": sequence, "source": f"/ration/{self.disk.log}", "data": data}
        self.disk.events.append(event)
        topic = f"{data['kind']}/{intent.get('topic', data['type'])}/{data['app']}"
        if live:
            self.sockets["events"].send_multipart([topic.encode(), sequence.encode(), ration.encode(event)])

    def beat(self):
        last = self.disk.first + len(self.disk.events) - 1
        self.sockets["events"].send_multipart([b"heartbeat", f"{last:020}".encode(), self.disk.log.encode()])

    def trim(self, count):
        del self.disk.events[:count]
        self.disk.first += count

    def on_read(self, number, body):
        asked, disk = json.loads(body), self.disk
        disk.reads += 1
        last = disk.first + len(disk.events) - 1
        if asked.get("log") not in (None, disk.log) or asked["after"] > last:
            return error(number, "cursorAhead")
        start = max(asked["after"], disk.first - 1)
        scanned = disk.events[start - disk.first + 1:][:min(asked["most"], disk.page)]
        fits = [event for event in scanned if all(
            not asked.get(name + "s") or event["data"][name] in asked[name + "s"] for name in ("kind", "type", "app", "device"))]
        head = {"log": disk.log, "first": disk.first, "last": last, "next": start + len(scanned)}
        return [b"ration/1 read", number, ration.encode(head), b"".join(ration.encode(event) + b"\n" for event in fits)]

    def on_plan(self, number, body):
        return [b"ration/1 plan", number, ration.encode({**json.loads(body), "sequence": 7, "held": [], "queued": []})]

    def on_status(self, number, body):
        if self.disk.hellos:
            return error(number, self.disk.hellos.pop(0))
        return [b"ration/1 status", number, b'{"batches":1}']

    def on_explain(self, number, body):
        return error(number, "unknown")


def error(number, code, **more):
    return [b"ration/1 error", number, ration.encode({"code": code, "message": f"it is {code}", **more})]


def intents(*ids):
    return [{"op": "schedule", "app": "a", "device": "d", "id": str(id)} for id in ids]


class Case(unittest.TestCase):
    """A folder, a disk, a running broker, and clients that are closed at the end."""

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.disk = Disk()
        self.broker = Broker(self.folder, self.disk)
        self.addCleanup(lambda: self.broker.stop())
        self.enterContext(mock.patch.object(ration, "pause", lambda attempt: 0.001))

    if not hasattr(unittest.TestCase, "enterContext"):  # Python before 3.11
        def enterContext(self, manager):
            self.addCleanup(manager.__exit__, None, None, None)
            return manager.__enter__()

    def restart(self):
        self.broker.stop()
        self.broker = Broker(self.folder, self.disk)

    def publisher(self, name="p", outbox=None, deadline=5.0, give_up=20.0):
        path = outbox and os.path.join(self.folder, outbox)
        made = Publisher(self.broker.endpoints["intents"], name, path, deadline=deadline, give_up=give_up)
        self.addCleanup(made.close)
        return made

    def reader(self, **options):
        made = Reader(self.broker.endpoints["queries"], give_up=20.0, **options)
        self.addCleanup(made.close)
        return made

    def applied(self, name="p"):
        """The numbers that were committed, in order, and with them the ids."""
        return [(number, [json.loads(line)["id"] for line in body.splitlines()])
                for publisher, number, body in self.disk.applied if publisher == name]


class PublisherTests(Case):
    def test_numbers_rise_by_one_from_one_and_each_request_gets_its_acknowledgement(self):
        publisher = self.publisher()
        outcomes = [publisher.publish(intents("x", "reject")), publisher.publish(intents("y"))]
        self.assertEqual([(outcome.number, outcome.outcomes) for outcome in outcomes], [(1, "hr"), (2, "h")])
        self.assertEqual((publisher.log, publisher.unacknowledged), ("log-1", 0))

    def test_many_requests_are_pipelined_within_the_window_and_acknowledged_in_order(self):
        self.disk.window = 8
        publisher, taken = self.publisher(), []

        def requests():
            for id in range(300):
                self.assertLessEqual(publisher.unacknowledged, 8 - 1)
                taken.append(publisher.unacknowledged)
                yield intents(id)
        outcomes = list(publisher.publish_many(requests()))
        self.assertEqual([outcome.number for outcome in outcomes], list(range(1, 301)))
        self.assertEqual(self.applied(), [(id + 1, [str(id)]) for id in range(300)])
        self.assertGreater(max(taken), 1)

    def test_a_publisher_goes_on_after_the_last_number_that_the_broker_knows(self):
        self.disk.publishers["p"] = {"last": 41, "acks": {}}
        self.assertEqual(self.publisher().publish(intents("x")).number, 42)

    def test_lost_acknowledgements_are_asked_for_again_and_nothing_is_applied_twice(self):
        self.disk.drop = {1, 5, 20, 40}
        outcomes = list(self.publisher(deadline=0.2).publish_many(intents(id) for id in range(40)))
        self.assertEqual([outcome.number for outcome in outcomes], list(range(1, 41)))
        self.assertEqual([outcome.outcomes for outcome in outcomes], ["h"] * 40)
        self.assertEqual(self.applied(), [(id + 1, [str(id)]) for id in range(40)])

    def test_busy_full_and_stopping_use_up_no_number(self):
        self.disk.codes = {1: ["busy"], 3: ["full", "stopping", "busy"], 4: ["busy"]}
        self.disk.hellos = ["busy", "stopping"]
        outcomes = list(self.publisher().publish_many(intents(id) for id in range(10)))
        self.assertEqual([outcome.number for outcome in outcomes], list(range(1, 11)))
        self.assertEqual(self.applied(), [(id + 1, [str(id)]) for id in range(10)])

    def test_going_back_waits_for_what_is_in_flight_so_that_refusals_do_not_multiply(self):
        self.disk.codes = {1: ["busy"] * 5}
        self.disk.on_publish = lambda number: threading.Event().wait(0.002)  # a broker that is slow to refuse
        list(self.publisher().publish_many(intents(id) for id in range(64)))
        self.assertLessEqual(len(self.disk.seen), 6 * 64)

    def test_a_broker_that_asks_for_an_earlier_number_gets_it_from_there_on(self):
        publisher = self.publisher(deadline=0.2)

        def lose(number):
            if number == 3:  # as if the commit of 2 and its acknowledgement had been lost
                self.disk.on_publish = lambda number: None
                self.disk.publishers["p"]["last"] = 1
                self.disk.applied.pop()
        self.disk.on_publish, self.disk.drop = lose, {2}
        outcomes = list(publisher.publish_many(intents(id) for id in range(6)))
        self.assertEqual([outcome.number for outcome in outcomes], list(range(1, 7)))
        self.assertEqual(self.applied(), [(id + 1, [str(id)]) for id in range(6)])

    def test_a_broker_that_restarts_with_its_state_gets_what_it_had_not_taken(self):
        publisher = self.publisher(outbox="o", deadline=0.3)
        requests, outcomes = (intents(id) for id in range(200)), []
        for outcome in publisher.publish_many(requests):
            outcomes.append(outcome.number)
            if outcome.number in (50, 120):
                self.restart()
        self.assertEqual(outcomes, list(range(1, 201)))
        self.assertEqual(self.applied(), [(id + 1, [str(id)]) for id in range(200)])

    def test_a_broker_with_a_new_log_gets_the_outbox_from_one(self):
        self.disk.publishers["p"] = {"last": 41, "acks": {}}
        self.disk.drop = {42, 43, 44}
        first = self.publisher(outbox="o", deadline=0.5, give_up=0.0)
        with self.assertRaises(Unreachable):
            list(first.publish_many(intents(id) for id in range(3)))
        self.assertEqual(first.unacknowledged, 3)
        self.broker.stop()
        self.disk = Disk("log-2")
        self.broker = Broker(self.folder, self.disk)
        first._give_up = 20.0
        self.assertEqual([outcome.number for outcome in first.resume()], [1, 2, 3])
        self.assertEqual(first.publish(intents("new")).number, 4)
        self.assertEqual((self.applied(), first.log), ([(1, ["0"]), (2, ["1"]), (3, ["2"]), (4, ["new"])], "log-2"))

    def test_a_running_publisher_notices_a_broker_that_has_forgotten_it(self):
        publisher = self.publisher()
        publisher.publish(intents("x"))
        self.broker.do(lambda: (self.disk.publishers.clear(), setattr(self.disk, "log", "log-2")))
        self.assertEqual(publisher.publish(intents("y")).number, 1)
        self.assertEqual((self.applied(), publisher.log), ([(1, ["x"]), (1, ["y"])], "log-2"))

    def test_late_answers_are_not_taken_for_answers_on_the_next_connection(self):
        late = iter([0.7])
        self.disk.on_publish = lambda number: number == 1 and threading.Event().wait(next(late, 0))
        outcomes = list(self.publisher(deadline=0.5).publish_many(intents(id) for id in range(10)))
        self.assertEqual([outcome.number for outcome in outcomes], list(range(1, 11)))
        self.assertEqual(self.applied(), [(id + 1, [str(id)]) for id in range(10)])

    def test_an_outbox_survives_its_process_and_is_sent_first(self):
        self.disk.drop = {2, 3}
        first = self.publisher(outbox="o", deadline=0.5, give_up=0.0)
        first.publish(intents("one"))
        with self.assertRaises(Unreachable):
            list(first.publish_many([intents("two"), intents("three")]))
        first.close()
        second = self.publisher(outbox="o")
        self.assertEqual(second.unacknowledged, 2)
        self.assertEqual(second.publish(intents("four")).number, 4)
        self.assertEqual([outcome.number for outcome in second.resumed], [2, 3])
        self.assertEqual(self.applied(), [(1, ["one"]), (2, ["two"]), (3, ["three"]), (4, ["four"])])

    def test_a_request_that_was_forgotten_as_decided_counts_as_acknowledged_without_details(self):
        self.disk.drop = {1}
        first = self.publisher(outbox="o", deadline=0.5, give_up=0.0)
        with self.assertRaises(Unreachable):
            first.publish(intents("x"))
        first.close()
        self.broker.do(lambda: self.disk.publishers["p"].update(last=200, acks={}))
        second = self.publisher(outbox="o")
        self.assertEqual(second.resume(), [Acknowledgement(1, {})])
        self.assertEqual(second.publish(intents("y")).number, 201)

    def test_numbers_and_bytes_are_stored_before_they_are_sent(self):
        box = os.path.join(self.folder, "o")
        command = subprocess.Popen(
            [sys.executable, HERE / "ration.py", "publish", "--intents", self.broker.endpoints["intents"], "--publisher", "p",
             "--outbox", box, "--lines", "1", "--give-up", "20"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.disk.on_publish = lambda number: os.kill(command.pid, signal.SIGKILL) if number == 7 else None
        command.communicate(b"".join(ration.encode(intent) + b"\n" for intent in intents(*range(10))), timeout=20)
        self.assertEqual(command.returncode, -signal.SIGKILL)
        self.broker.do(lambda: setattr(self.disk, "on_publish", lambda number: None))
        with closing(sqlite3.connect(box)) as database:
            kept = dict(database.execute("SELECT number, body FROM unacknowledged"))
        self.assertEqual(kept[7], ration.encode(intents(6)[0]) + b"\n")
        second = self.publisher(outbox="o")
        left = [outcome.number for outcome in second.resume()]
        self.assertEqual(left, sorted(kept))
        self.assertEqual(self.applied(), [(number, [str(number - 1)]) for number in range(1, left[-1] + 1)])

    def test_a_second_process_cannot_open_the_same_outbox(self):
        first = self.publisher(outbox="o")
        with self.assertRaisesRegex(RationError, "one process at a time"):
            Publisher(self.broker.endpoints["intents"], "p", os.path.join(self.folder, "o"))
        first.publish(intents("x"))

    def test_a_number_that_another_used_is_an_error_and_the_request_is_kept(self):
        self.disk.publishers["p"] = {"last": 41, "acks": {}}
        first, second = self.publisher(outbox="o"), self.publisher()
        first._connect()
        second.publish(intents("other"))
        with self.assertRaises(Refusal) as raised:
            first.publish(intents("mine"))
        self.assertEqual((raised.exception.code, raised.exception.number, first.unacknowledged), ("numberReused", 42, 1))

    def test_an_outbox_with_a_hole_before_it_is_not_sent(self):
        self.disk.drop = {1}
        first = self.publisher(outbox="o", deadline=0.5, give_up=0.0)
        with self.assertRaises(Unreachable):
            first.publish(intents("x"))
        first._outbox.renumber({5: b"{}\n"})
        first.close()
        second = self.publisher(outbox="o")
        with self.assertRaisesRegex(Unreconciled, "is 1, but the oldest unacknowledged one in the outbox is 5"):
            second.publish(intents("y"))
        self.assertEqual((second.unacknowledged, self.disk.seen), (1, [1]))

    def test_after_a_restore_an_outbox_goes_on_behind_the_number_that_the_new_log_has(self):
        self.disk.drop = {1}
        first = self.publisher(outbox="o", deadline=0.5, give_up=0.0)
        with self.assertRaises(Unreachable):
            first.publish(intents("x"))
        first._outbox.renumber({5: b"{}\n"})
        first.close()
        self.disk.log = "restored"
        second = self.publisher(outbox="o")
        second.publish(intents("y"))
        self.assertEqual((second.unacknowledged, second.log, self.disk.publishers["p"]["last"]), (0, "restored", 3))

    def test_a_whole_request_that_is_refused_uses_up_its_number_and_is_told(self):
        self.disk.refuse = {1: "tooLarge", 3: "malformed"}
        publisher = self.publisher(outbox="o")
        with self.assertRaises(Refusal) as raised:
            publisher.publish(intents("large"))
        self.assertEqual((raised.exception.code, raised.exception.message), ("tooLarge", "it is tooLarge"))
        outcomes = list(publisher.publish_many(intents(id) for id in "abc"))
        self.assertEqual([(outcome.number, type(outcome)) for outcome in outcomes],
                         [(2, Acknowledgement), (3, Refusal), (4, Acknowledgement)])
        self.assertEqual(publisher.unacknowledged, 0)

    def test_requests_over_the_limits_are_refused_here_and_use_up_no_number(self):
        self.disk.limits = {"lines": 2, "bytes": 200}
        publisher = self.publisher()
        for wrong in ([], intents(1, 2, 3), [{"op": "x" * 200}], [b'{}\n{}'], [{"x": float("nan")}]):
            with self.assertRaises(ValueError):
                publisher.publish(wrong)
        self.assertEqual(publisher.publish(intents(1, 2)).number, 1)

    def test_without_a_name_requests_go_one_at_a_time_and_nothing_is_numbered(self):
        self.disk.codes = {2: ["busy"]}
        publisher = self.publisher(name="")
        self.assertEqual([outcome.outcomes for outcome in publisher.publish_many(intents(id) for id in range(5))], ["h"] * 5)
        self.assertEqual([ids for _, ids in self.applied("")], [[str(id)] for id in range(5)])
        with self.assertRaises(ValueError):
            self.publisher(name="", outbox="o")
        with self.assertRaises(ValueError):
            self.publisher(name="é" * 33)

    def test_without_a_broker_it_gives_up_when_told_to(self):
        publisher = Publisher(f"ipc://{self.folder}/nobody", "p", deadline=0.05, give_up=0.1)
        with closing(publisher), self.assertRaises(Unreachable):
            publisher.publish(intents("x"))
        self.assertEqual(publisher.unacknowledged, 0)

    def test_an_iteration_that_was_given_up_is_finished_by_the_next(self):
        publisher, ahead = self.publisher(), threading.Event()
        self.disk.on_publish = lambda number: number == 10 and ahead.wait(10)

        def requests():
            for id in range(1, 100):
                if id == 20:
                    ahead.set()
                yield intents(id)
        next(outcome for outcome in publisher.publish_many(requests()) if outcome.number == 10)
        last = publisher.publish(intents("last")).number
        self.assertGreater(last, 20)
        self.assertEqual([outcome.number for outcome in publisher.resumed], list(range(11, last)))
        self.assertEqual([number for number, _ in self.applied()], list(range(1, last + 1)))

    def test_under_faults_of_every_kind_each_request_is_applied_once_and_in_order(self):
        seed = int(os.environ.get("RATION_SEED", random.SystemRandom().randrange(1 << 32)))
        chance, count = random.Random(seed), 150
        self.disk.drop = set(chance.sample(range(1, count), 12))
        self.disk.codes = {number: chance.choices(["busy", "full", "stopping"], k=chance.randint(1, 3))
                           for number in chance.sample(range(1, count), 12)}
        restarts = set(chance.sample(range(1, count), 3))
        with self.subTest(seed=seed):
            outcomes = []
            for outcome in self.publisher(outbox="o", deadline=0.2).publish_many(intents(id) for id in range(count)):
                outcomes.append(outcome.number)
                if outcome.number in restarts:
                    self.restart()
            self.assertEqual(outcomes, list(range(1, count + 1)))
            self.assertEqual(self.applied(), [(id + 1, [str(id)]) for id in range(count)])


class PauseTests(unittest.TestCase):
    def test_pauses_double_with_jitter_up_to_five_seconds(self):
        for attempt in range(40):
            whole = min(5.0, 0.05 * 2 ** attempt)
            self.assertTrue(all(whole / 2 <= ration.pause(attempt) <= whole for _ in range(20)))
        self.assertGreater(len({ration.pause(3) for _ in range(20)}), 1)


class ReaderTests(Case):
    def happen(self, *events, **options):
        self.broker.do(lambda: [self.broker.happen(event, **options) for event in events])

    def test_a_page_says_where_to_go_on_also_when_the_filter_leaves_all_out(self):
        self.happen(*[{"id": str(id), "device": "d1"} for id in range(5)])
        page = self.reader().read(2, devices=["d2"])
        self.assertEqual((page.log, page.first, page.last, page.next, page.events), ("log-1", 1, 5, 5, []))
        page = self.reader().read(1, "log-1", devices=["d1"], most=2)
        self.assertEqual((page.next, [event["data"]["id"] for event in page.events]), (3, ["1", "2"]))

    def test_iterating_goes_through_all_pages_and_ends_at_the_end(self):
        self.disk.page = 7
        self.happen(*[{"id": str(id), "kind": ["due", "queued"][id % 2]} for id in range(50)])
        self.assertEqual([event["data"]["id"] for event in self.reader().iterate(0, kinds=["due"])],
                         [str(id) for id in range(0, 50, 2)])
        self.assertEqual(list(self.reader().iterate(50)), [])

    def test_a_position_that_is_no_longer_kept_is_told(self):
        self.happen(*[{} for _ in range(10)])
        self.broker.do(lambda: self.broker.trim(6))
        with self.assertRaisesRegex(EventsGone, "the 3 events after 3 are no longer kept: go on at 7"):
            list(self.reader().iterate(3))
        self.assertEqual(len(list(self.reader().iterate(6))), 4)
        self.assertEqual(len(list(self.reader().iterate(0))), 4)

    def test_plans_and_status_are_answered_and_errors_keep_their_code(self):
        self.disk.hellos = ["busy", "busy"]
        reader = self.reader()
        self.assertEqual(reader.status(), {"batches": 1})
        self.assertEqual(reader.plan("a", "d"), {"app": "a", "device": "d", "sequence": 7, "held": [], "queued": []})
        for code, call in (("unknown", lambda: reader.ask("explain")), ("cursorAhead", lambda: reader.read(9))):
            with self.assertRaises(Refusal) as raised:
                call()
            self.assertEqual(raised.exception.code, code)

    def test_an_answer_that_does_not_come_is_asked_for_again(self):
        calls = iter([None, [b"ration/1 status", b"999", b"{}"]])
        true = self.broker.on_status
        self.broker.on_status = lambda number, body: next(calls, true(number, body))
        self.assertEqual(self.reader(deadline=0.1).status(), {"batches": 1})


class TailTests(Case):
    def tail(self, **options):
        """A tail whose live connection stands: it has seen a heartbeat."""
        made = Tail(self.broker.endpoints["events"], self.broker.endpoints["queries"], give_up=20.0, **options)
        self.addCleanup(made.close)
        self.join(made)
        return made

    def join(self, tail):
        until = time.monotonic() + 20
        while not tail._live.poll(20):
            self.assertLess(time.monotonic(), until)
            self.broker.do(self.broker.beat)

    def happen(self, *events, **options):
        self.broker.do(lambda: [self.broker.happen(event, **options) for event in events])

    def beat(self):
        self.broker.do(self.broker.beat)

    def ids(self, tail, count):
        events = [tail.next_event(10) for _ in range(count)]
        self.assertNotIn(None, events)
        return [int(event["data"]["id"]) for event in events]

    def nothing_more(self, tail):
        """What comes next is what happens next: an event that passes every filter here."""
        self.happen({"id": "-1", "kind": "due", "type": "promo", "app": "a", "device": "d1", "topic": "unknown"})
        self.assertEqual(self.ids(tail, 1), [-1])

    def test_it_begins_now_and_follows_live_events_without_reading_the_log(self):
        self.happen(*[{"id": "0"}] * 5)
        tail = self.tail()
        reads = self.disk.reads
        self.happen(*[{"id": str(id)} for id in range(100)])
        self.assertEqual(self.ids(tail, 100), list(range(100)))
        self.assertEqual(self.disk.reads, reads)
        self.assertEqual(tail.position, Position("log-1", 105))
        self.assertIsNone(tail.next_event(0.0))

    def test_a_gap_between_live_events_is_read_from_the_log_in_order_and_nothing_comes_twice(self):
        tail = self.tail()
        self.happen({"id": "0"})
        self.happen({"id": "1"}, {"id": "2"}, live=False)
        self.happen({"id": "3"}, {"id": "4"})
        self.assertEqual(self.ids(tail, 5), [0, 1, 2, 3, 4])
        self.nothing_more(tail)

    def test_a_heartbeat_tells_of_the_last_events_that_were_lost(self):
        tail = self.tail()
        self.happen(*[{"id": str(id)} for id in range(3)], live=False)
        self.beat()
        self.assertEqual(self.ids(tail, 3), [0, 1, 2])
        self.nothing_more(tail)

    def test_it_goes_on_from_a_position_and_its_position_is_behind_the_last_event_given(self):
        self.disk.page = 4
        self.happen(*[{"id": str(id)} for id in range(10)])
        tail = self.tail(position=Position("log-1", 3))
        self.assertEqual((self.ids(tail, 2), tail.position.after), ([3, 4], 5))
        again = self.tail(position=tail.position)
        self.assertEqual(self.ids(again, 5), [5, 6, 7, 8, 9])
        self.assertEqual(self.ids(self.tail(position=Position()), 10), list(range(10)))

    def test_filters_hold_for_live_events_and_for_those_from_the_log(self):
        wanted = {"kind": "due", "type": "promo", "app": "a", "device": "d1"}
        others = [{**wanted, **other} for other in ({"kind": "queued"}, {"type": "habit"}, {"app": "ab"}, {"device": "d2"})]
        cases = [{name: [wanted[name[:-1]]] for name in names} for names in
                 (["kinds"], ["types"], ["kinds", "types", "apps"], ["devices"], ["kinds", "types", "apps", "devices"])]
        for filters in cases:
            with self.subTest(filters=filters):
                tail, mixed, expected = self.tail(**filters), [], []
                for id in range(60):
                    event = {**([wanted] + others)[id % 5], "id": str(id)}
                    mixed.append({**event, "topic": "unknown"} if event["type"] == "promo" else event)
                    if all(event[name[:-1]] in values for name, values in filters.items()):
                        expected.append(id)
                self.happen(*mixed[:30])
                self.happen(*mixed[30:45], live=False)
                self.happen(*mixed[45:])
                self.beat()
                self.assertEqual(self.ids(tail, len(expected)), expected)
                self.nothing_more(tail)

    def test_a_broker_that_restarts_loses_nothing_for_it(self):
        tail = self.tail()
        self.happen({"id": "0"})
        self.assertEqual(self.ids(tail, 1), [0])
        self.restart()
        self.happen({"id": "1"})
        self.join(tail)
        self.happen({"id": "2"})
        self.assertEqual(self.ids(tail, 2), [1, 2])

    def test_another_log_is_an_error_whether_a_heartbeat_an_event_or_a_position_tells(self):
        by_event, by_beat = self.tail(), self.tail()
        self.broker.do(lambda: setattr(self.disk, "log", "log-2"))
        self.happen({"id": "0"})
        with self.assertRaisesRegex(LogChanged, "was 'log-1' and is now 'log-2'"):
            by_event.next_event(10)
        self.beat()
        with self.assertRaises(LogChanged):
            by_beat.next_event(10)
        with self.assertRaises(LogChanged):
            self.tail(position=Position("log-1", 0))
        with self.assertRaises(Refusal) as raised:
            self.tail(position=Position("log-2", 99))
        self.assertEqual(raised.exception.code, "cursorAhead")

    def test_events_that_are_gone_are_told_and_then_it_goes_on(self):
        tail = self.tail()
        self.happen({"id": "0"})
        self.assertEqual(self.ids(tail, 1), [0])
        self.happen(*[{"id": str(id)} for id in range(1, 10)], live=False)
        self.broker.do(lambda: self.broker.trim(5))
        self.beat()
        with self.assertRaisesRegex(EventsGone, "the 4 events after 1"):
            tail.next_event(10)
        self.assertEqual(self.ids(tail, 5), [5, 6, 7, 8, 9])

    def test_random_losses_leave_no_hole_and_no_double(self):
        seed = int(os.environ.get("RATION_SEED", random.SystemRandom().randrange(1 << 32)))
        chance = random.Random(seed)
        with self.subTest(seed=seed):
            self.disk.page = 13
            tail = self.tail()
            for id in range(400):
                self.happen({"id": str(id)}, live=chance.random() < 0.8)
                if chance.random() < 0.1:
                    self.beat()
            self.beat()
            self.assertEqual(self.ids(tail, 400), list(range(400)))
            self.nothing_more(tail)


class CommandTests(Case):
    def run_command(self, *words, text=b""):
        return subprocess.run([sys.executable, HERE / "ration.py", *words], input=text, capture_output=True, timeout=30)

    def publish(self, ids, *words):
        text = b"".join(ration.encode(intent) + b"\n" for intent in intents(*ids))
        return self.run_command("publish", "--intents", self.broker.endpoints["intents"], *words, text=text)

    def test_publish_prints_an_acknowledgement_a_request_and_fails_when_anything_is_rejected(self):
        done = self.publish(range(5), "--publisher", "p", "--lines", "2")
        self.assertEqual((done.returncode, [json.loads(line)["outcomes"] for line in done.stdout.splitlines()]),
                         (0, ["hh", "hh", "h"]))
        self.assertEqual(self.publish(["ok", "reject"]).returncode, 1)

    def test_read_plan_and_status_print_lines_of_json(self):
        self.publish(range(3))
        queries = ["--queries", self.broker.endpoints["queries"]]
        done = self.run_command("read", *queries, "--after", "1", "--kind", "accepted")
        self.assertEqual([json.loads(line)["data"]["id"] for line in done.stdout.splitlines()], ["1", "2"])
        self.assertEqual(json.loads(self.run_command("plan", *queries, "a", "d").stdout)["sequence"], 7)
        self.assertEqual(json.loads(self.run_command("status", *queries).stdout), {"batches": 1})
        failed = self.run_command("read", *queries, "--after", "99")
        self.assertEqual((failed.returncode, failed.stdout), (1, b""))
        self.assertIn(b"cursorAhead", failed.stderr)

    def test_tail_prints_events_and_ends_on_an_interrupt(self):
        self.publish(range(3))
        command = [sys.executable, HERE / "ration.py", "tail", "--after", "0", "--events", self.broker.endpoints["events"],
                   "--queries", self.broker.endpoints["queries"]]
        tail = self.enterContext(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        self.addCleanup(tail.kill)
        self.assertEqual([json.loads(tail.stdout.readline())["data"]["id"] for _ in range(3)], ["0", "1", "2"])
        tail.send_signal(signal.SIGINT)
        self.assertEqual((tail.wait(20), tail.stderr.read()), (130, b""))

    def test_every_command_explains_itself(self):
        for name in ("publish", "tail", "read", "plan", "status"):
            done = self.run_command(name, "--help")
            self.assertEqual((done.returncode, b"--give-up" in done.stdout), (0, True))


if __name__ == "__main__":
    unittest.main()
