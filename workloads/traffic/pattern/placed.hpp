// A pattern of processes that sit on nodes in any order.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {

/// The pattern's nodes are places here.
class Placed final : public Pattern {
 public:
  /// `node_of_place`: a permutation of the nodes.
  Placed(std::unique_ptr<Pattern> places, std::vector<NodeId> node_of_place)
      : places_(std::move(places)), node_of_(std::move(node_of_place)), place_of_(node_of_.size()) {
    for (u32 place = 0; place < node_of_.size(); ++place) place_of_[node_of_[place].value()] = NodeId(place);
  }
  [[nodiscard]] NodeId destination(NodeId source, const PacketDraw& packet) const override {
    return node_of_[places_->destination(place_of_[source.value()], packet).value()];
  }
  [[nodiscard]] bool sends(NodeId source) const override { return places_->sends(place_of_[source.value()]); }

 private:
  std::unique_ptr<Pattern> places_;
  std::vector<NodeId> node_of_, place_of_;
};

}  // namespace weft::workloads
