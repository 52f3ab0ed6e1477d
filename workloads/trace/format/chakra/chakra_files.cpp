// Files of Chakra traces; see the header.
#include "workloads/trace/format/chakra/chakra_files.hpp"

#include <filesystem>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::workloads {
namespace {

namespace fs = std::filesystem;

/// A name without the ending of a compressed file.
std::string_view plain_name(std::string_view name) {
  for (const std::string_view ending : {".xz", ".gz", ".zst"})
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  return name;
}

/// PREFIX and N of PREFIX.N.et; false if it is no such name.
bool split_name(const std::string& path, std::string& prefix, u64& npu) {
  std::string_view name = plain_name(path);
  if (!name.ends_with(".et")) return false;
  name.remove_suffix(3);
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  if (digits == name.size() || name.size() - digits > 9 || digits == 0 || name[digits - 1] != '.') return false;
  npu = std::stoull(std::string(name.substr(digits)));
  prefix = name.substr(0, digits - 1);
  return true;
}

std::string groups_beside(const std::string& prefix) {
  std::error_code error;
  const std::string common = (fs::path(prefix).parent_path() / "comm_group.json").string();
  for (const std::string& path : {prefix + ".json", common})
    if (fs::is_regular_file(path, error)) return path;
  return {};
}

}  // namespace

bool has_chakra_name(const std::string& path) {
  std::string prefix;
  u64 npu = 0;
  return split_name(path, prefix, npu);
}

ChakraFiles find_chakra_files(const TraceInput& input) {
  ChakraFiles found;
  if (!input.is_file()) {
    found.of_npu = {0};
    return found;
  }
  constexpr std::size_t none = ~std::size_t{0};
  std::string first_prefix;
  for (std::size_t number = 0; number < input.files.size(); ++number) {
    const std::string& path = input.files[number];
    std::string prefix;
    u64 npu = 0;
    if (split_name(path, prefix, npu)) {
      if (first_prefix.empty()) first_prefix = prefix;
      if (prefix != first_prefix) {
        throw InputError(fmt::format("{}: files of two traces ('{}.*.et' and '{}.*.et'); name one, as a pattern",
                                     shown(input.path), shown(first_prefix), shown(prefix)));
      }
      // One file alone is its trace, whatever its number.
      if (!input.several) npu = 0;
      if (npu >= max_trace_tasks)
        throw InputError(
            fmt::format("{}: NPU {} (got a name that says so); expected 0..{}", shown(path), npu, max_trace_tasks - 1));
      if (npu >= found.of_npu.size()) found.of_npu.resize(npu + 1, none);
      if (found.of_npu[npu] != none)
        throw InputError(fmt::format("{}: the second file of NPU {}; take one away", shown(path), npu));
      found.of_npu[npu] = number;
    } else if (plain_name(path).ends_with(".json")) {
      if (!found.groups.empty())
        throw InputError(
            fmt::format("{}: files of groups twice ('{}' and '{}'); take one away, or name the traces by a pattern",
                        shown(input.path), shown(found.groups), shown(path)));
      found.groups = path;
    } else {
      throw InputError(
          fmt::format("{}: no file of a Chakra trace (it has a name of its own); expected PREFIX.N.et, N "
                      "from 0, or a file .json of groups",
                      shown(path)));
    }
  }
  for (std::size_t npu = 0; npu < found.of_npu.size(); ++npu) {
    if (found.of_npu[npu] == none)
      throw InputError(fmt::format("{}: there is no file of NPU {} (the last one is {}); expected one of each",
                                   shown(input.path), npu, found.of_npu.size() - 1));
  }
  if (found.of_npu.empty()) throw InputError(fmt::format("{}: no files PREFIX.N.et", shown(input.path)));
  if (found.groups.empty() && input.several) found.groups = groups_beside(first_prefix);
  return found;
}

}  // namespace weft::workloads
