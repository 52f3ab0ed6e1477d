// What the run loop asks of a simulated network: few questions, and none of them per event, so that the loop, the
// checkpoints and the workloads are compiled once for all routers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/base/bytes.hpp"
#include "engine/base/types.hpp"
#include "engine/digest.hpp"
#include "engine/kernel.hpp"
#include "engine/transport.hpp"
#include "models/core/details.hpp"
#include "models/core/in_flight.hpp"
#include "models/core/layout.hpp"
#include "models/core/statistics.hpp"
#include "models/routing/settings.hpp"

namespace weft::tools {

/// The part of a simulated network that lives on this process, with the host behind its NICs and the kernel that runs
/// both. Entities are local numbers, see models::Layout. Only `run` is collective.
class Simulation {
 public:
  Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  virtual ~Simulation() = default;

  // Time.

  /// Runs all events before tick `until`; false if no event is left on any rank.
  virtual bool run(Tick until) = 0;
  /// The tick run last.
  [[nodiscard]] virtual Tick now() const = 0;
  /// After a run: the earliest tick with an event on any rank; `never` if there is none.
  [[nodiscard]] virtual Tick upcoming() const = 0;
  [[nodiscard]] virtual Tick lookahead() const = 0;
  [[nodiscard]] virtual const engine::KernelCounters& kernel_counters() const = 0;
  /// Goes on at `tick` instead of 0; nothing must have been scheduled.
  virtual void start_at(Tick tick) = 0;

  // What was counted.

  [[nodiscard]] virtual models::Statistics& statistics() = 0;
  [[nodiscard]] virtual engine::Digest& digest() = 0;
  /// Packets between their source and their destination when all before tick `now` is done.
  [[nodiscard]] virtual models::InFlight in_flight(Tick now) const = 0;
  /// First packets that cannot move, for the report on a deadlock.
  [[nodiscard]] virtual std::vector<models::Blocked> blocked() const = 0;
  /// Throws Bug unless every queue of the drained network is empty and every credit is back.
  virtual void check_drained() const = 0;
  /// Packets (cells, where packets have any length) accepted from, and delivered to, each entity; empty unless counted.
  [[nodiscard]] virtual const std::vector<u32>& injected_at() const = 0;
  [[nodiscard]] virtual const std::vector<u32>& delivered_at() const = 0;
  /// What is counted of single links, pairs and packets; null if nothing is.
  [[nodiscard]] virtual models::Details* details() = 0;
  /// Adds up the occupancy of the queues; channels without a link count as empty.
  virtual void sample_queues(models::QueueSizes& sizes) const = 0;

  // The host.

  /// Makes the host ready without scheduling anything: its state comes from a checkpoint.
  virtual void prepare_host() = 0;
  /// Makes the host ready and schedules its first events.
  virtual void start_host() = 0;
  /// Starts the next burst at `tick`; of synthetic sources.
  virtual void start_burst(Tick tick) = 0;
  /// Begins a job that waits for others at `tick`; of hosts that run jobs.
  virtual void begin_job(u32 job, Tick tick) = 0;
  /// Whether a host has a packet that the network has not let in.
  [[nodiscard]] virtual bool hosts_wait() const = 0;

  // Between runs, for checkpoints: the state, entity by entity.

  /// Number of an entity in the whole network.
  [[nodiscard]] virtual u32 global_id(u32 entity) const = 0;
  /// Whether packets enter and leave the network at this entity: the others have no host.
  [[nodiscard]] virtual bool is_endpoint(u32 entity) const = 0;
  /// Packets that an entity has put on its links.
  [[nodiscard]] virtual u32 work(u32 entity) const = 0;
  /// Bytes that `save` writes now; may differ from time to time.
  [[nodiscard]] virtual u32 state_bytes(u32 entity) const = 0;
  virtual void save(u32 entity, std::byte* to) const = 0;
  /// Throws InputError if the bytes cannot be those of this entity.
  virtual void load(u32 entity, std::span<const std::byte> from) = 0;
  virtual void save_host(u32 entity, engine::ByteWriter& to) const = 0;
  virtual void load_host(u32 entity, engine::ByteReader& from) = 0;

  /// Lets nodes inject new packets from tick `now` on, or not. After a checkpoint was resumed as well, if they may
  /// not.
  virtual void set_injection(bool open, Tick now) = 0;

  /// Parts of the network have failed or come back, or routers know of it, at tick `now`: see models::LiveFaults.
  virtual void faults_changed(Tick now) = 0;

  // And the pending events, in rows of one length for each type: the tick, then the event with its entity's number in
  // the whole network.

  /// Length of a row, [type].
  [[nodiscard]] virtual std::vector<u32> event_bytes() const = 0;
  /// Rows of the pending events of this process, one after the other, [type].
  [[nodiscard]] virtual std::vector<std::vector<std::byte>> pending_events() const = 0;
  /// Schedules the event of a row if its entity lives here; false if not.
  virtual bool schedule(u32 type, std::span<const std::byte> row) = 0;
};

/// What a simulation is made of besides its host. What is given by reference must outlive it.
struct SimulationParts {
  const models::Topology& topology;
  const models::RouterSettings& router;
  models::Layout& layout;
  engine::Transport& transport;
  engine::KernelSpec kernel;
  bool count_endpoints = true;  ///< whether to count packets per entity
  models::DetailSettings details = {};
};

}  // namespace weft::tools
