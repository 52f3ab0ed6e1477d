// Communicators of a DUMPI trace: gathered once from all its files, and followed by each reader.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "workloads/trace/format/dumpi/dumpi_file.hpp"
#include "workloads/trace/format/gathered_communicators.hpp"

namespace weft::workloads {

inline constexpr u32 dumpi_null = 1, dumpi_world = 2, dumpi_self = 3;
inline constexpr u32 dumpi_any_source = ~u32{0};

/// What is known of a whole trace before its events are read.
struct DumpiTrace {
  u32 tasks = 0;
  bool has_times = true;
  /// The only file there is may be of any task; partners in communicators whose other members' files are not there
  /// are stand-ins.
  bool alone = false;
  u32 only_task = 0;
  /// Not all calls that make communicators were recorded: numbers that nothing has made are all tasks.
  bool gaps = false;
  GatheredCommunicators gathered;
  std::unordered_map<u32, u32> strays;  ///< of a file alone: communicators whose making was not recorded
};

/// A communicator as a task knows it.
struct DumpiCommunicator {
  enum class Kind : u8 { all, self, gathered, unknown };
  Kind kind = Kind::unknown;
  u32 number = 0;  ///< in the trace
  u32 first = 0;   ///< where those begin that ranks name, of an inter-communicator
  u32 ranks = 0;   ///< how many they are
  bool inter = false;
};

/// The communicators of one task, as its calls make and free them.
class DumpiCommunicators {
 public:
  DumpiCommunicators(const DumpiTrace& trace, u32 task);
  /// Takes notice of a call that makes a communicator.
  void note(const DumpiCall& call);
  /// A communicator by its number, of kind unknown if nothing has made it.
  [[nodiscard]] DumpiCommunicator find(u32 number) const;
  /// The task of a rank below `ranks`.
  [[nodiscard]] u32 task_of(const DumpiCommunicator& communicator, u32 rank) const;

 private:
  const DumpiTrace& trace_;
  u32 task_;
  std::size_t made_ = 0;  ///< calls so far
  std::unordered_map<u32, DumpiCommunicator> known_;
};

/// What a call makes, as the gathering takes it; false if it makes neither communicator nor group. `list` becomes its
/// list.
[[nodiscard]] bool dumpi_communicator_call(const DumpiCall& call, CommunicatorCall& made, std::vector<i32>& list);
[[nodiscard]] bool dumpi_makes_communicator(u16 function);

/// Gathers all communicators of files [rank], or what one file alone tells. Throws InputError.
[[nodiscard]] DumpiTrace gather_dumpi(u32 files, const std::function<DumpiFile(u32 rank)>& file);

}  // namespace weft::workloads
