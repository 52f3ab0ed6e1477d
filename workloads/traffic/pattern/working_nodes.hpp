// A pattern in a network with failed nodes: they generate nothing, though the others go on sending to them.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {

class WorkingNodes final : public Pattern {
 public:
  /// `works`: [node].
  WorkingNodes(std::unique_ptr<Pattern> whole, std::vector<bool> works)
      : whole_(std::move(whole)), works_(std::move(works)) {}
  [[nodiscard]] NodeId destination(NodeId source, const PacketDraw& packet) const override {
    return whole_->destination(source, packet);
  }
  [[nodiscard]] bool sends(NodeId source) const override { return works_[source.value()] && whole_->sends(source); }

 private:
  std::unique_ptr<Pattern> whole_;
  std::vector<bool> works_;
};

}  // namespace weft::workloads
