#!/usr/bin/env python3
"""Wires between computers: a network that loses packets, delays them and can be cut.

    wires.py SEED LOSS DELAY_MS NAMESPACE...

The Nth namespace gets an interface with the address 10.77.0.N. What it sends arrives after the delay, or not at all.
The namespace `-` is the one this program runs in: whoever watches from there is never cut off, and hears and says
everything at once. Standard input takes one command per line: `cut N`, `mend N`, and `split N...`, which separates these
from the others until the next `split`. It prints `ready` once all wires are up.

The kernel's own `netem` would do the same where it is built in; this needs only TAP devices, and draws from a seed.
"""

import fcntl
import heapq
import os
import random
import selectors
import struct
import subprocess
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TAP, IFF_NO_PI = 0x0002, 0x1000
LARGEST = 2048
HERE = "-"


def wire(number, namespace):
    """An interface in this namespace; what it sends and receives goes through the file that is returned."""
    tun = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    name = f"wire{number}"
    fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TAP | IFF_NO_PI))
    inside = ["-n", namespace] if namespace != HERE else []
    run = lambda *words: subprocess.run(["ip", *words], check=True)
    if inside:
        run("link", "set", name, "netns", namespace)
    run(*inside, "address", "add", f"10.77.0.{number}/24", "dev", name)
    run(*inside, "link", "set", name, "up")
    run(*inside, "link", "set", "lo", "up")
    run(*inside, "route", "add", "224.0.0.0/4", "dev", name)
    return tun


def receivers(frame, sender, places, count):
    """Everybody whom a frame is for; `places` remembers who has which address."""
    to, of = frame[0:6], frame[6:12]
    places[of] = sender
    if to[0] & 1:
        return [number for number in range(1, count + 1) if number != sender]
    return [places[to]] if to in places and places[to] != sender else []


def main():
    seed, loss, delay = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]) / 1000
    namespaces = sys.argv[4:]
    chance = random.Random(seed)
    wires = {number: wire(number, namespace) for number, namespace in enumerate(namespaces, 1)}
    watching = {number for number, namespace in enumerate(namespaces, 1) if namespace == HERE}
    cut, apart, places = set(), set(), {}
    connected = lambda a, b: bool({a, b} & watching) or not {a, b} & cut and (a in apart) == (b in apart)
    under_way, order = [], 0
    ready = selectors.DefaultSelector()
    for number, tun in wires.items():
        ready.register(tun, selectors.EVENT_READ, number)
    ready.register(sys.stdin, selectors.EVENT_READ, 0)
    print("ready", flush=True)
    while True:
        wait = max(0.0, under_way[0][0] - time.monotonic()) if under_way else None
        for key, _ in ready.select(wait):
            if key.data == 0:
                words = sys.stdin.readline().split()
                if not words:
                    return
                numbers = {int(word) for word in words[1:]}
                match words[0]:
                    case "cut":
                        cut |= numbers
                    case "mend":
                        cut -= numbers
                    case "split":
                        apart = numbers
                print("done", flush=True)
                continue
            frame = os.read(wires[key.data], LARGEST)
            for number in receivers(frame, key.data, places, len(wires)):
                at_once = bool({key.data, number} & watching)
                if connected(key.data, number) and (at_once or chance.random() >= loss):
                    order += 1
                    arrives = time.monotonic() + (0 if at_once else delay)
                    heapq.heappush(under_way, (arrives, order, key.data, number, frame))
        while under_way and under_way[0][0] <= time.monotonic():
            _, _, sender, number, frame = heapq.heappop(under_way)
            try:
                if connected(sender, number):
                    os.write(wires[number], frame)
            except OSError:
                # A full queue drops packets, as a network does.
                pass


main()
