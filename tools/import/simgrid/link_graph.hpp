// The graph that links of SimGrid make. A link has a name and no ends: what it joins follows from the routes that take
// it, in which each link goes on where the one before ends.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "tools/import/simgrid/platform.hpp"

namespace weft::tools::simgrid {

class LinkGraph {
 public:
  struct Edge {
    u32 a = 0, b = 0;  ///< vertices
    Cable cable;
    u64 routes = 0;  ///< that take it
  };

  explicit LinkGraph(const std::vector<Link>& links);

  /// A host or router.
  u32 vertex(const std::string& name);
  /// Lays a route; all its links must be there. A link that cannot have two ends alone, since routes go through it
  /// between more places, becomes a meeting place of its own.
  void lay(const Route& route);

  [[nodiscard]] std::vector<Edge> edges() const;
  [[nodiscard]] u32 find(u32 vertex) const;
  [[nodiscard]] std::size_t vertices() const { return parent_.size(); }
  /// Links that became meeting places.
  [[nodiscard]] const std::vector<std::string>& shared() const { return shared_; }

 private:
  static constexpr u32 none = ~u32{0};
  struct Laid {
    const Link* link = nullptr;
    std::array<u32, 2> ends = {none, none};
    std::vector<u32> meeting = {};  ///< what a meeting place joins
    u32 place = none;               ///< of a meeting place
    u64 routes = 0;
  };

  u32 fresh(bool is_named);
  /// Makes two vertices one, unless both have names.
  bool unite(u32 a, u32 b);
  /// Where a route goes on behind a link that it enters at a vertex.
  u32 through(Laid& link, u32 at, const Laid* next, u32 last);
  u32 side_of(const Laid& link, u32 at) const;
  u32 meet(Laid& link, u32 at);
  [[nodiscard]] bool joins(const Laid& link, u32 vertex) const;

  std::vector<u32> parent_;
  std::vector<bool> is_named_;
  std::map<std::string, u32> vertices_;
  std::map<std::string, Laid> links_;
  std::vector<std::string> shared_;
};

}  // namespace weft::tools::simgrid
