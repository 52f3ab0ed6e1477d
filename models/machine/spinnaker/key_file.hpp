// Routing tables by key and mask, as a text file gives them: keys of sources, and the entries of routers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::models::spinnaker {

/// An entry of a router: packets whose key is this one where the mask has ones go to its outputs.
struct KeyEntry {
  u32 router = 0, key = 0, mask = ~u32{0};
  u8 outputs = 0;  ///< bit mask; bit `local`: the node
  [[nodiscard]] bool matches(u32 packet_key) const { return (packet_key & mask) == key; }
};

struct KeyFile {
  std::vector<u32> keys;          ///< [node] of its packets; its number unless a line says otherwise
  std::vector<KeyEntry> entries;  ///< in the order of the file, which says what comes first in a router
};

/// Reads lines "key NODE KEY" and "entry ROUTER KEY MASK OUTPUT ...": numbers in decimal or 0x..., outputs e, ne, n, w,
/// sw, s (links by the compass) and node, what follows # is a comment. `name`: of the file, for errors. Throws
/// InputError with file and line.
[[nodiscard]] KeyFile parse_key_file(std::string_view text, const std::string& name, u32 nodes);
/// Reads such a file. Throws InputError too if it cannot be read.
[[nodiscard]] KeyFile read_key_file(const std::string& path, u32 nodes);

}  // namespace weft::models::spinnaker
