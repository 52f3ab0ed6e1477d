// Endpoints and the network in turns; see the header.
#include "tools/cosim/slices.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

#include "engine/base/error.hpp"
#include "engine/base/fnv1a.hpp"
#include "engine/protocol.hpp"

namespace weft::tools::cosim {
namespace {

/// Rounded up, but for what is a whole number within the precision of times.
u64 whole_at_least(double value) {
  constexpr double precision = 1e-6;
  const double nearest = std::round(value);
  return static_cast<u64>(std::abs(value - nearest) < precision ? nearest : std::ceil(value));
}

/// Takes out what comes before a time.
std::vector<Parcel> take_before(std::vector<Parcel>& coming, u64 end_ns) {
  const auto due = std::ranges::lower_bound(coming, end_ns, {}, &Parcel::at_ns);
  std::vector<Parcel> taken(std::make_move_iterator(coming.begin()), std::make_move_iterator(due));
  coming.erase(coming.begin(), due);
  return taken;
}

u64 hash_of(const std::vector<std::byte>& payload) {
  return fnv1a({reinterpret_cast<const char*>(payload.data()), payload.size()});
}

}  // namespace

Slices::Slices(const SliceSpec& spec, engine::Transport& transport, EndpointMaker make)
    : spec_(spec), transport_(transport), make_(std::move(make)), to_ranks_(transport.size()) {}

std::unique_ptr<workloads::Program> Slices::program(u32 tasks, const workloads::TaskLimits& limits) {
  auto made = std::make_unique<workloads::SlicedProgram>(tasks);
  program_ = made.get();
  limits_ = limits;
  rank_of_.assign(tasks, 0);
  sent_of_.assign(tasks, 0);
  endpoint_counts_.assign(tasks, {});
  return made;
}

u64 Slices::cycle_of(u64 ns) const { return whole_at_least(static_cast<double>(ns) / spec_.cycle_ns); }

u64 Slices::ns_of(Tick tick) const {
  return whole_at_least(static_cast<double>(tick) * (spec_.cycle_ns / static_cast<double>(spec_.ticks_per_cycle)));
}

void Slices::make_members() {
  const auto endpoints = static_cast<u32>(rank_of_.size());
  std::vector<u32> here = program_->open_tasks();
  std::ranges::sort(here);
  for (const u32 number : here) {
    Member member;
    member.number = number;
    member.endpoint = make_(number, endpoints);
    members_.push_back(std::move(member));
    rank_of_[number] = transport_.rank();
  }
  transport_.max(rank_of_);
  sends_.resize(members_.size());
}

void Slices::exchange(Tick /*now*/) {
  if (due_ == 0) make_members();
  take_arrivals();
  const std::optional<Slice> slice = next_slice();
  if (slice) run(*slice);
  exchange_payloads();
  next_cycle_ = cycle_of((slice ? slice->end_ns : until_ns_) + spec_.nic_latency_ns);
  for (std::size_t k = 0; k < members_.size(); ++k) {
    const Member& member = members_[k];
    u64 runs_cycle = slice && member.runs ? cycle_of(member.runs_from_ns + spec_.nic_latency_ns) : next_cycle_;
    if (!sends_[k].empty()) runs_cycle = std::min(runs_cycle, sends_[k].front().cycle);
    program_->give(member.number, sends_[k], runs_cycle, next_cycle_, !slice);
    sends_[k].clear();
  }
  if (!slice) {
    due_ = never;
    return;
  }
  until_ns_ = slice->end_ns;
  due_ = next_cycle_ * spec_.ticks_per_cycle;
}

/// What the network has delivered since the last slice.
void Slices::take_arrivals() {
  for (const workloads::OutsideArrival& arrival : program_->take_arrivals()) {
    const auto member = std::ranges::lower_bound(members_, arrival.to, {}, &Member::number);
    WEFT_ASSERT(member != members_.end() && member->number == arrival.to);
    auto held = held_.extract({arrival.from, arrival.number});
    WEFT_ASSERT(!held.empty());
    Parcel parcel{ns_of(arrival.at) + spec_.nic_latency_ns, arrival.from, arrival.to, arrival.bytes,
                  std::move(held.mapped().payload)};
    const u64 late_ns = parcel.at_ns < until_ns_ ? until_ns_ - parcel.at_ns : 0;
    parcel.at_ns += late_ns;
    ++counts_.came;
    counts_.late += late_ns > 0 ? 1 : 0;
    counts_.late_ns += late_ns;
    counts_.late_max_ns = std::max(counts_.late_max_ns, late_ns);
    const u64 latency_ns = parcel.at_ns - held.mapped().sent_ns;
    counts_.latency_ns += latency_ns;
    counts_.latency_max_ns = std::max(counts_.latency_max_ns, latency_ns);
    come(*member, std::move(parcel));
  }
}

void Slices::come(Member& member, Parcel parcel) {
  if (member.over) {
    ++counts_.lost;
    return;
  }
  EndpointCounts& counts = endpoint_counts_[member.number];
  ++counts.came;
  counts.came_bytes += parcel.bytes;
  counts_.payloads.add(u64{parcel.from} << 32 | parcel.to, parcel.at_ns, hash_of(parcel.payload));
  const auto place = std::ranges::upper_bound(member.coming, parcel.at_ns, {}, &Parcel::at_ns);
  member.coming.insert(place, std::move(parcel));
}

/// From where on something may happen, in slices of one length from time 0 on.
std::optional<Slices::Slice> Slices::next_slice() {
  u64 wake_ns = never, sums[3] = {counts_.sent, counts_.came, 0};
  for (const Member& member : members_) {
    if (member.over) continue;
    ++sums[2];
    wake_ns = std::min(wake_ns, member.idle_until_ns);
    if (!member.coming.empty()) wake_ns = std::min(wake_ns, member.coming.front().at_ns);
  }
  transport_.sum(sums);
  transport_.min({&wake_ns, 1});
  const bool empty = sums[0] == sums[1];
  if (sums[2] == 0 || until_ns_ >= spec_.end_ns) return {};
  if (empty && wake_ns == never && spec_.end_ns == never) {
    throw StuckError(
        fmt::format("all {} endpoints wait for messages at {} ns, and none is on its way (a deadlock of the "
                    "programs in them); let one of them send, or give cosim.end_ns",
                    sums[2], until_ns_));
  }
  u64 begin_ns = until_ns_;
  if (empty && wake_ns > begin_ns) {
    const u64 from = std::min(wake_ns, spec_.end_ns) / spec_.slice_ns;
    begin_ns = std::max(begin_ns, from * spec_.slice_ns);
    counts_.skipped += (begin_ns - until_ns_) / spec_.slice_ns;
    if (begin_ns >= spec_.end_ns) return Slice{until_ns_, spec_.end_ns};
  }
  ++counts_.slices;
  return Slice{begin_ns, std::min(engine::later_by(begin_ns, spec_.slice_ns), spec_.end_ns)};
}

void Slices::run(const Slice& slice) {
  for (Member& member : members_) {
    const std::vector<Parcel> arrivals = take_before(member.coming, slice.end_ns);
    member.runs = !member.over && (member.idle_until_ns < slice.end_ns || !arrivals.empty());
    if (!member.runs) continue;
    const u64 runs_from_ns = count_idle(member, arrivals.empty() ? never : arrivals.front().at_ns);
    member.runs_from_ns = std::clamp(runs_from_ns, slice.begin_ns, slice.end_ns);
    member.endpoint->begin_advance(slice.end_ns, arrivals);
  }
  for (Member& member : members_) {
    if (member.runs) advanced(member, slice, member.endpoint->end_advance());
  }
}

void Slices::advanced(Member& member, const Slice& slice, Advanced done) {
  check(member, slice, done);
  EndpointCounts& counts = endpoint_counts_[member.number];
  ++counts.advances;
  counts.time_ns = slice.end_ns;
  member.idle_until_ns = done.idle_until_ns;
  member.over = counts.over = done.over;
  if (done.over) {
    counts_.lost += member.coming.size();
    member.coming.clear();
  }
  send(member, done.sent);
}

/// What an endpoint says it sent in a slice.
void Slices::check(const Member& member, const Slice& slice, const Advanced& done) const {
  u64 last_ns = slice.begin_ns;
  for (const Parcel& parcel : done.sent) {
    const std::string who = fmt::format("endpoint {} ({})", member.number, member.endpoint->report().name);
    if (parcel.to >= rank_of_.size()) {
      throw SystemError(fmt::format("{} sends to endpoint {}, of {} (0 to {}); mend the program in it", who, parcel.to,
                                    rank_of_.size(), rank_of_.size() - 1));
    }
    if (parcel.bytes == 0)
      throw SystemError(fmt::format("{} sends a message of 0 bytes; mend the program in it (1 is the least)", who));
    if (parcel.bytes > limits_.message_bytes) {
      throw SystemError(fmt::format("{} sends a message that is too long: {}", who,
                                    workloads::too_many_packets(parcel.bytes, limits_)));
    }
    if (parcel.at_ns < last_ns || parcel.at_ns >= slice.end_ns) {
      throw SystemError(
          fmt::format("{} sends at {} ns in the slice from {} to {} ns, after a message at {} ns; mend the "
                      "program in it (times of messages ascend within a slice)",
                      who, parcel.at_ns, slice.begin_ns, slice.end_ns, last_ns));
    }
    last_ns = parcel.at_ns;
  }
}

void Slices::send(Member& member, const std::vector<Parcel>& sent) {
  EndpointCounts& counts = endpoint_counts_[member.number];
  std::vector<workloads::OutsideSend>& sends = sends_[static_cast<std::size_t>(&member - members_.data())];
  for (const Parcel& parcel : sent) {
    const u32 number = sent_of_[member.number]++;
    ++counts.sent;
    ++counts_.sent;
    counts.sent_bytes += parcel.bytes;
    sends.push_back({cycle_of(parcel.at_ns + spec_.nic_latency_ns), parcel.to, parcel.bytes});
    const auto rank = static_cast<u32>(rank_of_[parcel.to]);
    if (rank == transport_.rank()) {
      keep(member.number, number, parcel.at_ns, parcel.payload);
      continue;
    }
    engine::ByteWriter& to = to_ranks_[rank];
    to.put(member.number);
    to.put(number);
    to.put(parcel.at_ns);
    to.put_list(parcel.payload);
  }
}

/// Payloads travel ahead of their messages, since each rank knows at the end of a slice what is to come to it.
void Slices::exchange_payloads() {
  if (transport_.size() == 1) return;
  std::vector<engine::Batch> out, in;
  for (u32 rank = 0; rank < transport_.size(); ++rank) {
    if (rank == transport_.rank()) continue;
    out.push_back({rank, to_ranks_[rank].take()});
    to_ranks_[rank] = {};
    in.push_back({rank, {}});
  }
  transport_.exchange(out, in);
  for (const engine::Batch& batch : in) {
    engine::ByteReader from(batch.bytes);
    while (from.left() > 0) {
      const u32 sender = from.get<u32>(), number = from.get<u32>();
      const u64 sent_ns = from.get<u64>();
      std::vector<std::byte> payload;
      from.get_list(payload);
      keep(sender, number, sent_ns, std::move(payload));
    }
  }
}

void Slices::keep(u32 from, u32 number, u64 sent_ns, std::vector<std::byte> payload) {
  held_.emplace(std::pair(from, number), Held{sent_ns, std::move(payload)});
}

u64 Slices::count_idle(const Member& member, u64 woken_ns) {
  EndpointCounts& counts = endpoint_counts_[member.number];
  const u64 until_ns = std::min(member.idle_until_ns, woken_ns);
  counts.idle_ns += until_ns > counts.time_ns ? until_ns - counts.time_ns : 0;
  return until_ns;
}

void Slices::end() {
  for (const Member& member : members_) {
    if (!member.over) {
      count_idle(member, until_ns_);
      endpoint_counts_[member.number].time_ns = until_ns_;
    }
    member.endpoint->end(until_ns_);
  }
}

std::vector<u32> Slices::numbers() const {
  std::vector<u32> all;
  for (const Member& member : members_) all.push_back(member.number);
  return all;
}

std::vector<EndpointReport> Slices::reports() const {
  std::vector<EndpointReport> all(rank_of_.size());
  for (const Member& member : members_) all[member.number] = member.endpoint->report();
  return all;
}

}  // namespace weft::tools::cosim
