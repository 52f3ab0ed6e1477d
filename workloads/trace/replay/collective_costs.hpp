// A cost model of collective calls in closed form, as Dimemas has it: how long a call lasts once all tasks have come.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "engine/base/types.hpp"
#include "workloads/trace/collectives.hpp"

namespace weft::workloads {

/// One of the two phases of a call: data go in, and come out.
struct CollectivePhase {
  enum class Model : u8 { null, constant, linear, logarithmic };
  /// What is moved, of what the root's call sends and receives (rank 0's, where there is no root).
  enum class Size : u8 {
    current,  ///< what it sends when data go in, what it receives when they come out
    least,
    most,
    mean,  ///< whole bytes, rounded down
    twice_most,
    sum
  };
  Model model = Model::constant;
  Size size = Size::current;

  /// 0, 1, P or ceil(log2 P) for P tasks.
  [[nodiscard]] u32 factor(u32 tasks) const;
  /// Bytes.
  [[nodiscard]] u64 bytes(u64 sent, u64 received, bool out) const;
  friend bool operator==(const CollectivePhase&, const CollectivePhase&) = default;
};

/// A phase lasts (latency + size / bandwidth) * factor, without contention (J. Navaridas' thesis, chapter 9, 7.3; and
/// Dimemas, Simulator/model/communic.c, calcula_fan, for a machine of one stage with as many buses as it needs).
class CollectiveCosts {
 public:
  struct Phases {
    CollectivePhase in, out;
  };
  static constexpr double longest_ns = 1e12;

  /// `gbps`: 10^9 bits/s; 0: data take no time. All calls have both phases by that model, with current sizes.
  CollectiveCosts(double latency_ns, double gbps, CollectivePhase::Model model);

  /// Takes models and sizes of calls from a file of Dimemas' "communications fine tuning configuration": lines
  /// `CALL MODEL_IN SIZE_IN MODEL_OUT SIZE_OUT`, CALL being a number of Dimemas' (0: MPI_Barrier ... 13: MPI_Scan) or
  /// MPI's name. Throws InputError with file and line. `name` stands for the file's.
  void read(std::string_view text, const std::string& name);

  [[nodiscard]] const Phases& phases(Collective call) const { return phases_[static_cast<std::size_t>(call)]; }
  /// ps that a call of so many tasks, 2 or more, lasts; at most 2^60.
  [[nodiscard]] u64 ps(Collective call, u32 tasks, u64 sent, u64 received) const;
  /// The least of any call that the model knows.
  [[nodiscard]] u64 least_ps() const;

 private:
  std::array<Phases, collective_operations_known> phases_;
  double latency_ps_, ps_per_byte_;
};

}  // namespace weft::workloads
