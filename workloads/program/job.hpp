// A job: a program with what its tasks cost and when it begins.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "engine/base/types.hpp"
#include "models/nic/message_costs.hpp"
#include "models/routing/traffic_class.hpp"
#include "workloads/program/matching/matching_rule.hpp"
#include "workloads/program/nic_policy/nic_policy.hpp"
#include "workloads/program/processors.hpp"
#include "workloads/program/program.hpp"
#include "workloads/program/stuck_operation.hpp"
#include "workloads/program/timeline.hpp"

namespace weft::workloads {

/// How the programs of a run are run.
struct ProgramSpec {
  u32 packet_bytes = 64;  ///< of a message that a packet carries: a multiple of phit_bytes
  u32 phit_bytes = 4;     ///< of a cell
  u32 header_phits = 0;   ///< cells of each packet besides
  u64 seed = 1;
  u32 nics = 1;                                       ///< of a node, at most most_nics
  u32 (*nic_policy)(const MessageToSend&) = nullptr;  ///< NicPolicyKind::nic; asked where there are several
  /// [NIC]: how far its node of the topology is behind that of the first NIC, where the node's tasks are; ideal
  /// networks, whose nodes have all NICs, go by none.
  std::vector<u32> nic_offsets = {0};
  /// A message comes by the NIC of its task's place, of those in the plane of the NIC that it left by; else by the one
  /// with the same number.
  bool nic_of_receiver = false;
  u32 planes = 1;                   ///< NIC i is in plane i modulo planes
  Tick nic_latency = 1;             ///< between a node's first NIC and any other; at least 1
  bool restarts = false;            ///< jobs stand still and are put back: ProgramHost::stand, restore
  std::vector<NodeId> vacant = {};  ///< nodes without tasks, to which those of a node may move
  u32 vacant_places = 1;            ///< tasks that each of them may take
  bool resends = false;             ///< packets that the network loses are sent again: ProgramHost::resend
  bool record_matches = false;      ///< ProgramHost::matches
  TimelineSpec timeline = {};       ///< ProgramHost::timeline
  /// The path between the tasks of a node is non-blocking: messages wait for those of their sender and of their
  /// receiver; else a bus, where they wait for all of the node.
  bool non_blocking_path = false;
};

/// One job. Tasks of all jobs are numbered in a row; programs number their own from 0.
struct ProgramJob {
  const Program* program = nullptr;
  u32 first_task = 0, tasks = 0;
  models::MessageCosts costs;
  std::shared_ptr<const Processors> processors;  ///< none: all are alike and never pause
  MatchingRule matching;
  bool causal = true;                ///< false: at will, receives are not waited for
  double ticks_per_ns = 0;           ///< compute time of the program to ticks; 0 = compute is skipped
  double outside_ticks = 0;          ///< of a ns of the outside world, of a cycle of programs that keep time
  double meeting_ticks = 0;          ///< of a ns of a meeting
  bool keeps_time = false;           ///< Program::keeps_time
  bool records_arrivals = false;     ///< of messages: ProgramHost::arrived
  Tick local_latency = 1;            ///< of the path inside a node, of messages between its tasks; at least 1
  double memory_ticks_per_byte = 0;  ///< of the same
  Tick switch_latency = 0;           ///< between a node and the switches of its program
  u64 turnaround_cycles = 0, send_gap_cycles = 0;
  bool waits = false;                   ///< it begins by ProgramHost::begin_job
  Tick start = 0;                       ///< else when
  u8 traffic_class = models::no_class;  ///< of its packets; else drawn as router.class_shares says
  std::vector<u64> class_bytes = {};    ///< messages of at most so many bytes are of class 0, 1...; empty: none is so
  /// The class of the packets of a message.
  [[nodiscard]] u8 class_of(u64 bytes) const {
    if (class_bytes.empty()) return traffic_class;
    return static_cast<u8>(std::ranges::lower_bound(class_bytes, bytes) - class_bytes.begin());
  }
  bool repeats = false;           ///< its tasks begin anew when they are done, until ProgramHost::close
  bool takes_turns = false;       ///< packets of the messages of a task take turns at a NIC, else messages do
  bool receives_say_all = false;  ///< all times of its tasks follow from those of their receives, for the digest
  bool own_at_once = false;       ///< messages of a task to itself take no time, not even that of the path
  bool forgets_requests = false;  ///< nobody waits for its requests: those that are complete are forgotten
};

/// L + (s - 1) G: of a message of s bytes to a switch of the job's program, or from one.
[[nodiscard]] inline Tick switch_flight(const ProgramJob& job, u64 bytes) {
  return job.switch_latency + job.costs.flight(bytes) - job.costs.flight(1);
}

/// What is counted of a job on this process.
struct JobCounts {
  u64 tasks = 0, running = 0;        ///< all of them; not done
  u64 in_flight = 0;                 ///< TaskRun::in_flight of its tasks
  u64 generated = 0, packets = 0;    ///< packets; delivered
  u64 latency = 0, latency_max = 0;  ///< their ticks from generation: sum, longest
  u64 messages_sent = 0;
  u64 messages = 0, bytes = 0;     ///< arrived
  u64 rounds = never;              ///< of its program that are over in all of its tasks
  Tick begin = never, finish = 0;  ///< of the first of its tasks; of the last that is done, and of the last packet
};

}  // namespace weft::workloads
