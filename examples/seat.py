#!/usr/bin/env python3
"""A player at a table of a server who helps to shuffle, and keeps what is needed to check the house afterwards.

    python3 examples/seat.py http://localhost:7777 TABLE KEY kept.jsonl
    fairdeal verify --kept kept.jsonl record.jsonl

It sits down, plays the moves of bot.py, and ends with the match. Moves are the smaller half of it: the other is never to
reveal a seed before all commitments are on the disk, and never to answer a house that asks twice. docs/bots.md says why.
"""

import hashlib
import json
import os
import random
import secrets
import sys
import time
import urllib.error
import urllib.request

from bot import GAMES


def commitment(session, deck, seat, seed, nonce):
    """SHA-256 over fields, each after its length: docs/verify.md, "The lines of a house"."""
    payload = deck.to_bytes(4, "little") + seed
    digest = hashlib.sha256()
    for field in (b"cg/v1/commit/", b"seed", session, b"s" + bytes([seat]), payload, nonce):
        digest.update(len(field).to_bytes(4, "little") + field)
    return digest.hexdigest()


class Suspicious(Exception):
    """The house has done what an honest one does not. Nothing more is sent to it."""


class Kept:
    """What this player has seen of the shuffles, one line a deck, written before anything is answered."""

    def __init__(self, path):
        self.path = path
        self.lines = {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as stored:
                for line in map(json.loads, stored):
                    self.lines[line["table"], line["deck"]] = line

    def line(self, table, session, seat, deck):
        """The line of a deck. A table has one session."""
        if any(one["session"] != session for (of, _), one in self.lines.items() if of == table):
            raise Suspicious("this table was begun before, under another session")
        return self.lines.setdefault((table, deck), {"table": table, "session": session, "seat": seat, "deck": deck})

    def store(self):
        """Writes everything anew beside the old file, and puts it in its place: a crash leaves one or the other."""
        beside = self.path + ".new"
        with open(beside, "w", encoding="utf-8") as out:
            out.writelines(json.dumps(line, separators=(",", ":")) + "\n" for line in self.lines.values())
            out.flush()
            os.fsync(out.fileno())
        os.replace(beside, self.path)


class Player:
    def __init__(self, server, table, key, path):
        self.address, self.table, self.key = f"{server}/api/v1/tables/{table}", table, key
        self.kept = Kept(path)
        # Seeds by deck. They are secret until they are revealed, so they are not written to that file.
        self.seeds = {}

    def ask(self, path="", body=None):
        """What the server answers; None if it refuses, because others were faster."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        try:
            with urllib.request.urlopen(urllib.request.Request(self.address + path, data, headers)) as answer:
                return json.loads(answer.read() or "{}")
        except urllib.error.HTTPError as refused:
            if refused.code == 409:
                return None
            raise

    def command(self, **command):
        return self.ask("/commands", command) is not None

    def add_seed(self, state):
        """Commits to a seed, or reveals it."""
        deck, seat, session = state["seeds"]["deck"], state["seat"], state["session"]
        line = self.kept.line(self.table, session, seat, deck)
        seed, nonce = self.seeds.setdefault(deck, (secrets.token_bytes(32), secrets.token_bytes(32)))
        mine = commitment(bytes.fromhex(session), deck, seat, seed, nonce)
        if state["seeds"]["asked"] == "commitments":
            line["own"] = {"commitment": mine, "commit": "sent"}
            self.kept.store()
            if self.command(commit={"deck": deck, "commitment": mine}):
                line["own"]["commit"] = "taken"
            return
        shown = state["seeds"]["commitments"]
        if line.setdefault("commitments", shown) != shown:
            raise Suspicious(f"two lists of commitments were shown for deck {deck}")
        if shown["seats"][seat].get("commitment") != mine:
            raise Suspicious(f"the commitment shown for deck {deck} is not the one that was sent")
        line["own"]["reveal"] = "sent"
        self.kept.store()
        if self.command(reveal={"deck": deck, "seed": seed.hex(), "nonce": nonce.hex()}):
            line["own"]["reveal"] = "taken"

    def step(self, state, rng):
        """Does what is awaited; whether anything was."""
        height = state.get("height")
        if state.get("silent"):
            return self.command(wake={})
        if state["phase"] == "between":
            return self.command(ready={"deal": state["deal"] - 1})
        if state.get("seeds") and state["seat"] in state["awaited"]:
            self.add_seed(state)
            return True
        if state.get("moves") is None:
            return False
        (kind, what), = GAMES[state["game"]](state["moves"], state["view"], rng).items()
        return self.command(**{"act" if kind == "action" else "choose": {"height": height, kind: what}})

    def play(self):
        rng = random.Random(self.table)
        if self.ask()["seat"] is None:
            self.command(sit={"seeds": True})
        while (state := self.ask())["phase"] != "over":
            if not self.step(state, rng):
                time.sleep(0.05)
        self.kept.store()


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    try:
        Player(*sys.argv[1:]).play()
    except Suspicious as why:
        sys.exit(f"{why}. Do not trust this house.")


if __name__ == "__main__":
    main()
