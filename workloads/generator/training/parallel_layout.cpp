// Reads the order of the ways of sharing.
#include "workloads/generator/training/parallel_layout.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"

namespace weft::workloads {

void ParallelLayout::set_order(const std::string& order) {
  std::vector<std::string> words(1);
  for (const char letter : order) {
    if (letter == '-') {
      words.emplace_back();
    } else {
      words.back() += letter;
    }
  }
  u32 stride = 1;
  std::array<bool, 4> seen{};
  for (const std::string& word : words) {
    const auto found = std::ranges::find(sharing_names, word);
    const auto way = static_cast<std::size_t>(found - sharing_names.begin());
    if (found == sharing_names.end() || seen[way]) break;
    seen[way] = true;
    strides[way] = stride;
    stride *= degrees[way];
  }
  if (words.size() == sharing_names.size() && std::ranges::all_of(seen, [](bool one) { return one; })) return;
  throw ConfigError(fmt::format(
      "workload.parallel_order = \"{}\" is no order of tensor, context, data and pipeline, each once with - between; "
      "use for example \"tensor-context-data-pipeline\"",
      order));
}

}  // namespace weft::workloads
