// A number per line; everything else is refused with its line.
#include "engine/partition_file.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"

namespace weft::engine {
namespace {

class Reader {
 public:
  Reader(const std::string& name, u32 vertices, u32 parts)
      : name_(name), vertices_(vertices), parts_(parts), used_(parts, false) {}

  void line(std::string_view text) {
    ++line_;
    text = text.substr(0, text.find('#'));
    const auto begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return;
    text = text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
    const std::optional<u32> part = parsed<u32>(text);
    if (!part) fail("is not the number of a part (a whole number from 0); correct it or put # before comments");
    const u32 value = *part;
    if (value >= parts_) {
      fail(fmt::format(
          "names part {} (there are {} ranks, numbered from 0); run on more ranks or make a partition for {}", value,
          parts_, parts_));
    }
    if (part_.size() == vertices_) {
      fail(fmt::format("is one too many (the network has {} routers, a line each); take the file made for this network",
                       vertices_));
    }
    part_.push_back(value);
    used_[value] = true;
  }

  std::vector<u32> finish() {
    if (part_.size() < vertices_) {
      fail(fmt::format("is the end after {} of {} routers; take the file made for this network", part_.size(),
                       vertices_));
    }
    if (const auto empty = std::ranges::find(used_, false); empty != used_.end()) {
      fail(fmt::format("is the end and part {} has no router; run on fewer ranks or make a partition for {}",
                       empty - used_.begin(), parts_));
    }
    return std::move(part_);
  }

 private:
  static constexpr std::string_view blanks = " \t\r";

  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(fmt::format("{}:{}: line {}", shown(name_), line_, problem));
  }

  std::string name_;
  u32 vertices_, parts_;
  std::vector<u32> part_;
  std::vector<bool> used_;
  u64 line_ = 0;
};

}  // namespace

std::vector<u32> read_partition(std::string_view text, const std::string& name, u32 vertices, u32 parts) {
  Reader reader(name, vertices, parts);
  for_each_line(text, [&reader](std::string_view line) { reader.line(line); });
  return reader.finish();
}

std::vector<u32> partition_from_file(const std::string& path, u32 vertices, u32 parts) {
  // Room for long comments; more is no partition of this network.
  const u64 most_bytes = (u64{4} << 20) + u64{64} * vertices;
  const std::string text = read_text_file<InputError>(path, most_bytes, "file of parallel.partition_path");
  return read_partition(text, path, vertices, parts);
}

}  // namespace weft::engine
