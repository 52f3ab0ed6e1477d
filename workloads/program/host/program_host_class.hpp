// The engine behind the NICs that runs programs: graphs and linear ones, of one or several jobs, with overheads,
// rendezvous and matching in order, on the ideal network and on all others. docs/programs.md has the rules.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/bytes.hpp"
#include "engine/base/prefetch.hpp"
#include "engine/random.hpp"
#include "models/core/large_pages.hpp"
#include "models/core/layout.hpp"
#include "models/core/reduction.hpp"
#include "workloads/program/host/lost_packet.hpp"
#include "workloads/program/host/meeting.hpp"
#include "workloads/program/host/node_tasks.hpp"
#include "workloads/program/host/partial_messages.hpp"
#include "workloads/program/host/program_network.hpp"
#include "workloads/program/host/task_run.hpp"
#include "workloads/program/job.hpp"
#include "workloads/program/placement/placement.hpp"

namespace weft::workloads {

/// Runs the tasks of one process. Larger than others: a task's tick goes through streams, matching, NICs and the tables
/// that these share (a file of members each), and is compiled as a whole.
class ProgramHost {
 public:
  using Packet = ProgramPacket;
  static constexpr bool acts = true;
  using Event = ProgramEvent;
  using Signal = ProgramSignal;

  ProgramHost(const ProgramSpec& spec, std::vector<ProgramJob> jobs, Placement placement);

  // What networks ask of hosts: models::Network.

  /// Opens the programs of the tasks placed here, without scheduling anything. `net` must outlive the host.
  template <class Net>
  void prepare(Net& net) {
    network_ = std::make_unique<ProgramNetworkOf<Net>>(net);
    prepare();
  }
  /// Prepares, and schedules the starts of the jobs that do not wait for others.
  template <class Net>
  void start(Net& net) {
    prepare(net);
    start();
  }
  void save(u32 entity, engine::ByteWriter& to) const;
  /// Throws InputError if the record is of other tasks.
  void load(u32 entity, engine::ByteReader& from);
  template <class Net>
  void absorb(Net& /*net*/, Tick tick, const Event& event) {
    absorb(tick, event);
  }
  template <class Net>
  void absorb(Net& /*net*/, Tick /*tick*/, const Signal& signal) {
    absorb(signal);
  }
  template <class Net>
  void space(Net& net, Tick tick, u32 entity);
  template <class Net>
  void delivered(Net& net, Tick tick, Tick whole, u32 entity, const Packet& packet);
  /// The network has lost a packet in tick `at`; `cut_off`: it found no path.
  template <class NetPacket>
  void lost(Tick at, NodeId source, const NetPacket& packet, bool cut_off) {
    if (!spec_.resends || packet.is_for_switches()) return;
    u32 cells = 1;
    if constexpr (requires { packet.cells; }) cells = packet.cells;
    lost_.push_back({at, source.value(), cells, cut_off, packet});
  }
  /// Runs the tasks of an entity as far as they get in this tick, and lets one of them hand over a packet.
  template <class Net>
  void act(Net& net, Tick tick, u32 entity);
  /// What the network's switches are to combine; whether there is anything.
  [[nodiscard]] std::vector<models::ReductionGroup> reductions() const;
  [[nodiscard]] bool reduces() const { return !reductions_.empty(); }
  /// Whether a task has a packet that the network has not let in.
  [[nodiscard]] bool waits() const;
  /// The job of a packet between tasks; `no_owner` of what switches combine.
  [[nodiscard]] u32 owner(const Packet& packet) const;
  // Start to load what will be touched. Of a packet that is delivered: its task (the first of the node stands for all),
  // then what is kept of its message.

  void prefetch_delivery(u32 entity) const {
    const u32 node = node_of_entity_[entity];
    if (node != none) engine::prefetch(&tasks_[first_of_node_[node]]);
  }
  void prefetch_delivery(u32 entity, const Packet& packet) const {
    const u32 node = node_of_entity_[entity];
    if (node == none || packet.kind != MessageKind::eager || packet.bytes() <= spec_.packet_bytes) return;
    partial_.prefetch({tasks_[first_of_node_[node] + packet.target].id, packet.source_task, packet.message});
  }
  // Of a tick: the entity's first task and its NIC, then (stages 0 and 1) what these lead to.

  void prefetch(u32 entity) const {
    const u32 node = node_of_entity_[entity];
    if (node == none) return;
    engine::prefetch(&nodes_[node]);
    if (!packet_nics_.empty()) engine::prefetch(&packet_nics_[std::size_t{node} * nics_of_packets()]);
  }
  /// Stages 0 and 1, of which it returns whether the node may hand a packet over.
  bool prefetch_near(u32 entity, unsigned stage) const {
    const u32 node = node_of_entity_[entity];
    if (node == none) return false;
    const bool runs = nodes_[node].ready != 0;
    const bool sends = !packet_nics_.empty() && (runs || packet_nics_[std::size_t{node} * nics_of_packets()].asks());
    if (stage == 0) {
      prefetch_tick(node, runs, sends);
    } else {
      prefetch_lists(node, runs, sends);
    }
    return sends;
  }

  // What runs of jobs ask, between stretches.

  /// Begins a job that waits for others, at a tick that is still to come.
  template <class Net>
  void begin_job(Net& /*net*/, u32 job, Tick tick) {
    begin_job(job, tick);
  }
  /// Jobs that repeat begin no more rounds.
  void close() { closing_ = true; }
  /// [job]: tasks of this process that are not done, and what they sent and did not get of packets and messages through
  /// memory, modulo 2^64. Summed over all processes, less the packets that were dropped, 0 when the job is over.
  [[nodiscard]] std::vector<u64> unfinished() const;
  /// [job], of this process.
  [[nodiscard]] std::vector<JobCounts> counts() const;

  /// Who has come to meetings on this process since it was asked before, in ascending order of keys; after a checkpoint
  /// was resumed, those who wait there. Between stretches.
  [[nodiscard]] std::vector<MeetingShare> take_arrivals();
  /// All have come to a meeting, which ends at a tick that is still to come: its tasks here go on then.
  void end_meeting(const MeetingKey& meeting, Tick at);

  /// Packets that were lost on this process since it was asked before, if they are to be sent again.
  [[nodiscard]] std::vector<LostPacket> take_lost();
  /// A packet, of whatever process, is sent again at a tick that is still to come.
  void resend(const LostPacket& lost, Tick at);

  // Of jobs that restart (ProgramSpec::restarts), between stretches, alike on all processes: program_restarts.cpp.

  /// What the tasks of a job do: all as ever; nothing, while what comes to them waits; nothing any more, and what comes
  /// is thrown away.
  enum class Standing : u8 { goes_on, stands, failed };
  /// From now on. The tasks of a job that stood still must be told by `go_on` or `restore` how they go on.
  void stand(u32 job, Standing how);
  /// Only what checkpoints keep of that: `stand` has had its effects before.
  void stood(u32 job, Standing how) { standing_[job] = how; }
  /// The tasks of a job that stands go on at a tick that is still to come, all that they were at `late` ticks later.
  void go_on(u32 job, Tick at, Tick late);
  /// Keeps how far the tasks of a job that stands, and of which nothing is in flight, have come.
  void keep(u32 job);
  /// The tasks of a job that has failed, and of which nothing is in flight, go on at a tick that is still to come from
  /// what was kept last, `late` ticks later; from the begin of their programs if nothing was.
  void restore(u32 job, Tick at, Tick late);
  /// Tasks of the job on this process that are not done.
  [[nodiscard]] u64 running(u32 job) const { return running_[job]; }
  /// What its tasks here have sent and not got, and messages that wait at NICs: summed over all processes, less the
  /// packets that were dropped, 0 if nothing is in flight.
  [[nodiscard]] u64 under_way(u32 job) const;
  /// When the job began, or is to; never if that is not known.
  [[nodiscard]] Tick begin_of(u32 job) const { return begins_[job]; }
  /// A task stands at another node from now on, as all processes are told. What a process has of tasks that move away
  /// it writes by `leave` before; all read by `arrive` what all have written, afterwards.
  void place(u32 task, NodeId node) { placement_.node_of_task[task] = node; }
  void leave(std::span<const u32> tasks, engine::ByteWriter& to);
  void arrive(std::span<const std::byte> tasks);

  // Reports.

  [[nodiscard]] std::vector<StuckOperation> stuck() const;
  /// What the local tasks of ProgramSpec::timeline did.
  [[nodiscard]] const Timeline& timeline() const { return timeline_; }
  /// [activity of the job's program], over the local tasks.
  [[nodiscard]] std::vector<ActivityCounts> activities(u32 job) const;
  /// Messages that arrived and that nobody received.
  [[nodiscard]] u64 unreceived() const;
  /// (task, tick after its last operation) of the local tasks that are done.
  [[nodiscard]] std::vector<std::pair<u32, Tick>> finish_ticks() const;
  /// Matches of the local tasks, and [task, number of the message] their sends; empty unless they are recorded.
  [[nodiscard]] std::vector<Match> matches() const;
  [[nodiscard]] std::vector<SentMessage> sends() const;
  /// (task, message) of the messages that came to local tasks of jobs that record arrivals.
  [[nodiscard]] std::vector<std::pair<u32, ArrivedMessage>> arrived() const;

 private:
  static constexpr u32 none = ~u32{0};
  static_assert(most_tasks_per_node <= 64);

  /// The tasks of a node, in the order of their numbers; masks have a bit for each.
  struct Node {
    u32 first = 0, count = 0;  ///< in tasks_
    u32 chosen = 0;            ///< messages for which the policy has chosen a NIC
    Tick memory_free = 0;      ///< when the path through memory takes the next message
    u64 ready = 0;             ///< something happened to the task
  };
  /// What lines up at a NIC, of one task.
  struct NicQueue {
    Fifo<Outgoing> controls, data;
  };
  /// A NIC that sends packets; masks have a bit for each task of its node.
  struct alignas(64) PacketNic {
    u32 node = 0, number = 0;  ///< in nodes_; among the NICs of the node
    u32 entity = 0;
    u32 address = 0;      ///< its node of the network
    u32 count = 0;        ///< tasks of the node
    u32 turn = 0;         ///< who is asked first for the next packet
    bool handed = false;  ///< something, in this tick
    Tick free_from = 0;   ///< when it takes the next packet
    u64 wanting = 0;      ///< the task has a packet to send
    u64 refused = 0;      ///< for which there was no free space, and has not been since
    /// Whether a task has a packet that there may be free space for.
    [[nodiscard]] bool asks() const { return (wanting & ~refused) != 0; }
  };
  /// Both sides of a NIC, by LogGOPS: when they are free.
  struct NicSides {
    Tick sending = 0, receiving = 0;
  };
  /// How a group's chunks go to the switches of a network of several.
  struct Reduction {
    u32 job = 0, group = 0;
    u32 first_tree = 0, channels = 1;
    u64 in_flight = 1;
    u32 packets = 1;  ///< of the longest chunk
  };
  /// A task in a tick.
  struct TaskContext {
    ProgramNetwork& net;
    Tick now;
    u32 entity, slot;
    Node& node;
    TaskRun& task;
    const ProgramJob& job;
  };

  // program_run.cpp, program_setup.cpp: behind the templates above and those of program_nic.hpp.

  void prepare();
  void start();
  void begin_job(u32 job, Tick tick);
  void absorb(Tick tick, const Event& event);
  void absorb(const Signal& signal);
  void act_tasks(Tick tick, u32 entity, Node& node);
  void act_those_that_go_on(Tick tick, u32 entity, Node& node);
  void received_by(Tick tick, u32 node, u32 slot, const Packet& packet);

  // program_steps.hpp: a tick of a task.

  void step(Tick tick, u32 entity, Node& node, u32 slot);
  void begin_program(const TaskContext& context);
  bool take_up(const TaskContext& context, const Op& op);
  void finish_await(const TaskContext& context, u32 operation);
  void begin_request(const TaskContext& context, u32 operation);
  void complete_listed(const TaskContext& context, u32 operation);
  void forget_requests(TaskRun& task);
  void withdraw(TaskRun& task, u32 operation);
  void wake_listener(TaskRun& task);
  bool taken_by_stream(TaskRun& task, const ProgramJob& job, const Message& message, Tick now);
  void finish_round(const TaskContext& context);
  void pull(const TaskContext& context);
  void pull_lanes(const TaskContext& context, u64 lanes);
  static void count_activity(TaskRun& task, u32 number, const Op& next, bool waited, Tick now);
  [[nodiscard]] static u64 lanes_let_go(TaskRun& task, u32 counter);
  void end_streams(const TaskContext& context);
  void end_send(const TaskContext& context, u32 operation);
  static void tell_digest(const TaskContext& context, u32 operation, const GraphOp& op, u64 what);
  void complete(const TaskContext& context, u32 operation, u64 what = 0);
  void started(TaskRun& task, u32 operation, Tick now);
  void satisfy(TaskRun& task, u32 operation);
  void make_ready(TaskRun& task, u32 operation);
  /// Sides of a NIC, or of all of them.
  [[nodiscard]] std::span<NicSides> sides(const TaskRun& task, u8 nic);
  [[nodiscard]] u8 nic_of_send(const TaskRun& task, const GraphOp& op);
  template <class Needs>
  [[nodiscard]] Tick startable(const TaskContext& context, const Needs& queue);
  void run_ready(const TaskContext& context);
  void run_next(const TaskContext& context);
  void begin(const TaskContext& context, const Work& work);
  [[nodiscard]] static Tick end_of_work(const TaskContext& context, Tick begin, Tick work);
  void compute(const TaskContext& context, const Work& work);
  void wait_for_time(const TaskContext& context, const Work& work);
  void hold(const TaskContext& context, const Work& work, Tick until);
  void look_at(const TaskContext& context, Tick tick);

  // program_messages.hpp: matching, sending, receiving.

  void count_arrival(Tick at, TaskRun& task, const Message& message);
  void receive_packet(Tick at, u32 entity, u32 slot, const Message& message);
  void receive_message(Tick at, u32 entity, u32 slot, const Message& message);
  void arrivals(const TaskContext& context);
  void arrive(const TaskContext& context, const Message& message);
  void match_or_enqueue(const TaskContext& context, const Message& message);
  void match(const TaskContext& context, u32 operation, const ReceivedMessage& message);
  void handle(TaskRun& task, u32 operation, const ReceivedMessage& message);
  void post(const TaskContext& context, u32 operation);
  void probe(const TaskContext& context, u32 operation);
  void send(const TaskContext& context, const Work& work);
  void through_memory(const TaskContext& context, const Message& message, u32 peer);
  void launch(const TaskContext& context, const Work& work);
  void go_on_behind_rendezvous(const TaskContext& context, u32 operation);
  void on_clear_to_send(const TaskContext& context, const Message& message);
  void acknowledge(const TaskContext& context, const Work& work, Tick over);
  void combine(const TaskContext& context, const Message& given);

  // program_meetings.cpp: meetings.

  void come_to_meeting(const TaskContext& context, u32 operation);
  void add_to_meeting(const TaskMeeting& came, u32 entity, u32 slot);

  // program_nic.hpp: packets.

  template <class Net>
  void act_nic(Net& net, Tick tick, PacketNic& nic);
  template <class Net>
  bool send_packet(Net& net, Tick tick, PacketNic& nic, u32 slot);
  template <class Net>
  void send_again(Net& net, Tick tick, PacketNic& nic);

  // program_lines.cpp: what lines up for that.

  void line_up(const TaskContext& context, const Message& message, u32 to);
  [[nodiscard]] u32 arrival_nic(u32 peer, const Message& message) const;
  [[nodiscard]] Packet packet_of(const TaskRun& task, u32 peer, const Message& message, u32 nic) const;
  [[nodiscard]] Message carried(const Packet& packet) const;
  void take_handed(PacketNic& nic);

  // program_timeline.cpp: of tasks that are recorded.

  void note_taken(const TaskRun& task, u32 list, const Op& op, Tick now);
  void note_finished(const TaskRun& task, Tick now);
  void note_sent(const TaskRun& task, const Work& sending);
  void note_handled(const TaskRun& task, const Work& work, Tick now);
  void note_arrived(const TaskRun& task, const Message& message, Tick now);

  // program_host.cpp: what no network takes part in.

  void open(u32 number, u32 place, u32 node);

  // program_restarts.cpp

  /// f(task, entity, slot) for each task of the job here.
  template <class F>
  void each_task(u32 job, F&& f);
  void vacate(u32 place);
  void occupy(u32 number, u32 place, u32 node);
  void save_standing(const TaskRun& task, engine::ByteWriter& to) const;
  void load_standing(TaskRun& task, engine::ByteReader& from);
  void save_tables(const TaskRun& task, engine::ByteWriter& to) const;
  void load_tables(TaskRun& task, engine::ByteReader& from);
  void forget_tables(TaskRun& task);
  void shift(TaskRun& task, u32 entity, u32 slot, Tick at, Tick late);
  /// An operation that has begun, or is ready.
  [[nodiscard]] GraphOp& op_of(TaskRun& task, u32 operation) {
    if (task.alone) return task.current;
    if (!task.linear) return task.op(operation);
    const u32 entry = requests_.find({task.id, operation});
    return entry == TaskList::none ? task.current : requests_[entry];
  }
  [[nodiscard]] const GraphOp& op_of(const TaskRun& task, u32 operation) const {
    return const_cast<ProgramHost*>(this)->op_of(const_cast<TaskRun&>(task), operation);
  }
  [[nodiscard]] bool is_request(const TaskRun& task, u32 operation) const {
    return task.linear && !task.alone && requests_.find({task.id, operation}) != TaskList::none;
  }
  /// What messages and receives are found by: source, tag, communicator and length in packets or bytes, as far as the
  /// rule compares them; 0 stands for what it does not. Bytes have 40 bits, of which the upper 8 lie above the 24 of
  /// the source; a rule that goes by them takes no wildcards.
  [[nodiscard]] static TaskKey message_key(u32 task, const Message& m, const MatchingRule& rule) {
    if (m.communicator == GraphOp::by_switch) return {task, m.source, m.tag, m.communicator, 0};
    TaskKey key{task, rule.source ? m.source : 0, rule.tag ? m.tag : 0, rule.communicator ? m.communicator : 0,
                rule.packets ? m.packets : 0};
    if (rule.bytes) {
      key.a |= static_cast<u32>(m.bytes >> 32) << ProgramPacket::task_bits;
      key.d = static_cast<u32>(m.bytes);
    }
    return key;
  }
  [[nodiscard]] TaskKey receive_key(const TaskRun& task, u32 operation) const;
  [[nodiscard]] static bool is_wild(const TaskKey& key);
  [[nodiscard]] static bool fits(const TaskKey& wanted, const TaskKey& there);
  [[nodiscard]] u32 find_posted(const TaskRun& task, const TaskKey& message) const;
  [[nodiscard]] u32 find_unexpected(const TaskRun& task, const TaskKey& wanted) const;
  /// Job of a task, which is numbered among those of all jobs.
  [[nodiscard]] u32 job_of(u32 task) const;
  [[nodiscard]] u32 next_order(TaskList& list, const TaskKey& alike);
  void part_sent(TaskRun& task, const Message& message);
  void put_in_line(PacketNic& nic, u32 slot, const Message& message, u32 to);
  [[nodiscard]] const Reduction& reduction_of(u32 job, u32 group) const;
  [[nodiscard]] u32 group_of_tree(u32 tree) const;
  void find_reductions();
  void give_to_switches(Packet& packet, const TaskRun& task, const Outgoing& out) const;
  [[nodiscard]] bool gave(const TaskRun& task, const Message& result) const;
  void on_acknowledged(TaskRun& task, u32 number);
  /// Something of a task has begun to travel, or (`came`) come to it.
  void count_travel(TaskRun& task, bool came) {
    const u64 one = came ? ~u64{0} : 1;
    task.in_flight += one;
    in_flight_[task.job] += one;
  }
  [[nodiscard]] static bool is_rendezvous(const ProgramJob& job, const GraphOp& op) {
    return job.causal && op.communicator != GraphOp::by_switch &&
           (op.is_synchronous || job.costs.rendezvous(op.amount));
  }
  [[nodiscard]] Message message_of(const TaskRun& task, const Work& sending) const;
  [[nodiscard]] u32 packets_of(u64 bytes) const;
  [[nodiscard]] u64 stripe(u64 amount, u32 nic) const;
  [[nodiscard]] u32 cells_of_next(const Outgoing& out) const {
    if (is_control(out.packet.kind)) return 1 + spec_.header_phits;
    if (out.first + (out.packets - out.left) < out.whole - 1) [[likely]]
      return cells_of_full_;
    return cells_of_last(out);
  }
  [[nodiscard]] u32 cells_of_last(const Outgoing& out) const;
  [[nodiscard]] std::size_t place_of(const TaskRun& task) const {
    return static_cast<std::size_t>(&task - tasks_.data());
  }
  [[nodiscard]] Node& node_at(u32 entity) { return nodes_[node_of_entity_[entity]]; }
  [[nodiscard]] u32 nics_of_packets() const { return static_cast<u32>(spec_.nic_offsets.size()); }
  [[nodiscard]] PacketNic& packet_nic(u32 node, u32 number) {
    return packet_nics_[std::size_t{node} * nics_of_packets() + number];
  }
  [[nodiscard]] std::size_t place_in_queues(const PacketNic& nic, u32 slot) const {
    return std::size_t{nodes_[nic.node].first} * nics_of_packets() + nic.number * nic.count + slot;
  }
  [[nodiscard]] NicQueue& queue(const PacketNic& nic, u32 slot) { return queues_[place_in_queues(nic, slot)]; }
  [[nodiscard]] const NicQueue& queue(const PacketNic& nic, u32 slot) const {
    return queues_[place_in_queues(nic, slot)];
  }
  [[nodiscard]] const NicQueue& first_queue(u32 node) const {
    return queues_[std::size_t{first_of_node_[node]} * nics_of_packets()];
  }
  void prefetch_tick(u32 node, bool runs, bool sends) const {
    const TaskRun& task = tasks_[first_of_node_[node]];
    if (runs) {
      constexpr std::size_t line = 64;
      const auto* const bytes = reinterpret_cast<const std::byte*>(&task);
      for (std::size_t at = 0; at < TaskRun::bytes_at_hand(); at += line) engine::prefetch(bytes + at);
      engine::prefetch(&sides_[std::size_t{node} * spec_.nics]);
    }
    if (!sends) return;
    engine::prefetch(&first_queue(node));
    engine::prefetch(&task);
  }
  void prefetch_lists(u32 node, bool runs, bool sends) const {
    if (sends) engine::prefetch(first_queue(node).data.place());
    if (!runs) return;
    const TaskRun& task = tasks_[first_of_node_[node]];
    engine::prefetch(task.stream.get());
    engine::prefetch(task.arrivals.data());
  }
  void prepare_nics();
  /// What a checkpoint keeps of a task in the tables, in its order: f(table, list) for each.
  template <class Tables, class Task, class F>
  static void each_table(Tables& host, Task& task, F&& f);

  ProgramSpec spec_;
  std::unique_ptr<ProgramNetwork> network_;  ///< from `prepare` on
  std::vector<ProgramJob> jobs_;
  Placement placement_;
  std::vector<u8> slot_of_task_;     ///< [task] place among the tasks of its node
  std::vector<u32> node_of_entity_;  ///< [entity] in nodes_, or none
  models::LargeVector<Node> nodes_;
  models::LargeVector<TaskRun> tasks_;          ///< those of a node in a row
  std::vector<NicSides> sides_;                 ///< [node in nodes_][NIC]
  models::LargeVector<PacketNic> packet_nics_;  ///< [node in nodes_][NIC]; none on ideal networks
  /// [as packet_nics_] what it was handed in this tick, with the place of the task at the node.
  std::vector<std::vector<std::pair<u8, Message>>> handed_;
  models::LargeVector<NicQueue> queues_;  ///< [node in nodes_][NIC][place of the task at the node]
  std::vector<u32> nic_of_entity_;        ///< [entity] in packet_nics_, or none
  std::vector<u32> first_of_node_;        ///< [node] as Node::first, near each other
  std::vector<u32> node_of_run_;          ///< [place in tasks_] in nodes_
  std::vector<u64> running_;              ///< [job] tasks
  std::vector<u64> in_flight_;            ///< [job] sum of TaskRun::in_flight
  std::vector<Reduction> reductions_;     ///< of all groups, job by job
  Tick cycle_ = 1;
  u32 cells_of_full_;  ///< of a packet that is none of a message's last
  bool closing_ = false;

  // By (task, source, tag, communicator, packets): messages, receives, probes. By (task, source, number): messages of
  // which packets are missing (how many), receives that wait for data. By (task, source, communicator, tag, order):
  // messages before their turn. By (task, number): sends whose receive is not complete, messages in stripes of which
  // NICs have some left (how many). By (task, task, communicator, tag): messages between the two so far, of all tags
  // unless these are told apart. By (root, group, chunk): tasks that have given it. By
  // (task, operation): requests that have begun and have not been waited for.
  TaskTable<ReceivedMessage> unexpected_;
  TaskTable<Message> early_;
  TaskTable<Rendezvous> unfinished_;
  TaskTable<GraphOp> requests_;
  PartialMessages partial_;
  TaskTable<u32> posted_, awaited_, stripes_, sent_count_, received_count_, probes_, given_;

  // What networks with parts that fail have lost: not told yet; [as packet_nics_] to be sent again, by time.
  std::vector<LostPacket> lost_;
  std::vector<std::vector<LostPacket>> resends_;

  // Of programs that meet: [place in tasks_] what each waits for; who waits where; who has come since that was asked.
  std::vector<std::vector<TaskMeeting>> meetings_;
  std::map<MeetingKey, std::vector<MeetingPlace>> meeting_places_;
  std::map<MeetingKey, MeetingShare> came_;

  // Of jobs that restart; else empty: [job] how its tasks stand, when it begins; [place in tasks_] what is kept of the
  // task.
  std::vector<Standing> standing_;
  std::vector<Tick> begins_;
  std::vector<std::vector<std::byte>> kept_;

  std::vector<Work> ended_;  ///< scratch
  Timeline timeline_;
  std::vector<u32> regions_;  ///< scratch of note_taken
};

}  // namespace weft::workloads
