"""The networks of the study, of 256 to 2,048 processing elements (the paper's Table I), and their classes as in 3.1."""

import math

from weft.study import claim, ends, evidence

PES = (256, 512, 1024, 2048)
DIMENSIONS = {
    "3D": {256: [8, 8, 4], 512: [8, 8, 8], 1024: [16, 8, 8], 2048: [16, 16, 8]},
    "5DT": {256: [4, 4, 2, 2, 2], 512: [4, 4, 2, 4, 2], 1024: [4, 4, 2, 4, 4], 2048: [4, 4, 4, 4, 4]}}
ADAPTIVE = "3D adaptive"
NETWORKS = ("3D", ADAPTIVE, "5DT")
#: "four different Traffic Classes"; two deterministic channels in each, "a third VC must be used in the adaptive TCs".
CLASSES, DETERMINISTIC = 4, 2
#: What `router.kind = "extoll"` has for each channel, in bytes; they are shared ("multi-queue FIFO buffers").
CHANNEL_BYTES = 2048


def channels(kind):
    return DETERMINISTIC + (kind == ADAPTIVE)


def network(kind, pes, ties="random"):
    """Topology and routing. `ties`: of two equally short ways round a ring, on the 3D torus."""
    if kind == "5DT":  # "two of them [...] inject PE0-sourced packets, and the remaining two [...] PE1-sourced packets"
        return {"topology.kind": "ndt-torus", "topology.dims": DIMENSIONS[kind][pes], "router.routing": "ts-dor",
                "router.ties": "card"}
    keys = {"topology.kind": "torus", "topology.dims": DIMENSIONS["3D"][pes], "router.ties": ties}
    if kind == ADAPTIVE:  # "fully-adaptive routing [...] using the Duato's protocol"
        return {**keys, "router.routing": "dally:adaptive", "router.adaptive_choice": "round-robin"}
    return {**keys, "router.routing": "dally:basic"}


def classes(kind, cell_bytes=16):
    """Four classes of two or three channels and shared buffers."""
    return {"router.traffic_classes": CLASSES, "router.virtual_channels": channels(kind), "router.buffers": "shared",
            "router.buffer_cells": CLASSES * channels(kind) * CHANNEL_BYTES // cell_bytes}


def one_class(kind, cell_bytes=16):
    """One class, whose channels have 4 KiB each; the 5DT has the four channels of ts-dor."""
    return {"router.traffic_classes": 1, "router.virtual_channels": 4 if kind == "5DT" else channels(kind),
            "router.buffers": "channel", "router.buffer_cells": 4096 // cell_bytes}


def among(left_open, what, published, given, values, form):
    """Whether the published figure `given` lies among those of the set-ups that the text leaves open, of those that are
    run (more of them widen the range)."""
    least, most = ends(value for value in values if not math.isnan(value))
    return evidence(left_open, claim(
        what, published, {"least": least, "most": most}, least <= given <= most, form=form, tolerance="range"))
