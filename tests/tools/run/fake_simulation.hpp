// A made-up network for the tests of the run loop: packets that are generated and delivered at given ticks, and a clock
// that moves as fast as the test wants.
#pragma once

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/system/clock.hpp"
#include "tools/run/simulation.hpp"

namespace weft::tools::testing {

/// Stands still until it is moved; the processor is busy half of the time.
class FakeClock final : public Clock {
 public:
  [[nodiscard]] double wall_s() const override { return now_s; }
  [[nodiscard]] double user_cpu_s() const override { return now_s / 2; }
  double now_s = 1000;
};

/// A packet of the script; without a delivery it hangs for ever.
struct FakePacket {
  Tick generated = 0;
  std::optional<Tick> delivered;
};

/// All packets are those of entity 0. The other entities hold nothing.
class FakeSimulation final : public Simulation {
 public:
  FakeSimulation(FakeClock& clock, u32 entities) : clock_(clock), entities_(entities) {}

  std::vector<FakePacket> script;  ///< scheduled when the host starts
  double seconds_per_tick = 0;     ///< what a tick costs
  std::vector<Tick> stops;         ///< until where each stretch ran
  u32 burst_packets = 0;           ///< of a burst, one a tick
  Tick burst_latency = 0;          ///< of each of them
  std::vector<Tick> burst_begins;  ///< where they were started
  mutable u32 drained_checks = 0;  ///< calls of check_drained
  bool host_started = false;
  bool refuses_records = false;  ///< of checkpoints
  u32 cells = 0;                 ///< of each packet, where they are counted
  bool hosts_are_right = true;   ///< each host was given what it had saved
  Tick echo = 0;                 ///< something happens so long after each delivery; 0: nothing does
  Tick signal_after = never;     ///< a stretch beyond this tick is struck by SIGUSR1
  std::vector<std::pair<Tick, bool>> injection_changes;  ///< when it was opened or closed

  bool run(Tick until) override {
    const Tick from = stops.empty() ? now_ : stops.back();
    while (!events_.empty() && events_.begin()->first < until) {
      now_ = events_.begin()->first;
      const Event event = events_.begin()->second;
      events_.erase(events_.begin());
      ++kernel_.events;
      if (event.delivery == 2) continue;
      event.delivery != 0 ? deliver(event.generated) : offer(event.latency);
      if (event.delivery != 0 && echo != 0) events_.emplace(now_ + echo, Event{0, 2, 0});
    }
    stops.push_back(until);
    if (until > signal_after) std::raise(SIGUSR1);
    clock_.now_s += seconds_per_tick * static_cast<double>(std::max(from, until) - from);
    return !events_.empty();
  }
  [[nodiscard]] Tick now() const override { return now_; }
  [[nodiscard]] Tick upcoming() const override { return events_.empty() ? never : events_.begin()->first; }
  [[nodiscard]] Tick lookahead() const override { return 1; }
  [[nodiscard]] const engine::KernelCounters& kernel_counters() const override { return kernel_; }
  void start_at(Tick tick) override { now_ = tick; }

  [[nodiscard]] models::Statistics& statistics() override { return statistics_; }
  [[nodiscard]] engine::Digest& digest() override { return digest_; }
  [[nodiscard]] models::InFlight in_flight(Tick now) const override {
    models::InFlight found;
    found.network = state_.flying;
    for (u64 k = 0; k < state_.flying; ++k) found.oldest_age = std::max(found.oldest_age, now - state_.generated[k]);
    return found;
  }
  [[nodiscard]] std::vector<models::Blocked> blocked() const override { return {}; }
  void check_drained() const override { ++drained_checks; }
  [[nodiscard]] const std::vector<u32>& injected_at() const override { return uncounted_; }
  [[nodiscard]] const std::vector<u32>& delivered_at() const override { return uncounted_; }
  std::optional<models::Details> counted;  ///< with what it is to count; not given: nothing
  [[nodiscard]] models::Details* details() override { return counted ? &*counted : nullptr; }
  void sample_queues(models::QueueSizes& sizes) const override {
    sizes.see_transit(0, 0, state_.flying);
    sizes.see_injection(0, 0, 0);
  }

  void prepare_host() override {}
  void start_host() override {
    host_started = true;
    for (const FakePacket& packet : script) add(packet);
  }
  [[nodiscard]] bool hosts_wait() const override { return !held_.empty(); }
  void faults_changed(Tick /*now*/) override {}
  void set_injection(bool open, Tick now) override {
    open_ = open;
    injection_changes.push_back({now, open});
    if (!open) return;
    for (const Tick latency : held_) events_.emplace(now, Event{0, 0, now, latency});
    held_.clear();
  }
  void begin_job(u32 /*job*/, Tick /*tick*/) override {}
  void start_burst(Tick tick) override {
    burst_begins.push_back(tick);
    for (u32 k = 0; k < burst_packets; ++k) add({tick + k, tick + k + burst_latency});
  }

  [[nodiscard]] u32 global_id(u32 entity) const override { return entity; }
  [[nodiscard]] bool is_endpoint(u32 entity) const override { return entity % 2 == 0; }
  [[nodiscard]] u32 work(u32) const override { return 0; }
  /// Bytes of entity 0: as many generations as there are packets.
  [[nodiscard]] u32 state_bytes(u32 entity) const override {
    return entity == 0 ? static_cast<u32>(state_.flying * sizeof(Tick)) : 0;
  }
  void save(u32 entity, std::byte* to) const override {
    if (entity == 0 && state_.flying != 0) std::memcpy(to, state_.generated.data(), state_.flying * sizeof(Tick));
  }
  void load(u32 entity, std::span<const std::byte> from) override {
    if (refuses_records) throw InputError("entity 0 wants another record");
    if (entity != 0) return;
    state_.flying = from.size() / sizeof(Tick);
    WEFT_ASSERT(state_.flying <= state_.generated.size());
    if (state_.flying != 0) std::memcpy(state_.generated.data(), from.data(), from.size());
  }
  void save_host(u32 entity, engine::ByteWriter& to) const override { to.put(host_word(entity)); }
  void load_host(u32 entity, engine::ByteReader& from) override {
    hosts_are_right &= from.get<u64>() == host_word(entity);
  }

  [[nodiscard]] std::vector<u32> event_bytes() const override { return {sizeof(Tick) + sizeof(Event)}; }
  [[nodiscard]] std::vector<std::vector<std::byte>> pending_events() const override {
    std::vector<std::vector<std::byte>> rows(1);
    for (const auto& [tick, event] : events_) {
      const auto append = [&](const void* from, std::size_t bytes) {
        const auto* begin = static_cast<const std::byte*>(from);
        rows[0].insert(rows[0].end(), begin, begin + bytes);
      };
      append(&tick, sizeof tick);
      append(&event, sizeof event);
    }
    return rows;
  }
  bool schedule(u32, std::span<const std::byte> row) override {
    Tick tick;
    Event event;
    std::memcpy(&tick, row.data(), sizeof tick);
    std::memcpy(&event, row.data() + sizeof tick, sizeof event);
    if (event.entity >= entities_) return false;
    events_.emplace(tick, event);
    return true;
  }

 private:
  struct Event {
    u32 entity = 0;
    u32 delivery = 0;  ///< 1, or 0 for a generation, or 2 for something that concerns no packet
    Tick generated = 0;
    Tick latency = never;  ///< of a generation: until the delivery; never: the packet hangs
  };
  struct State {
    u64 flying = 0;
    std::array<Tick, 64> generated{};  ///< of those that fly, in no order
  };

  static u64 host_word(u32 entity) { return 77 + entity; }
  void add(const FakePacket& packet) {
    const Tick latency = packet.delivered ? *packet.delivered - packet.generated : never;
    events_.emplace(packet.generated, Event{0, 0, packet.generated, latency});
  }
  void offer(Tick latency) {
    if (!open_) return held_.push_back(latency);
    bear();
    if (latency != never) events_.emplace(now_ + latency, Event{0, 1, now_});
  }
  void bear() {
    WEFT_ASSERT(state_.flying < state_.generated.size());
    state_.generated[state_.flying++] = now_;
    models::Counters& c = statistics_.counters;
    ++c.generated;
    ++c.injected;
    c.generated_cells += cells;
    c.injected_cells += cells;
    c.network_time -= now_;
    digest_.add(0, now_, 1);
    tell(models::PacketEvent::Kind::generated, now_);
    tell(models::PacketEvent::Kind::injected, now_);
  }
  void deliver(Tick generated) {
    auto* const end = state_.generated.data() + state_.flying;
    auto* const found = std::find(state_.generated.data(), end, generated);
    WEFT_ASSERT(found != end);
    *found = *(end - 1);
    --state_.flying;
    models::Counters& c = statistics_.counters;
    ++c.delivered;
    c.delivered_cells += cells;
    c.network_time += now_;
    c.add_latency(now_ - generated);
    statistics_.histogram.add(now_ - generated);
    statistics_.latency_max = std::max(statistics_.latency_max, now_ - generated);
    statistics_.last_delivery = now_;
    digest_.add(1, now_, generated);
    tell(models::PacketEvent::Kind::delivered, generated);
  }
  void tell(models::PacketEvent::Kind kind, Tick generated) {
    if (counted) counted->tell({now_, 0, kind, 0, 0, 1, cells, generated}, now_ - generated);
  }

  FakeClock& clock_;
  u32 entities_;
  std::multimap<Tick, Event> events_;
  State state_;
  models::Statistics statistics_;
  engine::Digest digest_;
  engine::KernelCounters kernel_;
  std::vector<u32> uncounted_;
  Tick now_ = 0;
  bool open_ = true;
  std::vector<Tick> held_;  ///< latencies of packets that wait until they may be injected
};

}  // namespace weft::tools::testing
