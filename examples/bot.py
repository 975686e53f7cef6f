#!/usr/bin/env python3
"""A bot that plays every game of fairdeal, using only the moves it is offered.

    fairdeal sim romme --matches 5 --bot '1=cmd:python3 examples/bot.py'
    fairdeal arena ongdu --bots 'easy,cmd:python3 examples/bot.py'

It plays at random, a little better where that is easy. docs/bots.md describes the protocol.
"""

import json
import random
import sys

RANKS = "23456789TJQKA"


def holdem(moves, view, rng):
    if moves["can_check"]:
        return {"action": "check"} if rng.random() < 0.7 or moves["min_to"] is None else {
            "action": {"raise_to": moves["min_to"]}
        }
    cheap = moves["to_call"] * 4 <= view["pot"]
    return {"action": "call" if cheap or rng.random() < 0.3 else "fold"}


def blackjack(moves, view, rng):
    if "bet" in moves:
        return {"choice": moves["bet"]["least"]}
    turn = moves["turn"]
    if turn["bust"]:
        return {"action": "bust"}
    return {"action": "hit" if turn["hit"] and turn["total"]["points"] < 17 else "stand"}


def romme(moves, view, rng):
    if "draw" in moves:
        return {"action": "draw_stock"}
    play = moves["play"]
    # Whole actions are listed, ready to send; a discard is a card.
    for kind in ("openings", "melds", "lay_offs"):
        if play[kind]:
            return {"action": play[kind][0]}
    worth = lambda held: 0 if held["card"] == "JK" else 1 + RANKS.index(held["card"][0])
    return {"action": {"discard": max(play["discards"], key=worth)["slot"]}}


def bigc(moves, view, rng):
    if "show" in moves:
        cards = moves["show"]
        return {"choice": {"show": rng.choice(cards)["slot"]} if cards else "nothing"}
    kind, offer = next(iter(moves.items()))
    if offer["hands"]:
        # The largest hand gets rid of the most cards.
        most = max(len(hand["slots"]) for hand in offer["hands"])
        hand = next(hand for hand in offer["hands"] if len(hand["slots"]) == most)
        return {"action": {"play": hand["slots"]}}
    return {"action": "pass_role" if kind == "lead" else "pass"}


def ongdu(moves, view, rng):
    kind, offer = next(iter(moves.items()))
    # Equal ranks go together, high ones at the end: rarely good, but rarely a foul.
    rank = lambda held: 99 if held["card"] == "JK" else RANKS.index(held["card"][0])
    ranks = [rank(held) for held in offer["hand"]]
    hand = sorted(offer["hand"], key=lambda held: (ranks.count(rank(held)), rank(held)))
    slots = [held["slot"] for held in hand]
    if kind == "discard":
        return {"action": {"discard": slots[0]}}
    return {"choice": {"top": slots[:3], "middle": slots[3:6], "bottom": slots[6:]}}


def blackout(moves, view, rng):
    if "bid" in moves:
        bid = moves["bid"]
        bids = [n for n in range(bid["least"], bid["most"] + 1) if n != bid["forbidden"]]
        return {"action": {"bid": min(bids, key=lambda n: abs(n - bid["most"] // 3))}}
    return {"action": {"play": rng.choice(moves["play"])["slot"]}}


GAMES = {
    "holdem": holdem,
    "blackjack": blackjack,
    "romme": romme,
    "bigc": bigc,
    "ongdu": ongdu,
    "blackout": blackout,
}


def main():
    play, rng = None, None
    for line in sys.stdin:
        (kind, body), = json.loads(line).items()
        if kind == "hello":
            play, rng = GAMES[body["game"]], random.Random(body["seed"])
        elif kind == "ask":
            answer = play(body["moves"], body["view"], rng)
            print(json.dumps({"id": body["id"], **answer}), flush=True)
        elif kind == "refused":
            print(body["why"], file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
