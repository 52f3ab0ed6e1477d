// Universal globally-adaptive load-balanced routing: the shortest path, or a longer one that is less loaded.
#pragma once

#include <vector>

#include "engine/base/setting.hpp"
#include "models/routing/occupancy.hpp"
#include "models/routing/settings.hpp"

namespace weft::models {

/// A path that a packet may take.
struct CandidatePath {
  u32 port = 0;          ///< the first that it takes
  u32 second = no_port;  ///< port of the next router that it takes then
  u32 links = 0;         ///< between routers, to the destination
  static constexpr u32 no_port = ~u32{0};
};

/// The choice between the shortest path and another one by what waits for both, each times the links of the path: A.
/// Singh, "Load-balanced routing in interconnection networks", PhD thesis, Stanford 2005.
class Ugal {
 public:
  /// `uses_remote`: remote congestion information on the second port counts too (UGAL-G); else this router's own
  /// outputs only (UGAL-L).
  Ugal(const RouterSettings& settings, bool uses_remote);
  [[nodiscard]] bool takes_shortest(const CandidatePath& shortest, const CandidatePath& other,
                                    const Occupancy& outputs) const;

 private:
  [[nodiscard]] u64 load(const CandidatePath& path, const Occupancy& outputs) const;

  bool uses_remote_;
  u64 bias_cells_, threshold_cells_;
};

/// The keys of the rule, for kinds with modes that go by it.
[[nodiscard]] std::vector<Setting> ugal_settings();

}  // namespace weft::models
