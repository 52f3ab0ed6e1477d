// What a run records besides its summary, as [statistics] asks: time series, links, distances, pairs, queues, packet
// events. The same on any number of ranks, and across checkpoints.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "engine/base/bytes.hpp"
#include "models/core/details.hpp"
#include "models/core/layout.hpp"
#include "models/core/statistics.hpp"
#include "tools/run/collect/event_file.hpp"
#include "tools/run/collect/passages.hpp"
#include "tools/run/collect/series.hpp"
#include "tools/run/context.hpp"
#include "tools/run/simulation.hpp"

namespace weft::tools {

/// Which details the network is to count. Throws ConfigError.
[[nodiscard]] models::DetailSettings detail_settings(const Context& context);

/// Records a run. All members but `next_after` are collective. Ticks are those before which all is done.
class Recorder {
 public:
  /// What it is given must outlive it.
  Recorder(Context& context, Simulation& simulation, const models::Layout& layout);

  /// Call at the begin of a run that does not go on from a checkpoint.
  void start();
  /// Call once a checkpoint that was resumed has been accepted; what comes after it is gone from the events then.
  void go_on();
  /// First tick after `now` at which the run must stop, or `never`.
  [[nodiscard]] Tick next_after(Tick now) const;
  /// Call after each stretch. `total`: counts of all ranks.
  void stopped(Tick now, const models::Counters& total);
  /// Puts what was recorded into the result. `cycles`: length of the run.
  void finish(const models::Counters& total, Tick cycles);

  /// State for checkpoints: what rank 0 writes, all ranks read.
  void put(engine::ByteWriter& to);
  void get(engine::ByteReader& from);

 private:
  /// Details of all ranks, on rank 0.
  struct Gathered {
    std::vector<models::LinkCount> links;  ///< by entity and output
    std::vector<u64> distances, distances_ahead;
    std::vector<models::PairCount> pairs;  ///< by source and destination
    u64 too_many_pairs = 0;
    std::vector<models::IntervalCounts> intervals;  ///< by number
    std::vector<models::TravelSpan> spans;          ///< that go on after the tick up to which all is done
  };
  [[nodiscard]] Gathered gather();
  void gather_pairs(Gathered& all, const models::Details& details);
  void gather_intervals(Gathered& all, const models::Details& details);
  [[nodiscard]] std::vector<models::QueueCount> gather_queues();
  [[nodiscard]] std::vector<u64> summed(std::vector<u64> counts);
  void end_samples(Tick end);
  void write_events();
  void match_passages();
  void finish_series(Gathered& all, Tick end);
  void finish_links(const Gathered& all, Tick cycles);
  void finish_distances(const Gathered& all);
  void finish_pairs(const Gathered& all);
  void finish_occupancy();
  void finish_queues();
  [[nodiscard]] bool is_linked(RouterId router, u32 port) const;
  [[nodiscard]] bool first() const { return context_.transport.rank() == 0; }

  Context& context_;
  Simulation& simulation_;
  Tick occupancy_ticks_ = 0;  ///< 0: not wanted
  u64 directed_links_ = 0, unlinked_channels_ = 0;
  std::optional<Series> series_;
  Tick done_to_ = 0;  ///< tick before which all is done
  Tick sampled_at_ = 0;
  models::QueueSizes sizes_;  ///< of this rank
  u64 samples_ = 0;
  std::vector<models::QueueCount> queues_before_;  ///< of the checkpoint, likewise
  Gathered before_checkpoint_;                     ///< on rank 0: what the checkpoint had that the run went on from
  std::optional<EventFile> events_;
  std::optional<PassageBook> passages_;  ///< on rank 0
};

}  // namespace weft::tools
