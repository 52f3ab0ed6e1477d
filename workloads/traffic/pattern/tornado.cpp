// Pattern "tornado": almost half way round every ring in the same direction, the worst case of minimal routing on tori.
#include "engine/base/error.hpp"
#include "workloads/traffic/pattern/permutation.hpp"

namespace weft::workloads {
namespace {

/// Each coordinate x of a dimension of size k becomes (x + ceil(k/2) - 1) mod k (Dally & Towles 2004, table 3.1).
/// Networks without dimensions count as one ring of all nodes. A dimension with k <= 2 stays where it is.
class Tornado final : public Permutation {
 public:
  explicit Tornado(const PatternSpec& spec) : dims_(spec.dims) {
    if (dims_.empty()) dims_ = {spec.nodes};
    u32 moved = 0;
    for (const u32 size : dims_) moved += step(size);
    if (moved == 0) {
      throw ConfigError(
          "workload.pattern \"tornado\" sends nothing on this network (a node moves ceil(k/2) - 1 places in a "
          "dimension "
          "of size k, and no k exceeds 2); use a topology with 3 or more nodes in a dimension");
    }
  }
  u32 image(u32 node) const override {
    u64 result = 0;
    u64 stride = 1;
    for (const u32 size : dims_) {
      const u64 place = node % size;
      node /= size;
      result += (place + step(size)) % size * stride;
      stride *= size;
    }
    return static_cast<u32>(result);
  }

 private:
  static u32 step(u32 size) { return size / 2 + size % 2 - 1; }
  std::vector<u32> dims_;
};

const bool tornado_registered = PatternRegistry::instance().add(
    "tornado",
    {"each coordinate moves ceil(k/2) - 1 places up its ring of k; without dimensions all nodes are one ring",
     [](const PatternSpec& spec) { return std::make_unique<Tornado>(spec); }});

}  // namespace
}  // namespace weft::workloads
