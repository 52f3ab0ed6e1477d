// Pattern "matrix": destinations in proportion to a traffic matrix.
#include <algorithm>

#include "workloads/traffic/pattern/matrix_file.hpp"
#include "workloads/traffic/pattern/pattern_file.hpp"
#include "workloads/traffic/pattern/shares.hpp"

namespace weft::workloads {
namespace {

class Matrix final : public Pattern {
 public:
  explicit Matrix(const PatternSpec& spec) {
    const std::string text = text_of_pattern_file(spec, "matrix", "matrix_path", "traffic.txt");
    TrafficMatrix matrix = read_traffic_matrix(text, spec.keys.text("matrix_path"), spec.nodes,
                                               {.column = spec.keys.text("matrix_column")});
    first_ = std::move(matrix.first);
    to_ = std::move(matrix.to);
    for (u32 node = 0; node < spec.nodes; ++node) {
      const auto weights = matrix.weight.begin();
      const std::vector<double> row(weights + static_cast<std::ptrdiff_t>(first_[node]),
                                    weights + static_cast<std::ptrdiff_t>(first_[node + 1]));
      const std::vector<u64> shares = shares_of(row);
      shares_.insert(shares_.end(), shares.begin(), shares.end());
    }
  }
  NodeId destination(NodeId source, const PacketDraw& packet) const override {
    if (!sends(source)) return source;
    const auto begin = shares_.begin() + static_cast<std::ptrdiff_t>(first_[source.value()]);
    const auto end = shares_.begin() + static_cast<std::ptrdiff_t>(first_[source.value() + 1]);
    const auto found = std::upper_bound(begin, end, std::min(packet.bits, ~u64{0} - 1));
    return NodeId(to_[static_cast<std::size_t>(found - shares_.begin())]);
  }
  bool sends(NodeId source) const override { return first_[source.value()] != first_[source.value() + 1]; }

 private:
  std::vector<u64> first_, shares_;  ///< [source]; [entry], ends of 2^64 within the row
  std::vector<u32> to_;              ///< [entry]
};

[[maybe_unused]] const bool matrix_registered = PatternRegistry::instance().add(
    "matrix",
    {.help = "in proportion to the weights of workload.matrix_path, a row for each source",
     .make = [](const PatternSpec& spec) { return std::make_unique<Matrix>(spec); },
     .settings = {row::path("workload.matrix_path",
                            "traffic matrix: a line of weights for each source, or lines `source destination weight`, "
                            "or a table of `weft trace stats --out FILE.csv`. Only proportions within a row count; a "
                            "node without weights sends nothing."),
                  row::choice("workload.matrix_column", "bytes", {"bytes", "messages"},
                              "what of a table of weft trace stats are the weights.")}});

}  // namespace
}  // namespace weft::workloads
