// The scripted host and how a network is run with it: what the scripted_*.cpp compile, each with its policy.
#pragma once

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <mutex>

#include "engine/base/registry.hpp"
#include "engine/random.hpp"
#include "models/machine/packets/network.hpp"
#include "tests/engine/thread_ranks.hpp"
#include "tests/models/network/scripted_network.hpp"

namespace weft::models::testing {

/// How a kind of router that has loops of its own is run with the scripted host. One adds itself under the kind's name,
/// in a scripted_*.cpp of its own.
struct ScriptedLoop {
  std::function<Result(const Case&, const Topology&, const std::vector<Send>&)> run;
};
using ScriptedLoops = Registry<ScriptedLoop>;
/// The loop of all plain routers, by the width of their masks.
template <unsigned Words>
Result run_plain(const Case& setup, const Topology& topology, const std::vector<Send>& script);
template <>
Result run_plain<1>(const Case& setup, const Topology& topology, const std::vector<Send>& script);
template <>
Result run_plain<4>(const Case& setup, const Topology& topology, const std::vector<Send>& script);

/// The random bits of a source's so manieth packet.
inline u64 bits_of(u32 from, u64 number) { return engine::random_bits(7, from, number, engine::Use::test); }

/// Puts each node's packets in at their ticks, in order; what finds no free space waits for it.
class ScriptedHost {
 public:
  using Packet = models::Packet;
  static constexpr bool acts = true;
  struct Event {
    u32 entity;
  };

  ScriptedHost(const Case& setup) : start_(setup.start), in_act_(setup.inject_in_act) {}

  template <class Net>
  void start(Net& net, const std::vector<Send>& script) {
    sources_.resize(net.layout().entities());
    for (const Send& send : script) {
      const u32 entity = net.layout().entity_of(NodeId(send.from));
      if (entity != Layout::none) sources_[entity].sends.push_back(send);
    }
    for (u32 e = 0; e < sources_.size(); ++e) {
      auto& sends = sources_[e].sends;
      std::ranges::stable_sort(sends, {}, &Send::tick);
      if (!sends.empty()) net.kernel().schedule(start_ + sends[0].tick, Event{e});
    }
  }
  template <class Net>
  void absorb(Net& net, Tick tick, const Event& e) {
    sources_[e.entity].scheduled = false;
    offer(net, tick, e.entity);
  }
  template <class Net>
  void space(Net& net, Tick tick, u32 entity) {
    offer(net, tick, entity);
  }
  template <class Net>
  void act(Net& net, Tick tick, u32 entity) {
    if (!sources_[entity].ready) return;
    sources_[entity].ready = false;
    pump(net, tick, entity);
  }
  template <class Net>
  void delivered(Net& net, Tick, Tick at, u32 entity, const Packet& packet) {
    const u32 to = net.policy().decode(packet.to);
    EXPECT_EQ(net.layout().node(entity).value(), to) << "a packet came out at the wrong node";
    deliveries.push_back({at - start_, net.policy().decode(packet.from), to, at - start_ - packet.age(at)});
  }
  [[nodiscard]] u64 not_accepted() const {
    u64 sum = 0;
    for (const Source& s : sources_) sum += s.sends.size() - s.next;
    return sum;
  }

  std::vector<Delivery> deliveries;

 private:
  struct Source {
    std::vector<Send> sends;
    std::size_t next = 0;
    bool scheduled = false, ready = false;
  };

  template <class Net>
  void offer(Net& net, Tick tick, u32 entity) {
    if (in_act_) {
      sources_[entity].ready = true;
      net.kernel().touch(entity);
    } else {
      pump(net, tick, entity);
    }
  }
  template <class Net>
  void pump(Net& net, Tick tick, u32 entity) {
    Source& s = sources_[entity];
    for (; s.next < s.sends.size() && start_ + s.sends[s.next].tick <= tick; ++s.next) {
      const Send& send = s.sends[s.next];
      const u64 bits = bits_of(send.from, s.next);
      Packet packet;
      packet.to = net.policy().encode(NodeId(send.to));
      packet.from = net.policy().encode(NodeId(send.from));
      packet.ties = static_cast<u8>(bits);
      if constexpr (requires { requires Net::any_length; }) {
        const u32 cells = send.cells != 0 ? send.cells : net.settings().packet_phits;
        if (!net.inject(entity, packet, tick, bits, cells)) return;  // space() comes back to it
      } else {
        if (!net.inject(entity, packet, tick, bits)) return;
      }
    }
    if (s.next < s.sends.size() && !s.scheduled) {
      s.scheduled = true;
      net.kernel().schedule(start_ + s.sends[s.next].tick, Event{entity});
    }
  }

  std::vector<Source> sources_;
  Tick start_;
  bool in_act_;
};

/// What a test sees of any network model.
template <class Net>
class NetworkProbe final : public Probe {
 public:
  NetworkProbe(Net& net, const Topology& /*topology*/, Tick start) : net_(net), start_(start) {}
  void at(Tick tick) { tick_ = tick; }

  [[nodiscard]] Tick tick() const override { return tick_ - start_; }
  void check_conservation() const override { net_.check_conservation(tick_); }
  void for_each_queued(const std::function<void(const Queued&)>& /*f*/) const override { not_here(); }
  [[nodiscard]] u32 channels(u32 /*router*/) const override { not_here(); }
  [[nodiscard]] u32 buffered(u32 router, u32 input) const override {
    if constexpr (requires { net_.buffered(router, input, tick_); }) return net_.buffered(router, input, tick_);
    not_here();
  }
  void miscount_output(u32 /*router*/, u32 /*output*/, int /*by*/) override { not_here(); }
  void miscount_input(u32 /*router*/, u32 /*input*/, int /*by*/) override { not_here(); }

 private:
  [[noreturn]] static void not_here() { throw Bug("only for networks of queues and credits"); }
  Net& net_;
  Tick start_, tick_ = 0;
};

/// What a test sees of a network of queues and credits, and spoils.
template <class Policy>
class NetworkProbe<Network<Policy, ScriptedHost>> final : public Probe {
 public:
  using Net = Network<Policy, ScriptedHost>;
  NetworkProbe(Net& net, const Topology& topology, Tick start) : net_(net), topology_(topology), start_(start) {}
  void at(Tick tick) { tick_ = tick; }

  [[nodiscard]] Tick tick() const override { return tick_ - start_; }
  void check_conservation() const override { net_.check_conservation(tick_); }
  void for_each_queued(const std::function<void(const Queued&)>& f) const override {
    net_.for_each_queued([&](u32 entity, u32 through, u32 channel, const Packet& packet, bool leaving) {
      f({net_.global_id(entity), through, channel, net_.policy().decode(packet.from), net_.policy().decode(packet.to),
         packet.generated_at() - start_, leaving});
    });
  }
  [[nodiscard]] u32 channels(u32 router) const override { return shape_of(router).channels; }
  [[nodiscard]] u32 buffered(u32 /*router*/, u32 /*input*/) const override { throw Bug("only for buffers of cells"); }
  void miscount_output(u32 router, u32 output, int by) override {
    const auto shape = shape_of(router);
    add(router, shape.used_at + slot_of(shape, output), by);
  }
  void miscount_input(u32 router, u32 input, int by) override {
    using Queue = InputQueue<Policy::words>;
    add(router, shape_of(router).lanes_at + input * sizeof(typename Net::BlockType::Lane) + offsetof(Queue, count), by);
  }

 private:
  [[nodiscard]] auto shape_of(u32 router) const {
    typename Policy::ShapeType shape;
    if constexpr (std::is_same_v<typename Policy::ShapeType, Shape>) {
      const u32 kind = topology_.kind(RouterId(router));
      shape.endpoint = topology_.direct();
      shape.ports = topology_.kind_ports(kind);
      shape.channels = shape.ports * net_.settings().virtual_channels;
      net_.policy().describe(shape, kind);
      lay_out_outputs<Policy::words>(shape, Policy::wants_count(shape));
    }
    return shape;
  }
  [[nodiscard]] u32 slot_of(const typename Policy::ShapeType& shape, u32 output) const {
    if constexpr (std::is_same_v<typename Policy::ShapeType, Shape>) {
      return net_.policy().slot(shape, output);
    } else {
      return shape.slot_of[output];
    }
  }
  void add(u32 entity, std::size_t at, int by) {
    std::vector<std::byte> block(net_.state_bytes(entity));
    net_.save(entity, block.data());
    block[at] = static_cast<std::byte>(static_cast<int>(block[at]) + by);
    net_.load(entity, block);
  }

  Net& net_;
  const Topology& topology_;
  Tick start_, tick_ = 0;
};

/// Runs up to tick `end`, and calls the test after each tick. Returns whether no event is left.
template <class Net>
bool run_by_ticks(Net& net, NetworkProbe<Net>& probe, const Case& setup, Tick end) {
  typename Net::Kernel& kernel = net.kernel();
  for (Tick tick = setup.start; tick < end; ++tick) {
    if constexpr (requires { net.faults_changed(tick); }) {
      if (setup.faults != nullptr && setup.faults->advance(tick)) net.faults_changed(tick);
    }
    const auto outcome = kernel.run(tick + 1);
    probe.at(tick);
    setup.each_tick(probe);
    if (outcome == decltype(outcome)::exhausted && setup.faults == nullptr) return true;
  }
  return false;
}

template <class Net>
void run_part(const Case& setup, const Topology& topology, const std::vector<Send>& script,
              engine::Transport& transport, Result& result, std::mutex& mutex) {
  auto part_of = setup.part_of_router;
  if (part_of.empty()) part_of.assign(topology.routers(), 0);
  Layout layout(topology, part_of_table(std::move(part_of)), transport.rank(), transport.size());
  ScriptedHost host(setup);
  Net net(topology, setup.router, layout, host);
  engine::KernelSpec spec = layout.kernel_spec();
  spec.lookahead = setup.router.link_ticks;
  spec.protocol = setup.protocol;
  engine::Kernel<Net> kernel(net, transport, spec);
  net.attach(kernel);
  kernel.start_at(setup.start);
  host.start(net, script);
  const Tick end = setup.until == never ? never : setup.start + setup.until;
  bool exhausted = false;
  if (setup.each_tick) {
    NetworkProbe<Net> probe(net, topology, setup.start);
    exhausted = run_by_ticks(net, probe, setup, end);
  } else {
    const auto outcome = kernel.run(end);
    exhausted = outcome == decltype(outcome)::exhausted;
  }

  const std::lock_guard lock(mutex);
  result.exhausted = exhausted;
  std::ranges::copy(host.deliveries, std::back_inserter(result.deliveries));
  auto sums = result.counters.words();
  for (u32 i = 0; i < Counters::sums; ++i) sums[i] += net.statistics().counters.words()[i];
  result.counters = Counters::from(sums);
  const InFlight in_flight = net.in_flight(result.exhausted ? kernel.now() + 1 : setup.start + setup.until);
  result.in_flight.queued += in_flight.queued;
  result.in_flight.network += in_flight.network;
  result.in_flight.oldest_age = std::max(result.in_flight.oldest_age, in_flight.oldest_age);
  result.distance_max = std::max(result.distance_max, net.statistics().distance_max);
  result.digest.add(net.digest());
  std::ranges::copy(net.blocked(), std::back_inserter(result.blocked));
  result.not_accepted += host.not_accepted();
  result.wheel_events += kernel.counters().events;
  result.bytes += net.bytes();
  result.acts += kernel.counters().activations;
  if (result.exhausted && result.blocked.empty() && host.not_accepted() == 0) net.check_drained();
}

/// Runs a network model with the scripted host.
template <class Net>
Result run_network(const Case& setup, const Topology& topology, const std::vector<Send>& script) {
  Result result;
  std::mutex mutex;
  const auto body = [&](engine::Transport& transport) {
    run_part<Net>(setup, topology, script, transport, result, mutex);
  };
  if (setup.parts == 1) {
    body(*engine::single_process());
  } else {
    engine::testing::run_ranks(setup.parts, body);
  }
  std::ranges::sort(result.deliveries);
  result.drained = result.exhausted && result.not_accepted == 0 && result.blocked.empty() &&
                   result.deliveries.size() + result.counters.dropped == script.size() + result.counters.copies;
  return result;
}

template <class Policy>
Result run_policy(const Case& setup, const Topology& topology, const std::vector<Send>& script) {
  return run_network<Network<Policy, ScriptedHost>>(setup, topology, script);
}

}  // namespace weft::models::testing
