"""An endpoint for tests: sends messages by a plan and answers some, and writes what came as JSON lines to NUMBER.got.

    node.py PLAN.json FOLDER [FLAW]

PLAN: {"end_ns": t, "answers": ns or null, "sends": {"0": [[at_ns, to, bytes], ...]}}. FLAW: what one of them, number 1,
does wrong."""

import json
import os
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "python"))
from weft import cosim

plan = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
folder = Path(sys.argv[2])
number = int(os.environ["WEFT_COSIM_ENDPOINT"])
flaw = sys.argv[3] if len(sys.argv) > 3 and number == 1 else ""
if flaw == "leaves early":
    sys.exit(3)
(folder / f"{number}.pid").write_text(str(os.getpid()), encoding="utf-8")
waiting = [tuple(send) for send in plan["sends"].get(str(number), [])]
with cosim.Endpoint(f"node {number}") as me, open(folder / f"{number}.got", "w", encoding="utf-8") as got:
    assert (me.number, me.endpoints) == (number, int(os.environ["WEFT_COSIM_ENDPOINTS"]))
    begin = 0
    for until_ns, messages in me.slices():
        for message in messages:
            assert begin <= message.time_ns < until_ns, (begin, message, until_ns)
            row = [message.time_ns, message.source, message.bytes, message.payload.decode()]
            got.write(json.dumps(row) + "\n")
            if plan.get("answers") is not None and not message.payload.startswith(b"answer"):
                waiting.append((message.time_ns + plan["answers"], message.source, message.bytes, "answer"))
                waiting.sort()
        if flaw and until_ns > plan["flaw_ns"]:
            if flaw == "ends":
                sys.exit(7)
            if flaw == "is killed":
                os.kill(os.getpid(), signal.SIGKILL)
            if flaw == "hangs":
                time.sleep(1000)
            if flaw == "sends to nobody":
                me.send(until_ns - 1, 99, 10)
            if flaw == "sends nothing":
                me.send(until_ns - 1, 0, 0)
            if flaw == "sends late":
                me.send(until_ns, 0, 10)
            if flaw == "sends early":
                me.send(0, 0, 10)
            if flaw == "sends more than it says":
                me.send(until_ns - 1, 0, 3, b"four")
            if flaw == "makes noise":
                me._out += b"\xff" * 64
            if flaw == "announces too much":
                me._put(3, until_ns - 1, 0, 10, b"")
                me._out[-32:-28] = (2**31).to_bytes(4, "little")
        while waiting and waiting[0][0] < until_ns:
            at_ns, to, length, *text = waiting.pop(0)
            me.send(at_ns, to, length, (text[0] if text else f"{number} at {at_ns}").encode()[:length])
        begin = until_ns
        if plan["end_ns"] is not None and until_ns >= plan["end_ns"] and not waiting:
            me.end()
        upcoming = waiting[0][0] if waiting else cosim.NEVER
        me.idle_until(min(upcoming, plan["end_ns"] - 1 if plan["end_ns"] is not None else cosim.NEVER))
