// How busy chosen links are while a run goes on: statistics.timeline_links.
#pragma once

#include <string>
#include <vector>

#include "engine/base/bytes.hpp"
#include "models/core/details.hpp"
#include "tools/result/timeline/timeline_file.hpp"
#include "tools/run/context.hpp"
#include "tools/run/simulation.hpp"

namespace weft::tools {

/// A link by its sender.
struct WatchedLink {
  std::string name;  ///< as it was given
  u32 entity = 0;    ///< of the whole network
  u32 port = 0;
};
/// The links of statistics.timeline_links. Throws ConfigError that names what there is.
[[nodiscard]] std::vector<WatchedLink> watched_links(const Context& context);
/// All channels of links, link by link.
[[nodiscard]] std::vector<models::WatchedChannel> channels_of(const std::vector<WatchedLink>& links, u32 channels);

/// Looks at the links each statistics.timeline_links_cycles. All members but `next_after` and `values` are collective.
class LinkWatch {
 public:
  /// What it is given must outlive it.
  LinkWatch(Context& context, Simulation& simulation);
  /// First tick after `now` at which the run must stop, or `never`.
  [[nodiscard]] Tick next_after(Tick now) const;
  /// Call after each stretch, and at the end.
  void stopped(Tick now, bool at_the_end = false);
  /// State for checkpoints: what rank 0 writes, all ranks read.
  void put(engine::ByteWriter& to);
  void get(engine::ByteReader& from);

  /// On rank 0.
  [[nodiscard]] std::vector<timeline::LinkValue> values(std::size_t link) const;
  [[nodiscard]] const std::vector<WatchedLink>& links() const { return links_; }
  /// Whether it has as many values as are kept.
  [[nodiscard]] bool is_full() const { return begins_.size() >= most_; }

 private:
  /// What one link has taken.
  struct Count {
    u64 packets = 0, busy = 0;
  };
  [[nodiscard]] std::vector<Count> counted();

  Context& context_;
  Simulation& simulation_;
  std::vector<WatchedLink> links_;
  Tick window_ticks_ = 0, from_ = 0, to_ = never;
  u64 most_ = 0;              ///< windows
  std::vector<Count> begin_;  ///< [link] counts when the window at hand began, or less what was before a checkpoint
  Tick window_begin_ = 0;
  std::vector<Tick> begins_, ends_;  ///< [window]
  std::vector<Count> counts_;        ///< [window][link]
};

}  // namespace weft::tools
