// Records of VEF as events; see the header.
//   ID src dst bytes Dep time IDdep                     a message, or (src = dst, no bytes) the begin of a wait
//   G<ID> C<comm> op task sent received Dep time IDdep  a task's part in a collective call
// Dep: 0 at the absolute time, 1 after its task sent IDdep, 2 after it received IDdep, 3 after collective IDdep; in
// VEF3 plus 4 for blocking sends. The time is what lies between the end of the call before and the begin of this.
#include "workloads/trace/format/vef/vef_reader.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::workloads {
namespace {

constexpr u32 most_dependence = 3;
constexpr u32 blocking_bit = 4;
constexpr const char* vef_message_line = "ID SOURCE DESTINATION BYTES DEP TIME IDDEP";
constexpr const char* vef_collective_line = "G<ID> C<COMMUNICATOR> OPERATION TASK SENT RECEIVED DEP TIME IDDEP";

}  // namespace

VefReader::VefReader(std::unique_ptr<ByteSource> source)
    : text_(std::move(source)), header_(read_vef_header(text_)), calls_(header_) {}

bool VefReader::next(TraceRecord& record) {
  while (ready_.empty()) {
    if (finished_) return false;
    if (!text_.next_line()) {
      finish();
    } else if (text_.peek() == 'G') {
      read_collective();
    } else {
      read_message();
    }
  }
  const Item item = ready_.front();
  ready_.pop_front();
  position_ = item.line;
  record.task = item.task;
  record.event = TraceEvent{};
  record.event.kind = item.kind;
  if (item.kind == TraceEvent::Kind::collective) {
    calls_.fill(item.call, item.task, record.event);
  } else {
    record.event.peer = item.peer;
    record.event.tag = item.tag;
    record.event.bytes = item.bytes;
  }
  return true;
}

void VefReader::read_message() {
  if (header_.messages == 0) text_.reject("a message", text_.word(), "none (by the first line)");
  const u64 most_id = header_.messages - 1;
  const u64 id = text_.number("ID", most_id);
  if (!messages_.add(id)) text_.reject("a message has come before", std::to_string(id), "each ID once");
  const u32 from = static_cast<u32>(text_.number("SOURCE", header_.tasks - u64{1}));
  const u32 to = static_cast<u32>(text_.number("DESTINATION", header_.tasks - u64{1}));
  const u64 bytes = text_.number("BYTES", max_trace_bytes);
  const Dependence dependence = read_dependence();
  if (dependence.kind != 0 && dependence.kind != 3 && dependence.on == id)
    text_.reject("a message depends on itself", std::to_string(id), vef_message_line);
  wait_for(from, dependence);
  const bool local = from == to && bytes == 0;
  const auto waiting = awaited_.find(id);
  if (waiting != awaited_.end() && (local || waiting->second != to)) {
    text_.reject(fmt::format("task {} waits for a message that is not for it", waiting->second), std::to_string(id),
                 "IDDEP of a message to that task");
  }
  if (!local) {
    Item send = item_of(TraceEvent::Kind::send, from);
    send.peer = to;
    send.tag = static_cast<u32>(id);
    send.bytes = bytes;
    put(send);
    if (waiting == awaited_.end()) in_flight_[id] = {from, to, bytes, text_.line()};
  }
  if (waiting != awaited_.end()) awaited_.erase(waiting);
  text_.end_line(vef_message_line);
}

void VefReader::read_collective() {
  text_.skip();
  if (header_.collectives == 0) text_.reject("a collective call", text_.word(), "none (by the first line)");
  const u64 id = text_.number("ID", header_.collectives - 1);
  text_.skip_blanks();
  (void)text_.take('C');
  const u64 group = text_.number("the number of a communicator", max_trace_tag);
  const u32 operation = static_cast<u32>(text_.number("OPERATION", VefCalls::operations - 1));
  VefPart part;
  part.task = static_cast<u32>(text_.number("TASK", header_.tasks - u64{1}));
  part.sent = text_.number("SENT", max_trace_bytes);
  part.received = text_.number("RECEIVED", max_trace_bytes);
  wait_for(part.task, read_dependence());
  // A call of one task is complete at once; its number is taken when it comes.
  if (collectives_.has(id) && !calls_.known(id))
    text_.reject("a collective call has come before", fmt::format("G{}", id), "one line of each task");
  if (!collectives_.has(id)) (void)collectives_.add(id);
  calls_.add(id, group, operation, part, text_);
  ++collective_lines_;
  Item item = item_of(TraceEvent::Kind::collective, part.task);
  item.call = id;
  held_[part.task].push_back(item);
  if (calls_.complete(id)) {
    std::vector<u32> members;
    for (const VefPart& each : calls_.parts(id)) members.push_back(each.task);
    for (const u32 member : members) drain(member);
  }
  text_.end_line(vef_collective_line);
}

VefReader::Dependence VefReader::read_dependence() {
  Dependence result;
  result.kind = static_cast<u32>(text_.number("DEP", most_dependence + (header_.third ? blocking_bit : 0)));
  result.kind &= ~blocking_bit;
  const u64 most_time = ~u64{0} / 2 / header_.clock_ps;
  const u64 ps = text_.number("TIME", most_time) * header_.clock_ps;
  result.time_ns = (ps + 500) / 1000;
  text_.skip_blanks();
  if (result.kind == 0) {
    const std::string_view none = text_.word();
    if (none != "-1") text_.reject("IDDEP of a record that depends on none", none, "-1");
  } else if (result.kind == 3) {
    text_.expect('G', "IDDEP of a collective call, such as G7");
    result.on = text_.number("IDDEP", header_.collectives == 0 ? 0 : header_.collectives - 1);
  } else {
    result.on = text_.number("IDDEP", header_.messages == 0 ? 0 : header_.messages - 1);
  }
  return result;
}

/// Receives what the record depends on, and computes for its time.
void VefReader::wait_for(u32 task, const Dependence& dependence) {
  u64 computing = dependence.time_ns;
  const auto of_another = [&](u32 other, const char* what) {
    text_.reject(fmt::format("task {} depends on a message that task {} {}", task, other, what),
                 std::to_string(dependence.on), fmt::format("a message that task {} {}", task, what));
  };
  if (dependence.kind == 0) {
    const auto before = computed_.find(task);
    computing -= before == computed_.end() ? 0 : std::min(computing, before->second);
  } else if (dependence.kind == 1) {
    if (!messages_.has(dependence.on))
      text_.reject("a task depends on a send of its own that comes later", std::to_string(dependence.on),
                   "IDDEP of a line before");
    const auto found = in_flight_.find(dependence.on);
    if (found != in_flight_.end() && found->second.from != task) of_another(found->second.from, "sent");
  } else if (dependence.kind == 3) {
    if (!collectives_.has(dependence.on))
      text_.reject("a task depends on a collective call that comes later", fmt::format("G{}", dependence.on),
                   "IDDEP of a line before");
  } else {
    const auto found = in_flight_.find(dependence.on);
    if (found != in_flight_.end()) {
      const Message& message = found->second;
      if (message.to != task) of_another(message.to, "receives");
      Item receive = item_of(TraceEvent::Kind::receive, task);
      receive.peer = message.from;
      receive.tag = static_cast<u32>(dependence.on);
      receive.bytes = message.bytes;
      put(receive);
      in_flight_.erase(found);
    } else if (!messages_.has(dependence.on)) {
      // Its line comes later; its number is enough to know it.
      const auto [waiting, first] = awaited_.emplace(dependence.on, task);
      if (!first && waiting->second != task) of_another(waiting->second, "receives");
      Item receive = item_of(TraceEvent::Kind::receive, task);
      receive.peer = TraceEvent::any;
      receive.tag = static_cast<u32>(dependence.on);
      receive.bytes = TraceEvent::unknown_bytes;
      if (first) put(receive);
    }
  }
  if (computing == 0) return;
  Item compute = item_of(TraceEvent::Kind::compute, task);
  compute.bytes = computing;
  put(compute);
  u64& computed = computed_[task];
  computed += std::min(computing, ~u64{0} - computed);
}

VefReader::Item VefReader::item_of(TraceEvent::Kind kind, u32 task) const {
  Item item;
  item.kind = kind;
  item.task = task;
  item.line = text_.line();
  return item;
}

/// Behind a collective call that is not complete, or at once.
void VefReader::put(const Item& item) {
  const auto held = held_.find(item.task);
  if (held == held_.end()) {
    ready_.push_back(item);
  } else {
    held->second.push_back(item);
  }
}

/// Gives what is held of a task up to the next call that is not complete.
void VefReader::drain(u32 task) {
  const auto held = held_.find(task);
  if (held == held_.end()) return;
  std::deque<Item>& items = held->second;
  while (!items.empty()) {
    const Item& item = items.front();
    if (item.kind == TraceEvent::Kind::collective && !calls_.complete(item.call)) return;
    ready_.push_back(item);
    items.pop_front();
  }
  held_.erase(held);
}

/// Nothing may be missing; messages that no record waits for are received at the end.
void VefReader::finish() {
  finished_ = true;
  const auto check = [&](const char* what, u64 found, u64 declared) {
    if (found != declared)
      text_.reject(fmt::format("{} are missing", what), std::to_string(found),
                   fmt::format("{} (by the first line)", declared));
  };
  check("messages", messages_.below(), header_.messages);
  const std::string incomplete = calls_.incomplete();
  if (!held_.empty()) text_.reject("lines of a collective call are missing", incomplete, "one line of each task");
  check("collective calls", collectives_.below(), header_.collectives);
  check("lines of collective calls", collective_lines_, header_.collective_lines);
  std::vector<u64> left;
  for (const auto& [id, message] : in_flight_) left.push_back(id);
  std::ranges::sort(left);
  for (const u64 id : left) {
    const Message& message = in_flight_.at(id);
    Item receive = item_of(TraceEvent::Kind::receive, message.to);
    receive.line = message.line;
    receive.peer = message.from;
    receive.tag = static_cast<u32>(id);
    receive.bytes = message.bytes;
    ready_.push_back(receive);
  }
  in_flight_.clear();
}

}  // namespace weft::workloads
