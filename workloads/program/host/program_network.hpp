// What the engine of programs asks of the network in front of it. By calls, a few for each message and packet: the
// engine is compiled once, and not into the event loop of each network.
#pragma once

#include "engine/base/error.hpp"
#include "engine/digest.hpp"
#include "models/core/layout.hpp"
#include "models/core/statistics.hpp"
#include "workloads/program/host/program_event.hpp"

namespace weft::workloads {

/// Networks without contention that carry messages whole (models::ideal).
template <class Net>
concept CarriesMessages = requires {
  requires Net::is_ideal;
};

/// A network as ProgramHost sees it. Entities are local numbers (models::Layout).
class ProgramNetwork {
 public:
  ProgramNetwork(const ProgramNetwork&) = delete;
  ProgramNetwork& operator=(const ProgramNetwork&) = delete;
  virtual ~ProgramNetwork() = default;

  /// Whether it takes whole messages (post, signal) and not packets.
  [[nodiscard]] bool carries_messages() const { return carries_messages_; }
  [[nodiscard]] Tick cycle_ticks() const { return cycle_ticks_; }
  [[nodiscard]] const models::Layout& layout() const { return layout_; }
  [[nodiscard]] models::Statistics& statistics() { return statistics_; }
  [[nodiscard]] engine::Digest& digest() { return digest_; }

  /// An event of this process, at tick `when` >= now.
  virtual void schedule(Tick when, const ProgramEvent& event) = 0;
  /// ProgramHost::act is called for the entity in this tick.
  virtual void touch(u32 entity) = 0;
  /// A node's number as packets carry it.
  [[nodiscard]] virtual u32 encode(NodeId node) const = 0;
  /// A message of `bytes` leaves at `tick` and is delivered at `arrival`.
  virtual void post(u32 entity, const ProgramPacket& packet, Tick tick, Tick arrival, u64 bytes) = 0;
  /// The host of node `to` gets a signal at tick `when`.
  virtual void signal(u32 entity, NodeId to, const ProgramSignal& signal, Tick when) = 0;

 protected:
  ProgramNetwork(bool carries_messages, Tick cycle_ticks, const models::Layout& layout, models::Statistics& statistics,
                 engine::Digest& digest)
      : carries_messages_(carries_messages),
        cycle_ticks_(cycle_ticks),
        layout_(layout),
        statistics_(statistics),
        digest_(digest) {}

 private:
  bool carries_messages_;
  Tick cycle_ticks_;
  const models::Layout& layout_;
  models::Statistics& statistics_;
  engine::Digest& digest_;
};

/// The face of one machine: models::Network or another.
template <class Net>
class ProgramNetworkOf final : public ProgramNetwork {
 public:
  explicit ProgramNetworkOf(Net& net)
      : ProgramNetwork(CarriesMessages<Net>, net.settings().cycle_ticks, net.layout(), net.statistics(), net.digest()),
        net_(net) {}

  void schedule(Tick when, const ProgramEvent& event) override { net_.kernel().schedule(when, event); }
  void touch(u32 entity) override { net_.kernel().touch(entity); }
  [[nodiscard]] u32 encode(NodeId node) const override { return net_.policy().encode(node); }

  void post([[maybe_unused]] u32 entity, [[maybe_unused]] const ProgramPacket& packet, [[maybe_unused]] Tick tick,
            [[maybe_unused]] Tick arrival, [[maybe_unused]] u64 bytes) override {
    if constexpr (CarriesMessages<Net>) {
      net_.post(entity, packet, tick, arrival, bytes);
    } else {
      throw Bug("this network carries packets, not whole messages");
    }
  }
  void signal([[maybe_unused]] u32 entity, [[maybe_unused]] NodeId to, [[maybe_unused]] const ProgramSignal& signal,
              [[maybe_unused]] Tick when) override {
    if constexpr (CarriesMessages<Net>) {
      net_.signal(entity, to, signal, when);
    } else {
      throw Bug("this network carries packets, not signals");
    }
  }

 private:
  Net& net_;
};

}  // namespace weft::workloads
