// The reader of tables by key and mask.
#include "models/machine/spinnaker/key_file.hpp"

#include <fmt/format.h>
#include <optional>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "engine/base/text/text_line.hpp"
#include "models/machine/spinnaker/directions.hpp"

namespace weft::models::spinnaker {
namespace {

constexpr LineForm key_lines{.separators = " \t\r"};

u32 number_on(const TextLine& line, std::size_t ix) {
  const std::string_view word = line.word(ix);
  const bool hex = word.starts_with("0x") || word.starts_with("0X");
  const std::optional<u32> value = hex ? parsed<u32>(word.substr(2), 16) : parsed<u32>(word);
  if (!value) {
    line.fail(
        fmt::format("line holds \"{}\" (not a number of 32 bits, decimal or 0x...); correct it or put # before "
                    "comments",
                    shown(word, 24)));
  }
  return *value;
}

u32 chip_on(const TextLine& line, std::size_t ix, u32 nodes) {
  const u32 value = number_on(line, ix);
  if (value >= nodes) {
    line.fail(fmt::format("line names node {} (the network has {}, from 0); correct it", value, nodes));
  }
  return value;
}

/// Ports by the names that SpiNNaker's links have.
u32 output_on(const TextLine& line, std::size_t ix) {
  struct Named {
    std::string_view name;
    u32 output;
  };
  constexpr Named names[] = {{"e", 0}, {"ne", 4}, {"n", 2}, {"w", 1}, {"sw", 5}, {"s", 3}, {"node", local}};
  for (const Named& named : names)
    if (named.name == line.word(ix)) return named.output;
  line.fail(
      fmt::format("line names output \"{}\" (not e, ne, n, w, sw, s or node); correct it", shown(line.word(ix), 24)));
}

KeyEntry entry_on(const TextLine& line, u32 nodes) {
  if (line.words() < 5) line.fail("line is too short (entry ROUTER KEY MASK OUTPUT ...); name at least one output");
  KeyEntry entry{chip_on(line, 1, nodes), number_on(line, 2), number_on(line, 3), 0};
  if ((entry.key & ~entry.mask) != 0) {
    line.fail(
        fmt::format("line has an entry that no packet matches (key {:#010x} has ones where mask {:#010x} has "
                    "none); correct one of them",
                    entry.key, entry.mask));
  }
  for (std::size_t ix = 4; ix < line.words(); ++ix) {
    const u8 bit = static_cast<u8>(1U << output_on(line, ix));
    if ((entry.outputs & bit) != 0)
      line.fail(fmt::format("line names output {} twice; remove one", std::string(line.word(ix))));
    entry.outputs |= bit;
  }
  return entry;
}

}  // namespace

KeyFile parse_key_file(std::string_view text, const std::string& name, u32 nodes) {
  KeyFile file;
  file.keys.resize(nodes);
  for (u32 node = 0; node < nodes; ++node) file.keys[node] = node;
  std::vector<u64> line_of(nodes, 0);  // [node]
  const auto read = [&](const TextLine& line) {
    if (line.words() == 0) return;
    if (line.word(0) == "entry") {
      file.entries.push_back(entry_on(line, nodes));
    } else if (line.word(0) == "key") {
      line.expect_words(3, "key NODE KEY");
      const u32 node = chip_on(line, 1, nodes);
      if (line_of[node] != 0)
        line.fail(
            fmt::format("line has the key of node {} again (it was in line {}); remove one", node, line_of[node]));
      line_of[node] = line.number();
      file.keys[node] = number_on(line, 2);
    } else {
      line.fail(fmt::format("line begins with \"{}\" (not key or entry); correct it or put # before comments",
                            shown(line.word(0), 24)));
    }
  };
  for_each_text_line(text, name, read, key_lines);
  return file;
}

KeyFile read_key_file(const std::string& path, u32 nodes) {
  constexpr u64 most_bytes = u64{1} << 31;
  return parse_key_file(read_text_file<InputError>(path, most_bytes, "routing tables"), path, nodes);
}

}  // namespace weft::models::spinnaker
