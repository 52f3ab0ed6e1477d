// A number per line; everything else is refused with its line.
#include "engine/partition_file.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "engine/base/text/line_place.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/text_file.hpp"
#include "engine/base/text/text_line.hpp"

namespace weft::engine {
namespace {

/// The part of a router on a line.
u32 part_on(const TextLine& line, u32 parts) {
  const std::optional<u32> part = parsed<u32>(line.text());
  if (!part) line.fail("line is not the number of a part (a whole number from 0); correct it or put # before comments");
  if (*part >= parts) {
    line.fail(fmt::format(
        "line names part {} (there are {} ranks, numbered from 0); run on more ranks or make a partition for {}", *part,
        parts, parts));
  }
  return *part;
}

}  // namespace

std::vector<u32> read_partition(std::string_view text, const std::string& name, u32 vertices, u32 parts) {
  std::vector<u32> part;
  std::vector<bool> used(parts, false);
  const u64 last = for_each_text_line(text, name, [&](const TextLine& line) {
    if (line.text().empty()) return;
    const u32 value = part_on(line, parts);
    if (part.size() == vertices) {
      line.fail(
          fmt::format("line is one too many (the network has {} routers, a line each); take the file made for "
                      "this network",
                      vertices));
    }
    part.push_back(value);
    used[value] = true;
  });
  if (part.size() < vertices) {
    fail_at_line(name, last,
                 fmt::format("line is the end after {} of {} routers; take the file made for this network", part.size(),
                             vertices));
  }
  if (const auto empty = std::ranges::find(used, false); empty != used.end()) {
    fail_at_line(name, last,
                 fmt::format("line is the end and part {} has no router; run on fewer ranks or make a partition for {}",
                             empty - used.begin(), parts));
  }
  return part;
}

std::vector<u32> partition_from_file(const std::string& path, u32 vertices, u32 parts) {
  // Room for long comments; more is no partition of this network.
  const u64 most_bytes = (u64{4} << 20) + u64{64} * vertices;
  const std::string text = read_text_file<InputError>(path, most_bytes, "file of parallel.partition_path");
  return read_partition(text, path, vertices, parts);
}

}  // namespace weft::engine
