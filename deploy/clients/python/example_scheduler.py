#!/usr/bin/env python3
"""A scheduler in some 40 lines: reminds of appointments an hour before. It keeps no state: what is pending it asks the broker.

    example_scheduler.py FACTS.db INTENTS QUERIES [SECONDS]   # SECONDS between two runs, 60
"""
import sqlite3
import sys
import time
from contextlib import closing
from datetime import datetime, timedelta, timezone

from ration import Publisher, Reader, Refusal

PREFIX = "com.myapp.appointment."  # what our ids begin with; no other service uses it


def wanted(facts, now):
    """What should be pending: for each recipient its intents by id, None for those whose date has come already."""
    recipients = {recipient: {} for recipient in facts.execute("SELECT app, device FROM devices")}
    for app, device, key, title, text in facts.execute("SELECT app, device, id, title, at FROM appointments"):
        at = datetime.fromisoformat(text)
        if at > now and (app, device) in recipients:
            date, identifier = at - timedelta(hours=1), f"{PREFIX}{key}"
            recipients[app, device][identifier] = date > now and {
                "op": "schedule", "app": app, "device": device, "id": identifier, "type": "appointment", "expires": at.isoformat(),
                "content": {"title": title, "body": "In an hour"}, "trigger": {"at": date.isoformat()}} or None
    return recipients


def pending(reader, app, device):
    """The ids of ours that the broker holds or keeps waiting for a recipient."""
    try:
        plan = reader.plan(app, device)
    except Refusal as refusal:
        if refusal.code != "unknown":
            raise
        return []  # nothing was ever published for it
    return [entry["id"] for entry in plan["held"] + plan["queued"] if entry["id"].startswith(PREFIX)]


def run(facts, publisher, reader):
    """Publishes what is wanted, of which the broker takes only the changes, and cancels what is wanted no more."""
    lines = []
    for (app, device), intents in wanted(facts, datetime.now(timezone.utc)).items():
        gone = [id for id in pending(reader, app, device) if id not in intents]
        lines += [{"op": "cancel", "app": app, "device": device, "id": id} for id in gone]
        lines += [intent for intent in intents.values() if intent]
    requests = [lines[start:start + 1_000] for start in range(0, len(lines), 1_000)]
    return "".join(outcome.outcomes for outcome in publisher.publish_many(requests))


if __name__ == "__main__":
    with closing(Publisher(sys.argv[2], "appointments")) as publisher, closing(Reader(sys.argv[3])) as reader:
        while True:
            with closing(sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)) as facts:
                print("outcomes:", run(facts, publisher, reader) or "none", flush=True)
            time.sleep(float(sys.argv[4]) if len(sys.argv) > 4 else 60)
