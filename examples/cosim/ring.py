"""An endpoint of a simulated network: passes a token on, three rounds, and says how long each took."""

import sys

from weft import cosim

ROUNDS, BYTES, WORK_NS = 3, 4096, 2000

with cosim.Endpoint("ring") as me:
    after = (me.number + 1) % me.endpoints
    ready = [0] if me.number == 0 else []  # when the token may be sent
    rounds, began = 0, 0
    for until_ns, messages in me.slices():
        for message in messages:
            if me.number == 0:
                rounds += 1
                print(f"round {rounds}: {message.time_ns - began} ns", file=sys.stderr, flush=True)
                began = message.time_ns + WORK_NS
            if me.number != 0 or rounds < ROUNDS:
                ready.append(message.time_ns + WORK_NS)
        while ready and ready[0] < until_ns:
            me.send(ready.pop(0), after, BYTES, b"token")
            rounds += me.number != 0
        if rounds == ROUNDS and not ready:
            me.end()
        me.idle_until(ready[0] if ready else cosim.NEVER)
