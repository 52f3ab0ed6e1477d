#!/usr/bin/env python3
"""What stands in checkpoints is written down here: if one of these structs or functions changes, the files of other
versions may mean something else, and checkpoint_layout has to be raised. checkpoint_layout.txt has the fingerprints of
their code (without comments and spaces) that belong to the layout of tools/run/checkpoint/checkpoint_file.hpp.

After a change: raise checkpoint_layout if the bytes of a record, an event or the run's own state mean something else
than before, then `tests/house/checkpoint_layout_test.py --update`. A name or an order of statements may change without
that."""

import hashlib
import re
import sys
import unittest
from pathlib import Path

from harness import ROOT

RECORD = Path(__file__).with_name("checkpoint_layout.txt")
HEADER = "tools/run/checkpoint/checkpoint_file.hpp"

SAVED = {
    # Packets, and how lists of them are written.
    "models/core/packet.hpp": ["struct Packet", "struct Routed"],
    "models/core/packet_pool.hpp": ["struct CellPacket", "struct alignas(64) Stored"],
    "models/routing/route_state.hpp": ["struct RouteState"],
    "models/core/state_records.hpp": ["struct StateWriter", "struct StateReader"],
    "models/core/machine_statistics.hpp": ["struct EndpointCounts"],
    "models/nic/endpoints.hpp": ["class FreeSpace"],
    "models/nic/switch_shell.hpp": ["void load", "void write"],
    # Plain routers: the block is copied whole.
    "models/machine/packets/block.hpp": ["struct InputQueue", "struct Block"],
    "models/machine/packets/shape.hpp": ["struct alignas(128) Shape", "struct OutputPort",
                                         "struct alignas(64) BlockHead"],
    "models/machine/packets/network_build.hpp": ["::save", "::load"],
    "models/machine/packets/network_class.hpp": ["struct Arrival", "struct Credit", "struct Release", "struct Wake"],
    # Switches of cells.
    "models/machine/cells/cell_entity.hpp": ["struct CellEntity"],
    "models/machine/cells/cell_events.hpp": ["struct CellArrival", "struct CellTaken", "struct CellCredit",
                                             "struct CellAnswer", "struct CellWake"],
    "models/machine/cells/port.hpp": ["struct Port"],
    "models/machine/cells/cell_setup.hpp": ["::visit_state"],
    "models/machine/cells/remote_occupancy.hpp": ["struct OccupancyUpdate", "void visit_state"],
    "models/arbiter/matching.hpp": ["struct Turn"],
    "models/arbiter/vl_arbitration.hpp": ["void visit_state"],
    # Congestion control: the table of flows, and what each scheme keeps of one.
    "models/nic/congestion.hpp": ["struct Flow", "struct SentAt", "struct Notified", "void visit_state"],
    "models/nic/congestion_scheme.hpp": ["struct FlowState"],
    "models/nic/flow_rate.hpp": ["struct FlowRate"],
    "models/nic/injection_delay.hpp": ["struct InjectionDelay"],
    "models/nic/swift_window.hpp": ["struct SwiftWindow"],
    # NICs that choose paths.
    "models/nic/nics.hpp": ["void visit"],
    "models/nic/peer.hpp": ["struct Peer", "union NicHeader"],
    # Wormhole switches.
    "models/machine/worms/worm_network_class.hpp": ["struct Arrival", "enum class SignalKind", "struct Signal",
                                                    "struct Taken", "struct Wake", "struct Entity"],
    "models/machine/worms/port.hpp": ["struct Port"],
    "models/machine/worms/packet.hpp": ["struct WormPacket"],
    "models/machine/worms/worm_setup.hpp": ["::visit_state"],
    # Those with several channels.
    "models/machine/worms/vc_network_class.hpp": ["struct Arrival", "struct Cell", "struct Credit", "struct Taken",
                                                  "struct Wake", "struct Entity"],
    "models/machine/worms/vc_state.hpp": ["struct Lane", "struct Channel", "struct Crossing", "struct Feed"],
    "models/machine/worms/vc_setup.hpp": ["::visit_state"],
    # SpiNNaker.
    "models/machine/spinnaker/router_state.hpp": ["enum class Leg", "struct RouterState",
                                                     "struct MonitorState"],
    "models/machine/spinnaker/spinnaker_network_class.hpp": ["struct Arrival", "struct Credit", "struct Consumed",
                                                             "struct Wake"],
    "models/machine/spinnaker/spinnaker_setup.hpp": ["::save"],
    # Rotary routers.
    "models/machine/rotary/router_state.hpp": ["struct RouterState", "struct Fifo", "struct PortState", "struct Lane",
                                               "struct BufferState", "struct BlockShape"],
    "models/machine/rotary/rotary_network_class.hpp": ["struct Arrival", "struct Credit", "struct Consumed",
                                                       "struct Wake"],
    "models/machine/rotary/rotary_setup.hpp": ["::save"],
    # The ideal network.
    "models/machine/ideal/nic_state.hpp": ["struct NicState"],
    "models/machine/ideal/ideal_network_class.hpp": ["struct Departure", "struct Arrival", "struct Wake"],
    "models/machine/ideal/ideal_setup.hpp": ["::save"],
    # Hosts.
    "workloads/program/host/synthetic_host.hpp": ["void save", "struct Event"],
    # Programs.
    "workloads/program/host/program_host_class.hpp": ["struct NicSides"],
    "workloads/program/host/partial_messages.hpp": ["struct Key", "struct Entry"],
    "workloads/program/host/program_event.hpp": ["struct ProgramEvent"],
    "workloads/program/host/meeting.hpp": ["struct MeetingKey", "struct TaskMeeting"],
    "workloads/program/host/program_checkpoint.cpp": ["void save_list", "::each_table", "::save"],
    "workloads/program/host/task_run.cpp": ["TaskRun::save", "void save_states"],
    "workloads/program/host/task_run.hpp": ["enum class OpState", "struct Match", "struct ArrivedMessage"],
    "workloads/program/timeline.hpp": ["struct TimelineRecord", "struct Region"],
    "workloads/program/timeline.cpp": ["TaskTimeline::save"],
    "workloads/traffic/arrival_law.hpp": ["struct ArrivalState"],
    "workloads/program/host/task_table.hpp": ["struct TaskKey"],
    "workloads/program/message.hpp": ["enum class MessageKind", "struct Message", "struct ReceivedMessage",
                                      "struct Rendezvous", "struct Outgoing", "struct ProgramPacket"],
    "workloads/program/host/work.hpp": ["enum class WorkKind", "struct Work", "struct ComputeStream"],
    "workloads/program/graph.hpp": ["struct GraphOp"],
    # The run.
    "tools/run/run_loop_checkpoint.cpp": ["::put_run"],
    "tools/run/collect/link_watch.cpp": ["::put"],
    "tools/run/collect/link_watch.hpp": ["struct Count"],
    "tools/run/run_loop_mser.cpp": ["::put_groups"],
    "tools/run/collect/recorder.cpp": ["::put"],
    "models/core/statistics.hpp": ["struct Counters"],
}


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def code_of(text, name):
    """From the name of a struct or function to the end of its braces; None if it is not defined there."""
    pattern = re.escape(name) + (r"(?: final)?(?:\s*:[^;{]*)?\s*\{"
                                 if name.split()[0] in ("struct", "class", "enum", "union") else r"\([^;{]*\{")
    found = re.search(pattern, text)
    if not found:
        return None
    depth = 0
    for at in range(found.end() - 1, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[found.start() : at + 1]
    return None


def layout():
    return int(re.search(r"checkpoint_layout = (\d+)", (ROOT / HEADER).read_text())[1])


def fingerprints():
    found = {}
    for file, names in SAVED.items():
        text = without_comments((ROOT / file).read_text())
        for name in names:
            code = code_of(text, name)
            found[f"{file} {name}"] = hashlib.sha256(re.sub(r"\s+", "",
                                                            code).encode()).hexdigest()[:12] if code else "gone"
    return found


def recorded():
    first, *lines = RECORD.read_text().splitlines()
    return int(first.split()[1]), dict(line.rsplit(" ", 1) for line in lines)


class CheckpointLayout(unittest.TestCase):
    maxDiff = None

    def test_all_that_is_saved_is_found(self):
        self.assertEqual([name for name, code in fingerprints().items() if code == "gone"], [],
                         "give SAVED the new place or name")

    def test_what_is_saved_has_not_changed_since_the_layout_was_given_its_number(self):
        number, known = recorded()
        now = fingerprints()
        changed = sorted(name for name in now.keys() | known.keys() if now.get(name) != known.get(name))
        self.assertEqual(changed, [], "see the head of this file")
        self.assertEqual(number, layout(), "see the head of this file")

    def test_a_changed_field_is_seen_and_a_comment_is_not(self):
        text = "struct Flow {\n  u32 to;  ///< node\n  Tick at = {};\n};\nvoid save(int) { f(); }\n"
        code = code_of(without_comments(text), "struct Flow")
        self.assertEqual(re.sub(r"\s+", "", code), "structFlow{u32to;Tickat={};}")
        self.assertNotEqual(code, code_of(without_comments(text.replace("u32", "u64")), "struct Flow"))
        self.assertEqual(code_of(text, "void save"), "void save(int) { f(); }")
        self.assertIsNone(code_of(text, "struct Other"))


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        RECORD.write_text("\n".join([f"layout {layout()}", *(f"{name} {code}" for name,
                                                             code in fingerprints().items())]) + "\n")
    else:
        unittest.main()
