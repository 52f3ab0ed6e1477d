// Tori of two or three dimensions whose rings are joined with a twist: who goes round one dimension comes out further
// on in another.
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

#include "engine/base/nearest.hpp"
#include "engine/random.hpp"
#include "models/topology/boxes.hpp"
#include "models/topology/kind/symmetric_lattice.hpp"
#include "models/topology/shape_check.hpp"

namespace weft::models {
namespace {

const std::string twisted_torus_in_words = "a twisted torus";

/// Twists that lead into one dimension: leaving the top of dimension d adds shift[d] to the coordinate of `target`,
/// leaving the bottom subtracts it.
struct Twist {
  u32 target = 0;
  std::vector<u32> shift;  ///< [dimension], below the size of `target`; 0: no twist
};

class TwistedTorus final : public SymmetricLattice {
 public:
  TwistedTorus(std::vector<u32> dims, Twist twist, bool one_way)
      : SymmetricLattice(product(dims), one_way), dims_(std::move(dims)), twist_(std::move(twist)) {
    u32 stride = 1;
    for (const u32 k : dims_) {
      strides_.push_back(stride);
      stride *= k;
    }
  }

  u32 dimensions() const override { return static_cast<u32>(dims_.size()); }
  u32 moved(u32 node, u32 port) const override {
    const u32 d = port / 2;
    const bool up = port % 2 == 0;
    const u32 k = dims_[d], at = coordinate(node, d);
    const u32 to = up ? (at + 1) % k : (at + k - 1) % k;
    u32 id = node - at * strides_[d] + to * strides_[d];
    if (crosses_border(RouterId{node}, port)) {
      const u32 b = twist_.target, size = dims_[b], from = coordinate(id, b);
      const u32 shift = up ? twist_.shift[d] : size - twist_.shift[d];
      id = id - from * strides_[b] + (from + shift) % size * strides_[b];
    }
    return id;
  }
  bool crosses_border(RouterId router, u32 port) const override {
    return coordinate(router.value(), port / 2) == (port % 2 == 0 ? dims_[port / 2] - 1 : 0);
  }

  Record record(NodeId from, NodeId to, u64 bits) const override {
    const Search search = shortest(from, to);
    Record hops = search.route[engine::scale_to(engine::remix(bits, 0), search.routes)];
    i32& along = hops[twist_.target];
    if (!one_way() && u32(along) * 2 == dims_[twist_.target] && (bits >> (twist_.target % 8) & 1) != 0) along = -along;
    return hops;
  }
  u32 distance(NodeId from, NodeId to) const override { return shortest(from, to).length; }
  u32 diameter() const override { return balanced() ? dims_[1 - twist_.target] : SymmetricLattice::diameter(); }
  /// Balanced: 4d nodes at each distance d below a, 2a - 1 at a.
  double mean_distance() const override {
    if (!balanced()) return SymmetricLattice::mean_distance();
    const double a = dims_[1 - twist_.target];
    return a * (4 * a * a - 1) / (3 * (2 * a * a - 1));
  }

  std::string name() const override {
    std::string twists;
    for (u32 d = 0; d < dims_.size(); ++d) {
      if (twist_.shift[d] != 0) twists += fmt::format(" {}>{} {}", d, twist_.target, twist_.shift[d]);
    }
    return fmt::format("{}{} twisted torus{}", one_way_text(), dims_text(dims_), twists);
  }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return {{"diameter and mean distance", balanced() ? "closed forms of the 2a x a torus of twist a"
                                                      : "counted from one node, exact: all are alike"},
            {"links across the middle of a dimension, the fewest", std::to_string(narrowest_cut())},
            {"load bound", "from the mean distance and all links, and from that cut"},
            {"most turns of a route round a twisted dimension", std::to_string(most_turns())}};
  }
  std::vector<u32> grid() const override { return dims_; }
  RegularPartition regular_partition(u32 parts) const override {
    return {"boxes", box_partition({dims_, true, false}, parts), true, "its dimensions cannot be cut into so many"};
  }

 protected:
  std::vector<Cut> cuts() const override {
    std::vector<Cut> result;
    for (u32 d = 0; d < dims_.size(); ++d) {
      const u64 k = dims_[d], half = k / 2, plane = nodes() / k;
      if (half == 0) continue;
      u64 links = 2 * plane;
      for (u32 a = 0; d == twist_.target && a < dims_.size(); ++a) {
        if (a != d) links += plane / dims_[a] * links_cut(k, twist_.shift[a], half);
      }
      result.push_back({half * plane, links});
    }
    return result;
  }

 private:
  /// Shortest routes between two nodes; those of the target dimension upwards where both ways are equally long.
  struct Search {
    u32 length = ~u32{0};
    u32 routes = 0;
    bool usual = false;             ///< routes are straight or once round, see `explore`
    std::array<Record, 4> route{};  ///< all usual ones; of the others, the first four
  };

  static u32 product(const std::vector<u32>& dims) {
    u32 all = 1;
    for (const u32 k : dims) all *= k;
    return all;
  }
  u32 coordinate(u32 router, u32 d) const { return router / strides_[d] % dims_[d]; }
  bool balanced() const {
    const u32 other = 1 - twist_.target;
    return !one_way() && dims_.size() == 2 && dims_[twist_.target] == 2 * dims_[other] &&
           twist_.shift[other] == dims_[other];
  }

  Search shortest(NodeId from, NodeId to) const {
    Search search;
    const i64 along = i64{coordinate(to.value(), twist_.target)} - i64{coordinate(from.value(), twist_.target)};
    Record hops{};
    explore(search, hops, 0, along, 0, from.value(), to.value(), true);
    return search;
  }

  /// Tries the ways round dimension d and all above. `along`: what is left to go in the target dimension; `usual`: so
  /// far straight or once round, and where the coordinates agree not upwards: those come before other routes of the
  /// same length, as in INSEE.
  void explore(Search& search, Record& hops, u32 d, i64 along, u32 length, u32 from, u32 to, bool usual) const {
    if (d == twist_.target) return explore(search, hops, d + 1, along, length, from, to, usual);
    if (d == dims_.size()) return close(search, hops, along, length, usual);
    const i64 k = dims_[d], shift = twist_.shift[d];
    const i64 straight = i64{coordinate(to, d)} - i64{coordinate(from, d)};
    const i64 up = straight < 0 ? straight + k : straight;
    for (const i64 step : {k, -k}) {
      if (one_way() && step < 0) break;
      for (i64 way = step > 0 ? up : up - k; length + std::abs(way) <= search.length; way += step) {
        const bool is_usual = way == up || way == up - k;
        if (shift == 0 && !is_usual) break;
        hops[d] = static_cast<i32>(way);
        explore(search, hops, d + 1, along - (way - straight) / k * shift, length + static_cast<u32>(std::abs(way)),
                from, to, usual && is_usual);
      }
    }
    hops[d] = 0;
  }

  /// The target dimension goes the shorter way.
  void close(Search& search, Record& hops, i64 along, u32 length, bool usual) const {
    const i64 size = dims_[twist_.target];
    i64 up = along % size;
    if (up < 0) up += size;
    const i64 way = one_way() || 2 * up <= size ? up : up - size;
    length += static_cast<u32>(std::abs(way));
    if (length > search.length || (length == search.length && search.usual && !usual)) return;
    if (length < search.length || usual != search.usual) search = {length, 0, usual, {}};
    if (search.routes == search.route.size()) return;
    hops[twist_.target] = static_cast<i32>(way);
    search.route[search.routes++] = hops;
    hops[twist_.target] = 0;
  }

  /// Most times that a record goes over the border of one twisted dimension.
  u32 most_turns() const {
    u32 most = 0;
    for (u32 to = 0; to < nodes(); ++to) {
      const Search search = shortest(NodeId{0}, NodeId{to});
      for (u32 r = 0; r < search.routes; ++r) {
        for (u32 d = 0; d < dims_.size(); ++d) {
          // Seen from node 0: straight is up.
          const i64 turns = (i64{search.route[r][d]} - i64{coordinate(to, d)}) / i64{dims_[d]};
          if (d != twist_.target) most = std::max(most, static_cast<u32>(std::abs(turns)));
        }
      }
    }
    return most;
  }

  std::vector<u32> dims_, strides_;
  Twist twist_;
};

/// The twist as triples; of one number in two dimensions too.
std::vector<i64> triples_of(const std::vector<i64>& given, std::size_t dimensions) {
  if (given.size() == 1 && dimensions == 2) return {1, 0, given[0]};
  return given;
}

Twist checked_twist(const Parameters& keys, const std::vector<u32>& dims) {
  const std::string advice = dims.size() == 2 ? fmt::format("twist = [{}]", dims[0] / 2)
                                              : fmt::format("twist = [1, 0, {}, 2, 0, {}]", dims[0] / 2, dims[0] / 2);
  const std::vector<i64> given = keys.has("twist") ? keys.integers("twist") : std::vector<i64>{};
  if (given.empty())
    need_shape({}, "twist", twisted_torus_in_words, "to know how far, and the plain torus is kind = \"torus\"", advice);
  const std::vector<i64> triples = triples_of(given, dims.size());
  const auto refuse = [&](const std::string& reason) { refuse_shape("twist", list_text(given), reason, advice); };
  if (triples.size() % 3 != 0) refuse("twists are triples [from dimension, to dimension, amount]");
  Twist twist{static_cast<u32>(triples[1] & 0xff), std::vector<u32>(dims.size(), 0)};
  const i64 dimensions = static_cast<i64>(dims.size());
  for (std::size_t t = 0; t < triples.size(); t += 3) {
    const i64 from = triples[t], to = triples[t + 1];
    if (from < 0 || from >= dimensions || to < 0 || to >= dimensions) {
      refuse(fmt::format("dimensions are 0 to {}", dimensions - 1));
    }
    if (from == to) refuse("a twist leads from one dimension into another");
    if (to != triples[1]) refuse("all twists lead into the same dimension");
    const i64 size = dims[static_cast<std::size_t>(to)];
    u32& shift = twist.shift[static_cast<std::size_t>(from)];
    if (shift != 0) refuse(fmt::format("dimension {} is twisted twice", from));
    shift = static_cast<u32>((triples[t + 2] % size + size) % size);
  }
  return twist;
}

std::unique_ptr<Topology> make_twisted_torus(const Parameters& keys) {
  std::vector<u32> dims = checked_dims(keys, {2, 3, twisted_torus_in_words});
  Twist twist = checked_twist(keys, dims);
  return std::make_unique<TwistedTorus>(std::move(dims), std::move(twist), keys.flag("unidirectional"));
}

[[maybe_unused]] const bool twisted_torus_registered = TopologyRegistry::instance().add(
    "twisted-torus",
    {.help = "torus of 2 or 3 dimensions whose rings are joined with a twist; keys: dims, twist",
     .family = "twisted",
     .router = "bubble",
     .partition = "boxes",
     .settings = {dims_row("routers in each dimension, e.g. [16, 8]."),
                  row::integers("topology.twist", "", {-(i64{1} << 30), i64{1} << 30},
                                "in 2 dimensions one number, e.g. [8]: who leaves the top of dimension 1 comes out so "
                                "much further on in dimension 0, who leaves the bottom so much further back; or "
                                "triples [from dimension, into dimension, amount, ...], one after the other, all "
                                "into the same dimension, e.g. [1, 0, 4, 2, 0, 4]."),
                  unidirectional_row()},
     .make = make_twisted_torus,
     .example = {{"dims", std::vector<i64>{8, 4}}, {"twist", std::vector<i64>{4}}}});

}  // namespace
}  // namespace weft::models
