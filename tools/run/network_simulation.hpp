// A network, its host and their kernel as a Simulation: the one template that is compiled for each router and host.
#pragma once

#include <concepts>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>

#include "engine/base/error.hpp"
#include "engine/kernel.hpp"
#include "models/core/details.hpp"
#include "models/core/in_flight.hpp"
#include "models/core/statistics.hpp"
#include "tools/run/simulation.hpp"

namespace weft::tools {

/// What a simulated machine offers besides what its kernel asks for (engine/kernel.hpp): models::Network, or one of its
/// own. Made from (topology, router settings, layout, host), where Host is its HostType; entities are those of the
/// layout.
template <class Net>
concept SimulatedNetwork = requires(Net& net, const Net& fixed, typename Net::Kernel& kernel, models::Details& details,
                                    models::QueueSizes& sizes, Tick tick, u32 entity, std::byte* to,
                                    std::span<const std::byte> from) {
  typename Net::HostType;
  typename Net::Events;
  // For the run.
  net.attach(kernel);
  net.set_injection(true, tick);
  { net.statistics() } -> std::same_as<models::Statistics&>;
  { net.digest() } -> std::same_as<engine::Digest&>;
  { fixed.in_flight(tick) } -> std::same_as<models::InFlight>;
  { fixed.blocked() } -> std::same_as<std::vector<models::Blocked>>;
  fixed.check_drained();
  // What is counted on request.
  net.count_endpoints();
  { fixed.injected_at() } -> std::same_as<const std::vector<u32>&>;
  { fixed.delivered_at() } -> std::same_as<const std::vector<u32>&>;
  net.count_details(details);
  fixed.sample_queues(sizes);
  // For checkpoints: the state of an entity between runs, the same bytes wherever it lives; their number may change
  // while the network runs. `load` checks that they are all there, and throws InputError if not.
  { fixed.global_id(entity) } -> std::same_as<u32>;
  { fixed.is_endpoint(entity) } -> std::same_as<bool>;
  { fixed.work(entity) } -> std::same_as<u32>;
  { fixed.state_bytes(entity) } -> std::same_as<u32>;
  fixed.save(entity, to);
  net.load(entity, from);
};

/// `Net` may be any machine that answers as models::Network does: see SimulatedNetwork.
template <class Net>
class NetworkSimulation final : public Simulation {
 public:
  static_assert(SimulatedNetwork<Net>);
  using Host = typename Net::HostType;

  NetworkSimulation(const SimulationParts& parts, Host& host)
      : host_(host),
        layout_(parts.layout),
        net_(parts.topology, parts.router, parts.layout, host),
        kernel_(net_, parts.transport, parts.kernel) {
    net_.attach(kernel_);
    if (parts.count_endpoints) net_.count_endpoints();
    if (parts.details.any()) net_.count_details(details_.emplace(parts.details));
  }

  bool run(Tick until) override { return kernel_.run(until) == Net::Kernel::Outcome::reached; }
  [[nodiscard]] Tick now() const override { return kernel_.now(); }
  [[nodiscard]] Tick upcoming() const override { return kernel_.upcoming(); }
  [[nodiscard]] Tick lookahead() const override { return kernel_.lookahead(); }
  [[nodiscard]] const engine::KernelCounters& kernel_counters() const override { return kernel_.counters(); }
  void start_at(Tick tick) override { kernel_.start_at(tick); }

  [[nodiscard]] models::Statistics& statistics() override { return net_.statistics(); }
  [[nodiscard]] engine::Digest& digest() override { return net_.digest(); }
  [[nodiscard]] models::InFlight in_flight(Tick now) const override { return net_.in_flight(now); }
  [[nodiscard]] std::vector<models::Blocked> blocked() const override { return net_.blocked(); }
  void check_drained() const override { net_.check_drained(); }
  [[nodiscard]] const std::vector<u32>& injected_at() const override { return net_.injected_at(); }
  [[nodiscard]] const std::vector<u32>& delivered_at() const override { return net_.delivered_at(); }

  [[nodiscard]] models::Details* details() override { return details_ ? &*details_ : nullptr; }
  void sample_queues(models::QueueSizes& sizes) const override { net_.sample_queues(sizes); }

  void prepare_host() override { host_.prepare(net_); }
  void start_host() override { host_.start(net_); }
  void start_burst([[maybe_unused]] Tick tick) override {
    if constexpr (requires { host_.start_burst(net_, tick); }) {
      host_.start_burst(net_, tick);
    } else {
      throw Bug("this host knows no bursts");
    }
  }

  void begin_job([[maybe_unused]] u32 job, [[maybe_unused]] Tick tick) override {
    if constexpr (requires { host_.begin_job(net_, job, tick); }) {
      host_.begin_job(net_, job, tick);
    } else {
      throw Bug("this host runs no jobs");
    }
  }

  [[nodiscard]] bool hosts_wait() const override { return host_.waits(); }

  void set_injection(bool open, Tick now) override { net_.set_injection(open, now); }

  void faults_changed([[maybe_unused]] Tick now) override {
    if constexpr (requires { net_.faults_changed(now); }) {
      net_.faults_changed(now);
    } else {
      throw Bug("this machine knows no parts that fail during the run");
    }
  }

  [[nodiscard]] u32 global_id(u32 entity) const override { return net_.global_id(entity); }
  [[nodiscard]] bool is_endpoint(u32 entity) const override { return net_.is_endpoint(entity); }
  [[nodiscard]] u32 work(u32 entity) const override { return net_.work(entity); }
  [[nodiscard]] u32 state_bytes(u32 entity) const override { return net_.state_bytes(entity); }
  void save(u32 entity, std::byte* to) const override { net_.save(entity, to); }
  void load(u32 entity, std::span<const std::byte> from) override { net_.load(entity, from); }
  void save_host(u32 entity, engine::ByteWriter& to) const override { host_.save(entity, to); }
  void load_host(u32 entity, engine::ByteReader& from) override { host_.load(entity, from); }

  [[nodiscard]] std::vector<u32> event_bytes() const override {
    std::vector<u32> bytes;
    for_event_types(Events{}, [&]<class Event>(u32) { bytes.push_back(row_bytes<Event>); });
    return bytes;
  }

  [[nodiscard]] std::vector<std::vector<std::byte>> pending_events() const override {
    std::vector<std::vector<std::byte>> rows;
    for_event_types(Events{}, [&]<class Event>(u32) { rows.emplace_back(); });
    kernel_.for_each_pending([&]<class Event>(Tick tick, const Event& event) {
      std::vector<std::byte>& of_type = rows[event_type<Event>(Events{})];
      Event global = event;
      global.entity = net_.global_id(event.entity);
      const std::size_t at = of_type.size();
      of_type.resize(at + row_bytes<Event>);
      std::memcpy(of_type.data() + at, &tick, sizeof tick);
      std::memcpy(of_type.data() + at + sizeof tick, &global, sizeof global);
    });
    return rows;
  }

  bool schedule(u32 type, std::span<const std::byte> row) override {
    bool here = false;
    for_event_types(Events{}, [&]<class Event>(u32 at) {
      if (at != type) return;
      WEFT_ASSERT(row.size() == row_bytes<Event>);
      Tick tick;
      Event event;
      std::memcpy(&tick, row.data(), sizeof tick);
      std::memcpy(static_cast<void*>(&event), row.data() + sizeof tick, sizeof event);
      event.entity = layout_.entity_of_global(event.entity);
      here = event.entity != models::Layout::none;
      if (here) kernel_.schedule(tick, event);
    });
    return here;
  }

 private:
  using Events = typename Net::Events;

  template <class Event>
  static constexpr u32 row_bytes = sizeof(Tick) + sizeof(Event);

  /// Place of an event type in the kernel's list.
  template <class Event, class... Others>
  static constexpr u32 event_type(engine::EventTypes<Others...>) {
    u32 at = 0, found = 0;
    ((std::is_same_v<Event, Others> ? found = at++ : at++), ...);
    return found;
  }
  /// Calls f.template operator()<Event>(type) for every type.
  template <class F, class... Event>
  static void for_event_types(engine::EventTypes<Event...>, F&& f) {
    u32 at = 0;
    (f.template operator()<Event>(at++), ...);
  }

  Host& host_;
  models::Layout& layout_;
  Net net_;
  std::optional<models::Details> details_;
  typename Net::Kernel kernel_;
};

}  // namespace weft::tools
