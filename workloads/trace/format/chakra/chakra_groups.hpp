// Groups of NPUs that have collective operations, by their names.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/text/byte_source.hpp"
#include "engine/base/types.hpp"

namespace weft::workloads {

struct ChakraGroup {
  u32 number = 0;            ///< the same in all files, from its name
  std::vector<u32> members;  ///< in order of rank; empty: all NPUs
  u64 calls = 0;             ///< of the task that is read, so far
  [[nodiscard]] u32 size(u32 tasks) const { return members.empty() ? tasks : static_cast<u32>(members.size()); }
  /// ~0: it is none of them.
  [[nodiscard]] u32 rank_of(u32 task) const;
};

/// Groups of a file, `{"name": [npu, ...], ...}` (ASTRA-sim's comm_group.json), and those that traces define
/// themselves. No name, and "0", are all NPUs.
class ChakraGroups {
 public:
  explicit ChakraGroups(u32 tasks);
  /// Throws InputError.
  void read(ByteSource& source);
  /// Takes the groups of a node of PyTorch: [{"pg_name": "1", "ranks": [...]}, ...], in whatever brackets and quotes.
  /// Returns what is wrong with it; empty if nothing is.
  [[nodiscard]] std::string define(std::string_view values);
  /// Forgets what `define` was given, and counts of calls.
  void next_task();
  /// Null: there is none of this name.
  [[nodiscard]] ChakraGroup* find(std::string_view name);
  [[nodiscard]] std::string names() const;

 private:
  struct Named {
    std::map<std::string, ChakraGroup, std::less<>> groups;
    std::unordered_map<u32, std::string> names;  ///< by ChakraGroup::number
  };
  [[nodiscard]] std::string add(Named& to, const std::string& name, std::vector<u32> members) const;

  u32 tasks_;
  ChakraGroup all_;
  Named shared_, own_;
};

}  // namespace weft::workloads
