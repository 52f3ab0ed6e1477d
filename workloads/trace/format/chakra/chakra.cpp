// Chakra execution traces as a format of traces.
#include <algorithm>

#include "workloads/program/graph_program.hpp"
#include "workloads/trace/format/chakra/chakra_reader.hpp"

namespace weft::workloads {
namespace {

/// Whether it is a Chakra trace; the first file of a folder may be that of the groups.
bool recognises_chakra(std::string_view head, const TraceInput& input) {
  const std::string& first = input.files.front();
  if (!has_chakra_name(first) && input.several)
    return std::ranges::count_if(input.files, has_chakra_name) + 1 == static_cast<std::ptrdiff_t>(input.files.size()) &&
           first.ends_with(".json") && input.files.size() > 1;
  return looks_like_chakra(head) || (input.is_file() && has_chakra_name(first));
}

std::vector<std::string> chakra_files(const TraceInput& input) {
  std::vector<std::string> files = input.files;
  const ChakraFiles found = find_chakra_files(input);
  if (!found.groups.empty() && std::ranges::find(files, found.groups) == files.end()) files.push_back(found.groups);
  return files;
}

std::unique_ptr<Program> chakra_graphs(const TraceInput& input, const std::string& name, KeepTask keep,
                                       const TaskLimits& limits, const std::string& library) {
  ChakraReader reader(input, std::move(keep), library);
  return std::make_unique<GraphProgram>(reader, name, limits);
}

[[maybe_unused]] const bool chakra_registered = TraceFormats::instance().add(
    "chakra", {.help = "Chakra execution traces (MLCommons, ASTRA-sim): a file PREFIX.N.et for each accelerator",
               .recognises = recognises_chakra,
               .files = chakra_files,
               .program = chakra_graphs});

}  // namespace
}  // namespace weft::workloads
