// Members of ProgramHost that no network takes part in: set-up, matching keys, parts of messages, reports.
#include <algorithm>

#include "models/core/statistics.hpp"
#include "workloads/program/host/program_host_class.hpp"
#include "workloads/program/task_limits.hpp"

namespace weft::workloads {
namespace {

bool fits_word(u32 wanted, u32 there) { return wanted == GraphOp::any || wanted == there; }

}  // namespace

ProgramHost::ProgramHost(const ProgramSpec& spec, std::vector<ProgramJob> jobs, Placement placement)
    : spec_(spec),
      jobs_(std::move(jobs)),
      placement_(std::move(placement)),
      slot_of_task_(slots_of(placement_)),
      running_(jobs_.size(), 0),
      in_flight_(jobs_.size(), 0),
      cells_of_full_(spec_.packet_bytes / spec_.phit_bytes + spec_.header_phits),
      timeline_(spec_.timeline) {
  WEFT_ASSERT(spec_.nics >= 1 && spec_.nics <= most_nics && (spec_.nics == 1 || spec_.nic_policy != nullptr));
  WEFT_ASSERT(nics_of_packets() == 1 || nics_of_packets() == spec_.nics);
  find_reductions();
}

/// Opens the program of a task of a node of this process.
void ProgramHost::open(u32 number, u32 place, u32 node) {
  TaskRun& task = tasks_[place];
  node_of_run_[place] = node;
  task.id = number;
  task.job = job_of(number);
  const ProgramJob& job = jobs_[task.job];
  const TaskId own(number - job.first_task);
  task.open(*job.program, own);
  task.recorded = timeline_.open(number, job.first_task, job.program->is_outside());
  ++running_[task.job];
}

TaskKey ProgramHost::receive_key(const TaskRun& task, u32 operation) const {
  const GraphOp& op = op_of(task, operation);
  const ProgramJob& job = jobs_[task.job];
  if (op.communicator == GraphOp::by_switch) return {task.id, op.peer, op.tag, op.communicator, 0};
  Message wanted;
  wanted.source = op.peer == GraphOp::any ? GraphOp::any : job.first_task + op.peer;
  wanted.tag = op.tag;
  wanted.communicator = op.communicator;
  if (job.matching.packets) wanted.packets = packets_of(op.amount);
  if (job.matching.bytes) wanted.bytes = op.amount;
  return message_key(task.id, wanted, job.matching);
}

bool ProgramHost::is_wild(const TaskKey& key) { return key.a == GraphOp::any || key.b == GraphOp::any; }

/// Whether a message with key `there` is one that a receive with key `wanted` takes.
bool ProgramHost::fits(const TaskKey& wanted, const TaskKey& there) {
  return fits_word(wanted.a, there.a) && fits_word(wanted.b, there.b) && wanted.c == there.c && wanted.d == there.d;
}

u32 ProgramHost::find_posted(const TaskRun& task, const TaskKey& message) const {
  if (task.wild == 0) return task.posted.empty() ? TaskList::none : posted_.find(message);
  u32 entry = task.posted.first;
  while (entry != TaskList::none && !fits(posted_.key(entry), message)) entry = posted_.after(entry);
  return entry;
}

u32 ProgramHost::find_unexpected(const TaskRun& task, const TaskKey& wanted) const {
  if (!is_wild(wanted)) return task.unexpected.empty() ? TaskList::none : unexpected_.find(wanted);
  u32 entry = task.unexpected.first;
  while (entry != TaskList::none && !fits(wanted, unexpected_.key(entry))) entry = unexpected_.after(entry);
  return entry;
}

u32 ProgramHost::job_of(u32 task) const {
  const auto after = std::ranges::upper_bound(jobs_, task, {}, &ProgramJob::first_task);
  return static_cast<u32>(after - jobs_.begin()) - 1;
}

/// Number of a message among those that are kept in order with it: those of its communicator, if the rule compares
/// communicators.
u32 ProgramHost::next_order(TaskList& list, const TaskKey& sent) {
  const ProgramJob& job = jobs_[job_of(sent.task)];
  const TaskKey alike{sent.task, sent.a, job.matching.communicator ? sent.b : 0, sent.c};
  const u32 entry = sent_count_.find(alike);
  if (entry != TaskList::none) return sent_count_[entry]++;
  sent_count_.push(list, alike, 1);
  return 0;
}

/// A NIC has handed over all that leaves by it of a message.
void ProgramHost::part_sent(TaskRun& task, const Message& message) {
  if (message.nic == Work::all_nics && message.packets > 1) {
    const TaskKey key{task.id, message.number};
    u32 entry = stripes_.find(key);
    if (entry == TaskList::none) {
      u32 nics = 0;
      while (nics < spec_.nics && stripe(message.packets, nics) > 0) ++nics;
      entry = stripes_.push(task.stripes, key, nics);
    }
    if (--stripes_[entry] > 0) return;
    stripes_.remove(task.stripes, entry);
  }
  task.over.push_back(message.operation);
}

/// The receive of a message of the task is complete.
void ProgramHost::on_acknowledged(TaskRun& task, u32 number) {
  const u32 entry = unfinished_.find({task.id, number});
  WEFT_ASSERT(entry != TaskList::none);
  task.over.push_back(unfinished_[entry].data.operation);
  unfinished_.remove(task.unfinished, entry);
}

/// What goes, in one piece, for a send that has begun.
Message ProgramHost::message_of(const TaskRun& task, const Work& sending) const {
  const GraphOp& op = op_of(task, sending.operation);
  Message message;
  message.source = task.id;
  message.tag = op.tag;
  const bool compared = jobs_[task.job].matching.communicator || op.communicator == GraphOp::by_switch;
  message.communicator = compared ? op.communicator : 0;
  message.packets = packets_of(op.amount);
  message.bytes = op.amount;
  message.number = sending.number;
  message.order = sending.source;
  message.operation = sending.operation;
  message.local = sending.nic == Work::no_nic;
  message.rendezvous = is_rendezvous(jobs_[task.job], op);
  if (op.communicator == GraphOp::by_switch) message.kind = MessageKind::given;
  message.nic = sending.nic;
  return message;
}

/// Which NICs a message to another node leaves by.
u8 ProgramHost::nic_of_send(const TaskRun& task, const GraphOp& op) {
  if (op.nic != 0 || spec_.nics == 1) return op.nic;
  MessageToSend message;
  message.nics = spec_.nics;
  message.place = slot_of_task_[task.id];
  message.destination = op.peer;
  message.number = nodes_[node_of_run_[place_of(task)]].chosen++;
  message.bytes = op.amount;
  const u32 nic = spec_.nic_policy(message);
  WEFT_ASSERT(nic < spec_.nics || nic == NicPolicyKind::all);
  return nic == NicPolicyKind::all ? Work::all_nics : static_cast<u8>(nic);
}

/// What of a message in stripes, of so many bytes or packets, goes by a NIC: equal parts, the last ones shorter or
/// empty.
u64 ProgramHost::stripe(u64 amount, u32 nic) const {
  const u64 each = (amount + spec_.nics - 1) / spec_.nics;
  return std::min(each, amount - std::min(amount, each * nic));
}

u32 ProgramHost::packets_of(u64 bytes) const {
  const u64 packets = bytes == 0 ? 1 : (bytes + spec_.packet_bytes - 1) / spec_.packet_bytes;
  WEFT_ASSERT(packets <= most_message_packets);  // checked when the program was read: task_limits
  return static_cast<u32>(packets);
}

/// Cells of the last packet of a message: what is left, and the header.
u32 ProgramHost::cells_of_last(const Outgoing& out) const {
  const u32 full = spec_.packet_bytes / spec_.phit_bytes;
  const u64 cells = std::max<u64>(1, (out.packet.bytes() + spec_.phit_bytes - 1) / spec_.phit_bytes);
  return static_cast<u32>(cells - u64{out.whole - 1} * full) + spec_.header_phits;
}

u32 ProgramHost::owner(const Packet& packet) const {
  if (packet.is_for_switches()) return models::no_owner;
  return job_of(packet.source_task);
}

std::vector<u64> ProgramHost::unfinished() const {
  std::vector<u64> all = running_;
  for (std::size_t job = 0; job < all.size(); ++job) all[job] += in_flight_[job];
  return all;
}

bool ProgramHost::waits() const {
  return std::ranges::any_of(packet_nics_, [](const PacketNic& nic) { return nic.refused != 0; });
}

std::vector<StuckOperation> ProgramHost::stuck() const {
  std::vector<StuckOperation> result;
  for (const TaskRun& task : tasks_) {
    if (task.done || !task.begun || jobs_[task.job].repeats) continue;
    const auto add = [&](u32 number) {
      const GraphOp& op = task.op(number);
      const u64 place = task.linear ? task.operations : task.lanes.empty() ? number : task.lanes[number].operations;
      result.push_back({task.id, op.peer, op.tag, op.communicator, op.amount, place, 0, op.line, op.kind});
    };
    if (task.linear || !task.lanes.empty()) {
      if (task.linear && !task.at_end && task.awaited_request == TaskList::none) add(0);
      for (u32 entry = task.requests.first; entry != TaskList::none; entry = requests_.after(entry)) {
        const GraphOp& op = requests_[entry];
        const u32 number = requests_.key(entry).a;
        const bool over = op.state == static_cast<u32>(OpState::complete);
        const bool last = task.at_end && op.kind != GraphOp::Kind::send;  // sends that are left come below
        if (over || (number != task.awaited_request && !last)) continue;
        result.push_back({task.id, op.peer, op.tag, op.communicator, op.amount, u64{number} + 1, 0, 0, op.kind});
      }
      for (u32 lane = 0; lane < task.lanes.size(); ++lane) {
        if (!task.lanes[lane].over && !task.lanes[lane].waits) add(lane);
      }
      for (u32 entry = task.unfinished.first; task.at_end && entry != TaskList::none;
           entry = unfinished_.after(entry)) {
        const auto& [data, to, unused] = unfinished_[entry];
        result.push_back({task.id, to - jobs_[task.job].first_task, data.tag, data.communicator, data.bytes,
                          u64{data.operation} + 1, 0, 0, GraphOp::Kind::send});
      }
      continue;
    }
    for (u32 number = 0; number < task.graph.ops.size(); ++number) {
      const auto state = static_cast<OpState>(task.graph.ops[number].state);
      if (state == OpState::started || state == OpState::ready) add(number);
    }
  }
  return result;
}

std::vector<ActivityCounts> ProgramHost::activities(u32 job) const {
  std::vector<ActivityCounts> sums(jobs_[job].program->activities().size());
  for (const TaskRun& task : tasks_) {
    if (task.job != job) continue;
    for (std::size_t k = 0; k < task.activities.size(); ++k) {
      sums[k].ticks += task.activities[k].ticks;
      sums[k].side_ticks += task.activities[k].side_ticks;
      sums[k].hidden_ticks += task.activities[k].hidden_ticks;
      sums[k].messages += task.activities[k].messages;
      sums[k].bytes += task.activities[k].bytes;
    }
  }
  return sums;
}

u64 ProgramHost::unreceived() const {
  u64 sum = 0;
  for (const TaskRun& task : tasks_) {
    for (u32 entry = task.unexpected.first; entry != TaskList::none; entry = unexpected_.after(entry)) ++sum;
  }
  return sum;
}

std::vector<std::pair<u32, Tick>> ProgramHost::finish_ticks() const {
  std::vector<std::pair<u32, Tick>> result;
  for (const TaskRun& task : tasks_) {
    if (task.done) result.emplace_back(task.id, task.finished);
  }
  return result;
}

std::vector<JobCounts> ProgramHost::counts() const {
  std::vector<JobCounts> all(jobs_.size());
  for (const TaskRun& task : tasks_) {
    if (task.id == none) continue;
    JobCounts& job = all[task.job];
    ++job.tasks;
    job.running += task.done ? 0 : 1;
    job.in_flight += task.in_flight;
    job.generated += task.handed;
    job.packets += task.packets;
    job.latency += task.latency;
    job.latency_max = std::max(job.latency_max, task.latency_max);
    job.messages_sent += task.messages;
    job.messages += task.arrived;
    job.bytes += task.arrived_bytes;
    job.rounds = std::min<u64>(job.rounds, task.rounds);
    job.begin = std::min(job.begin, task.begin);
    job.finish = std::max({job.finish, task.finished, task.last_delivery});
  }
  return all;
}

std::vector<Match> ProgramHost::matches() const {
  std::vector<Match> all;
  for (const TaskRun& task : tasks_) all.insert(all.end(), task.matches.begin(), task.matches.end());
  return all;
}

std::vector<SentMessage> ProgramHost::sends() const {
  std::vector<SentMessage> all;
  for (const TaskRun& task : tasks_) {
    for (u32 number = 0; number < task.sends.size(); ++number) all.push_back({task.id, number, task.sends[number]});
  }
  return all;
}

std::vector<std::pair<u32, ArrivedMessage>> ProgramHost::arrived() const {
  std::vector<std::pair<u32, ArrivedMessage>> all;
  for (const TaskRun& task : tasks_) {
    for (const ArrivedMessage& message : task.arrived_at) all.emplace_back(task.id, message);
  }
  return all;
}

}  // namespace weft::workloads
