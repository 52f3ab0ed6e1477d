// Records of what tasks do; see the header.
#include "workloads/program/timeline.hpp"

#include <algorithm>

namespace weft::workloads {
namespace {

using Kind = TimelineRecord::Kind;

Kind kind_of(const Op& op) {
  switch (op.kind) {
    case OpKind::send:
    case OpKind::isend:
      return Kind::send;
    case OpKind::receive:
    case OpKind::ireceive:
      return Kind::receive;
    case OpKind::give:
      return Kind::give;
    case OpKind::get:
      return Kind::get;
    case OpKind::wait:
      return Kind::lane;
    case OpKind::end:
      return Kind::drain;
    case OpKind::listen:
      return Kind::probe;
    case OpKind::until:
    case OpKind::pause:
      return Kind::outside;
    case OpKind::meet:
    case OpKind::imeet:
      return Kind::meeting;
    case OpKind::compute:
    case OpKind::mark:
    case OpKind::await:  // what it waits for was started
    case OpKind::cancel:
      break;
  }
  return Kind::compute;
}

Kind kind_of(const GraphOp& op) {
  const bool by_switch = op.communicator == GraphOp::by_switch;
  switch (op.kind) {
    case GraphOp::Kind::send:
      return by_switch ? Kind::give : Kind::send;
    case GraphOp::Kind::receive:
      return by_switch ? Kind::get : Kind::receive;
    case GraphOp::Kind::probe:
      return Kind::probe;
    case GraphOp::Kind::until:
    case GraphOp::Kind::pause:
      return Kind::outside;
    case GraphOp::Kind::meet:
      return Kind::meeting;
    case GraphOp::Kind::compute:
    case GraphOp::Kind::join:
      break;
  }
  return Kind::compute;
}

bool is_with_a_task(Kind kind) { return kind == Kind::send || kind == Kind::receive || kind == Kind::probe; }

/// Whether something is worth a record that took no time: messages are, waits for sends that were started before not.
bool counts_without_length(const TimelineRecord& record) {
  if (record.kind == Kind::send) return record.flow != 0;
  return record.kind == Kind::receive || record.kind == Kind::give || record.kind == Kind::get;
}

}  // namespace

void TaskTimeline::take(u8 list, Tick now, const Op& op, std::span<const u32> regions) {
  if (full_at_ != never) return;
  if (lists_.size() <= list) lists_.resize(std::size_t{list} + 1);
  List& at = lists_[list];
  close(at, now);
  if (full_at_ != never || now >= spec_->to) return;
  at.open = begun(op, list, now);
  if (outside_ && op.kind == OpKind::compute) at.open.kind = Kind::region;
  awaited_ = ~u32{0};
  if (op.kind == OpKind::await) {
    const auto found = requests_.find(static_cast<u32>(op.amount));
    if (found == requests_.end()) return;
    at.open = found->second;
    at.open.begin = now;
    const bool sends = at.open.kind == Kind::send;
    const bool meets = at.open.kind == Kind::meeting;
    const bool known = meets || (sends ? at.open.flow != 0 : at.open.handled != never);
    if (sends) at.open.kind = Kind::await;
    if (at.open.handled != never) at.open.handled = std::max(at.open.handled, now);
    if (known) requests_.erase(found);
    awaited_ = static_cast<u32>(op.amount);
  }
  at.is_open = op.kind != OpKind::mark;
  at.regions.assign(regions.begin(), regions.end());
}

TimelineRecord TaskTimeline::begun(const Op& op, u8 list, Tick now) const {
  TimelineRecord record;
  record.begin = record.arrived = now;
  record.handled = never;
  record.task = task_;
  record.kind = kind_of(op);
  record.lane = list;
  record.peer = op.kind == OpKind::listen ? TimelineRecord::any : op.peer;
  if (is_with_a_task(record.kind) && record.peer != GraphOp::any) record.peer = first_ + op.peer;
  record.tag = op.tag;
  record.communicator = op.communicator;
  record.bytes = op.kind == OpKind::wait || op.kind == OpKind::await ? 0 : op.amount;
  return record;
}

void TaskTimeline::waits(Tick now) {
  if (full_at_ != never || lists_.empty() || !lists_[0].is_open) return;
  List& list = lists_[0];
  const u64 flow = list.open.flow;
  TimelineRecord waiting = list.open;
  close(list, now);
  if (full_at_ != never || flow == 0) return;
  waiting.kind = Kind::await;
  waiting.begin = now;
  waiting.handled = never;
  list.open = waiting;
  list.is_open = true;
}

void TaskTimeline::start(u32 request, Tick now, const Op& op) {
  if (full_at_ != never) return;
  if (lists_.empty()) lists_.resize(1);
  close(lists_[0], now);
  if (full_at_ == never && now < spec_->to) requests_[request] = begun(op, 0, now);
}

void TaskTimeline::launched(u32 request, u32 number) {
  const auto found = requests_.find(request);
  if (full_at_ != never || found == requests_.end() || found->second.kind != Kind::send) return;
  TimelineRecord record = found->second;
  record.end = record.handled = record.begin;
  record.flow = found->second.flow = flow_of(task_, number);
  keep(record);
  if (awaited_ != request) return;
  if (lists_[0].is_open) lists_[0].open.flow = record.flow;
  requests_.erase(found);
}

void TaskTimeline::taken(u32 request, Tick now, u32 source, u32 number, u64 bytes) {
  const u64 flow = flow_of(source, number);
  const Tick at = time_of(flow, now);
  const auto found = requests_.find(request);
  if (full_at_ != never || found == requests_.end()) return;
  if (found->second.begin < now) {
    TimelineRecord posted = found->second;
    posted.kind = Kind::post;
    posted.end = posted.handled = posted.arrived = posted.begin;
    posted.peer = source;
    posted.flow = flow;
    posted.bytes = bytes;
    keep(posted);
    if (full_at_ != never) return;
  }
  const auto tell = [&](TimelineRecord& record) {
    record.handled = now;
    record.flow = flow;
    record.arrived = std::min(at, now);
    record.peer = source;
    record.bytes = bytes;
  };
  tell(found->second);
  if (awaited_ != request) return;
  if (lists_[0].is_open) tell(lists_[0].open);
  requests_.erase(found);
}

void TaskTimeline::over(u8 list, Tick now) {
  if (full_at_ != never || list >= lists_.size()) return;
  close(lists_[list], now);
  if (full_at_ == never) leave(lists_[list], list, 0, now);
}

/// What a list was at ends. Regions change with the next operation that takes time.
void TaskTimeline::close(List& list, Tick now) {
  if (!list.is_open) return;
  TimelineRecord& record = list.open;
  if (now > record.begin) {
    std::size_t same = 0;
    while (same < std::min(list.in.size(), list.regions.size()) && list.in[same].number == list.regions[same]) ++same;
    leave(list, record.lane, same, record.begin);
    if (full_at_ != never) return;
    for (std::size_t depth = same; depth < list.regions.size(); ++depth)
      list.in.push_back({list.regions[depth], 0, record.begin});
  }
  record.end = now;
  record.handled = std::min(record.handled, now);
  const bool tells = record.kind != Kind::region && (now > record.begin || counts_without_length(record));
  if (tells) keep(record);
  if (full_at_ == never) list.is_open = false;
}

/// The regions from a depth on are over.
void TaskTimeline::leave(List& list, u8 number, std::size_t depth, Tick now) {
  while (list.in.size() > depth && full_at_ == never) {
    const TimelineRecord record = region_record(list.in.back(), number, list.in.size() - 1, now);
    if (record.end > record.begin) keep(record);
    if (full_at_ == never) list.in.pop_back();
  }
}

TimelineRecord TaskTimeline::region_record(const Region& region, u8 list, std::size_t depth, Tick end) const {
  TimelineRecord record;
  record.begin = region.begin;
  record.end = record.handled = record.arrived = end;
  record.task = task_;
  record.peer = region.number;
  record.kind = Kind::region;
  record.lane = list;
  record.depth = static_cast<u16>(depth);
  return record;
}

/// If there is room; else nothing is recorded from now on.
void TaskTimeline::keep(const TimelineRecord& record) {
  const bool inside = record.begin < spec_->to && (record.end > spec_->from || record.begin >= spec_->from);
  if (!inside) return;
  if (records_.size() == spec_->most_records) {
    full_at_ = record.end;
    return;
  }
  records_.push_back(record);
}

TimelineRecord* TaskTimeline::open_of(u32 key) {
  if (!lists_.empty()) return key < lists_.size() && lists_[key].is_open ? &lists_[key].open : nullptr;
  const auto found = open_.find(key);
  return found == open_.end() ? nullptr : &found->second;
}

void TaskTimeline::begin(u32 operation, Tick now, const GraphOp& op) {
  if (full_at_ != never || now >= spec_->to || op.kind == GraphOp::Kind::join) return;
  TimelineRecord& record = open_[operation];
  record.begin = record.arrived = now;
  record.handled = never;
  record.task = task_;
  record.kind = kind_of(op);
  record.lane = op.stream;
  record.peer = is_with_a_task(record.kind) && op.peer != GraphOp::any ? first_ + op.peer : op.peer;
  record.tag = op.tag;
  record.communicator = op.communicator;
  record.bytes = op.amount;
}

void TaskTimeline::end(u32 operation, Tick now) {
  const auto found = open_.find(operation);
  if (full_at_ != never || found == open_.end()) return;
  TimelineRecord& record = found->second;
  record.end = now;
  record.handled = std::min(record.handled, now);
  if (now > record.begin || counts_without_length(record)) keep(record);
  if (full_at_ == never) open_.erase(found);
}

void TaskTimeline::sent(u32 key, u32 number) {
  TimelineRecord* const open = open_of(key);
  if (open != nullptr && open->kind == Kind::send) open->flow = flow_of(task_, number);
}

Tick TaskTimeline::time_of(u64 flow, Tick now) {
  const auto found = arrived_.find(flow);
  if (found == arrived_.end()) return now;
  const Tick at = found->second;
  arrived_.erase(found);
  return at;
}

void TaskTimeline::handled(u32 key, Tick now, u32 source, u32 number, u64 bytes) {
  const Tick at = time_of(flow_of(source, number), now);
  TimelineRecord* const open = open_of(key);
  if (open == nullptr || full_at_ != never) return;
  open->handled = now;
  if (open->kind != Kind::receive) return;
  open->flow = flow_of(source, number);
  open->arrived = std::min(at, now);
  open->peer = source;
  open->bytes = bytes;
}

void TaskTimeline::arrived(u32 source, u32 number, Tick now, u32 tag, u64 bytes, bool waited) {
  if (full_at_ != never) return;
  if (waited && !outside_) {
    arrived_[flow_of(source, number)] = now;
    return;
  }
  TimelineRecord record;
  record.begin = record.end = record.handled = record.arrived = now;
  record.task = task_;
  record.kind = Kind::arrival;
  record.peer = source;
  record.tag = tag;
  record.bytes = bytes;
  record.flow = flow_of(source, number);
  keep(record);
}

void TaskTimeline::add_records(std::vector<TimelineRecord>& to, Tick now, Tick cut) const {
  const Tick last = std::min({now, cut, full_at_});
  const auto add = [&](TimelineRecord record) {
    const bool inside = record.begin < spec_->to && record.end >= spec_->from;
    if (!inside || record.begin > last || (record.begin == cut && cut != never)) return;
    if (record.end > last) {
      record.end = last;
      record.finished = 0;
      record.handled = std::min(record.handled, last);
    }
    to.push_back(record);
  };
  for (const TimelineRecord& record : records_) add(record);
  const auto add_open = [&](TimelineRecord record) {
    record.end = record.kind == Kind::region ? std::min(last, spec_->to) : last;
    record.handled = std::min(record.handled, record.end);
    record.finished = 0;
    if (record.end > record.begin) add(record);
  };
  for (std::size_t list = 0; list < lists_.size(); ++list) {
    const List& at = lists_[list];
    for (std::size_t depth = 0; depth < at.in.size(); ++depth)
      add_open(region_record(at.in[depth], static_cast<u8>(list), depth, last));
    if (at.is_open && at.open.kind != Kind::region) add_open(at.open);
  }
  for (const auto& [operation, record] : open_) add_open(record);
}

void TaskTimeline::save(engine::ByteWriter& to) const {
  to.put(full_at_);
  to.put_list(records_);
  to.put(static_cast<u64>(lists_.size()));
  for (const List& list : lists_) {
    to.put(list.open);
    to.put(list.is_open);
    to.put_list(list.regions);
    to.put_list(list.in);
  }
  for (const auto* const records : {&open_, &requests_}) {
    to.put(static_cast<u64>(records->size()));
    for (const auto& [operation, record] : *records) {
      to.put(operation);
      to.put(record);
    }
  }
  to.put(awaited_);
  to.put(static_cast<u64>(arrived_.size()));
  for (const auto& [flow, at] : arrived_) {
    to.put(flow);
    to.put(at);
  }
}

void TaskTimeline::load(engine::ByteReader& from) {
  full_at_ = from.get<Tick>();
  from.get_list(records_);
  lists_.resize(from.get<u64>());
  for (List& list : lists_) {
    list.open = from.get<TimelineRecord>();
    list.is_open = from.get<bool>();
    from.get_list(list.regions);
    from.get_list(list.in);
  }
  for (auto* const records : {&open_, &requests_}) {
    for (u64 left = from.get<u64>(); left > 0; --left) {
      const u32 operation = from.get<u32>();
      (*records)[operation] = from.get<TimelineRecord>();
    }
  }
  awaited_ = from.get<u32>();
  for (u64 left = from.get<u64>(); left > 0; --left) {
    const u64 flow = from.get<u64>();
    arrived_[flow] = from.get<Tick>();
  }
}

bool Timeline::open(u32 task, u32 first_task, bool outside) {
  if (!std::ranges::binary_search(spec_->tasks, task)) return false;
  tasks_[task] = std::make_unique<TaskTimeline>(*spec_, task, first_task, outside);
  return true;
}

std::vector<TimelineRecord> Timeline::records(u32 first, u32 end, Tick now, Tick cut) const {
  std::vector<TimelineRecord> all;
  for (auto at = std::ranges::lower_bound(spec_->tasks, first); at != spec_->tasks.end() && *at < end; ++at) {
    const auto found = tasks_.find(*at);
    if (found != tasks_.end()) found->second->add_records(all, now, cut);
  }
  return all;
}

Tick Timeline::full_at() const {
  Tick first = never;
  for (const auto& [task, timeline] : tasks_) first = std::min(first, timeline->full_at());
  return first;
}

}  // namespace weft::workloads
