// Whether packets go round in circles by tables of keys and masks: found before a run, which they would never leave.
#pragma once

#include <optional>
#include <vector>

#include "models/machine/spinnaker/key_file.hpp"

namespace weft::models {
class Lattice;
}

namespace weft::models::spinnaker {

/// The entries of all routers, in the order in which each looks at its own.
class KeyTables {
 public:
  KeyTables(KeyFile file, u32 routers);

  [[nodiscard]] u32 key(u32 node) const { return keys_[node]; }
  [[nodiscard]] const std::vector<u32>& keys() const { return keys_; }
  /// Outputs of the first entry that matches, bit mask; 0 if none does.
  [[nodiscard]] u8 find(u32 router, u32 key) const;
  [[nodiscard]] u32 entries(u32 router) const { return first_[router + 1] - first_[router]; }
  /// The entries of a router.
  [[nodiscard]] const KeyEntry* begin(u32 router) const { return entries_.data() + first_[router]; }

 private:
  std::vector<u32> keys_;
  std::vector<u32> first_;  ///< [router] of its entries, and the end of the last
  std::vector<KeyEntry> entries_;
};

/// A place where packets come by again and again.
struct Circle {
  u32 source = 0, router = 0;
};
/// The first there is. Packets without an entry go straight on, away from the port they came through; those of a node
/// whose router has none are dropped.
[[nodiscard]] std::optional<Circle> find_circle(const Lattice& lattice, const KeyTables& tables);

}  // namespace weft::models::spinnaker
