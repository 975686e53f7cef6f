"""A person at a terminal who accepts the match and plays what the hints say: terminal.py PROGRAM ARGUMENT...

The program runs in a terminal of its own. Its screen is read only for a few words; keys are pressed one after another, as
somebody would who does not look: a hint, then Enter, which takes it, continues after a deal, and ends the program.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

PAUSE = 0.15


def main():
    pid, screen = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execvp(sys.argv[1], sys.argv[1:])
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    seen, keys, pressed = b"", [b"h", b"\r"], 0.0
    accepted = False
    while True:
        ready, _, _ = select.select([screen], [], [], 0.05)
        if ready:
            try:
                new = os.read(screen, 65536)
            except OSError:
                break
            if not new:
                break
            seen = (seen + new)[-200_000:]
        if time.monotonic() - pressed < PAUSE:
            continue
        pressed = time.monotonic()
        if not accepted:
            if b"accept" in seen:
                accepted = True
                os.write(screen, b"a")
            continue
        os.write(screen, keys[0])
        keys.reverse()
    _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code:
        sys.stderr.buffer.write(seen[-4000:])
    return code


sys.exit(main())
