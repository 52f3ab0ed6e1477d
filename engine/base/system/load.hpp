// What children of this process took, and how busy other programs keep this machine: what makes measured times longer
// than they need be.
#pragma once

namespace weft {

/// Processor time of the children of this process that have ended, s.
[[nodiscard]] double children_cpu_s();

/// Measures from its construction on.
class OtherLoad {
 public:
  OtherLoad();
  /// Cores that were busy, on average, with anything but this process and those of its children that have ended; 0
  /// where the machine does not say (/proc/stat). In a container it counts the whole machine.
  [[nodiscard]] double cores() const;

 private:
  struct Sample {
    double busy_s = 0, own_s = 0, now_s = 0;
  };
  [[nodiscard]] static Sample sample();
  Sample begin_;
};

}  // namespace weft
