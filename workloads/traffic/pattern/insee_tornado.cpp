// Pattern "insee-tornado": half way round the rings of the first dimension, the tornado of INSEE's paper.
#include "engine/base/error.hpp"
#include "workloads/traffic/pattern/permutation.hpp"

namespace weft::workloads {
namespace {

/// d_x = (n_x / 2 + s_x) mod n_x, d_y = s_y, so that <3, 2> of 8 x 8 sends to <7, 2> (Navaridas, Miguel-Alonso, Pascual
/// and Ridruejo: Simulating and evaluating interconnection networks with INSEE, Simulation Modelling Practice and
/// Theory 19(1), 2011, table 2). n_x / 2 is rounded down. Networks without dimensions count as one ring of all nodes.
class InseeTornado final : public Permutation {
 public:
  explicit InseeTornado(const PatternSpec& spec) : size_(spec.dims.empty() ? spec.nodes : spec.dims.front()) {
    if (size_ < 2) {
      throw ConfigError(
          "workload.pattern \"insee-tornado\" sends nothing on this network (a node moves n/2 places in the first "
          "dimension, of size n = 1); use a topology with 2 or more nodes in the first dimension");
    }
  }
  u32 image(u32 node) const override {
    const u32 place = node % size_;
    return node - place + (place + size_ / 2) % size_;
  }

 private:
  u32 size_;
};

const bool insee_tornado_registered = PatternRegistry::instance().add(
    "insee-tornado",
    {"half way round the ring of the first dimension, the others kept (INSEE's paper; \"tornado\" is that of Dally and "
     "Towles); without dimensions all nodes are one ring",
     [](const PatternSpec& spec) { return std::make_unique<InseeTornado>(spec); }});

}  // namespace
}  // namespace weft::workloads
