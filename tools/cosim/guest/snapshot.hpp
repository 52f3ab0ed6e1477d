// A guest that has started, saved: others go on from it in a fraction of a second, each with what is its own.
#pragma once

#include <string>

#include "tools/cosim/guest/installed.hpp"
#include "tools/cosim/guest/qemu.hpp"

namespace weft::tools::cosim::guest {

struct Snapshot {
  Machine machine;
  std::string memory;  ///< file
  std::string state;   ///< file
  std::string name;    ///< of its content: the same name, the same guests
  double start_s = 0;  ///< wall time that it took; 0: it was there already
};

/// The snapshot of a machine with that initrd (its bytes): from the cache, or made now, which takes a guest's start.
/// Several processes may ask at once. Throws SystemError if the guest does not come up within `patience_s`, with its
/// console's end.
[[nodiscard]] Snapshot snapshot_of(const Installed& installed, const std::string& initrd, u32 memory_mib, u32 shift,
                                   double patience_s);

}  // namespace weft::tools::cosim::guest
