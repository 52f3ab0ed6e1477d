// Where packets may go in a switch of cells: the routes of a plain router, of which one is chosen for good by credits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/setting.hpp"
#include "models/routing/open_paths.hpp"
#include "models/routing/router_kind.hpp"

namespace weft::models {

/// Whether a switch can take the routes of a kind of router.
[[nodiscard]] bool has_routes(const RouterKind& kind);
/// The routing algorithm of a kind that switches take unless told otherwise; empty if the kind has none.
[[nodiscard]] std::string default_mode(const RouterKind& kind);
/// The kind of router whose routes router.routing = "auto" stands for.
[[nodiscard]] std::string default_routes(const std::string& topology);

/// The routing that settings.own says, `auto` resolved (RouterKind::resolve), in a mode ("auto" or empty:
/// default_mode). Throws what its kind throws.
[[nodiscard]] std::unique_ptr<Routing> make_routing(const Topology& topology, const RouterSettings& settings,
                                                    const std::string& mode);

/// The routing of a process; asked for one packet at a time.
class Routes {
 public:
  /// See make_routing.
  Routes(const Topology& topology, const RouterSettings& settings, const std::string& mode);

  /// What a packet may take; valid until the next question.
  struct Choices {
    bool arrived = false;           ///< at the node inside the router, nothing else
    bool several = false;           ///< not one alone
    std::vector<u32> outputs = {};  ///< port * channels + vc, ascending
    u32 escape = Candidates::none;
    bool cut_off = false;  ///< nothing is left of them
  };
  /// `paths`: null, or leaves out what leads nowhere.
  [[nodiscard]] const Choices& ask(const QueuePlace& at, const PacketOnRoute& packet, const OpenPaths* paths = nullptr);
  /// Between runs: see Routing::follow.
  bool follow(const Topology& left) { return routing_->follow(left); }
  [[nodiscard]] std::string loop_in_transition() const { return routing_->loop_in_transition(); }
  [[nodiscard]] const Routing& routing() const { return *routing_; }
  /// Whether it goes by output occupancy.
  [[nodiscard]] bool decides() const { return decides_; }
  /// Words of a set of outputs.
  [[nodiscard]] u32 words() const { return static_cast<u32>(words_.size()); }

 private:
  std::unique_ptr<Routing> routing_;
  bool decides_;
  std::vector<u64> words_;
  Choices choices_;
};

}  // namespace weft::models
