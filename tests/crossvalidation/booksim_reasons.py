"""Why accepted loads differ from BookSim's by more than the tolerance: letters of docs/crosschecks.md, which has runs
for each."""

from booksim_rows import BELOW, SATURATED, WORMS

REASONS = {
    "A": "who gets an output where packets in transit meet new ones",
    "B": "packets of several flits over links longer than buffers",
    "C": "when UGAL leaves the shortest path",
    "D": "BookSim's own draws",
    "E": "worms of three classes over links longer than the buffers of their channels",
}


def sending(name, offered):
    """What sources send: under transpose traffic an eighth of them sends nothing."""
    return offered * (0.875 if name.endswith(" transpose") else 1)


def is_beyond(name, offered, accepted, of_weft):
    """Whether either of the simulators is beyond saturation."""
    return min(accepted, of_weft) < SATURATED * sending(name, offered)


def reason_of(name, offered, accepted, of_weft, scheduler):
    """The letter of a figure's reason, None without one."""
    if not is_beyond(name, offered, accepted, of_weft):
        return "D" if abs(of_weft / sending(name, offered) - 1) <= BELOW else None
    if name.startswith(("mesh", "torus")) or (scheduler == WORMS and " valiant " in name):
        return "A"
    if scheduler == WORMS and name.startswith("dragonfly ugal"):
        return "E"
    if name.startswith("dragonfly") and "ugal next-group" in name:
        return "C"
    return "B" if name.startswith("dragonfly") and "D=1" not in name else None
