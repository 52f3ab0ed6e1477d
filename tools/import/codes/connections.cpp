// Cables of groups: read from CODES' binary files, or made as CODES' own generators make them.
#include "tools/import/codes/connections.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::tools::codes {
namespace {

using Counts = std::map<std::pair<u32, u32>, u32>;

[[noreturn]] void fail(const ForeignFile& file, std::size_t offset, const std::string& what) {
  throw ConfigError(fmt::format("{}: offset {}: {}", shown(file.path), offset, what));
}

u32 word_at(const std::string& bytes, std::size_t offset) {
  u32 value = 0;
  for (std::size_t k = 4; k-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[offset + k]);
  return value;
}

/// Each direction counted by itself.
Counts read_directions(const ForeignFile& file, i64 routers, std::size_t record) {
  Counts directions;
  for (std::size_t at = 0; at + record <= file.text.size(); at += record) {
    const u32 a = word_at(file.text, at), b = word_at(file.text, at + 4);
    for (const u32 router : {a, b}) {
      if (router >= routers) {
        fail(
            file, at,
            fmt::format("router {} is none of the {} that the config has (it may be the file of another network, or of "
                        "another kind of link); give the files that the config names",
                        router, routers));
      }
    }
    if (a == b) fail(file, at, fmt::format("router {} is linked to itself; give the files that the config names", a));
    ++directions[{a, b}];
  }
  return directions;
}

std::vector<Cable> cables_of(const Counts& directions) {
  Counts pairs;
  for (const auto& [ends, count] : directions) {
    const auto [a, b] = std::minmax(ends.first, ends.second);
    u32& most = pairs[{a, b}];
    most = std::max(most, count);
  }
  std::vector<Cable> cables;
  for (const auto& [ends, count] : pairs) cables.push_back({ends.first, ends.second, count});
  return cables;
}

void check_size(const ForeignFile& file, std::size_t record) {
  if (file.text.size() % record == 0 && !file.text.empty()) return;
  fail(file, file.text.size() / record * record,
       fmt::format("the file ends within a link ({} bytes are no multiple of {}); copy it whole", file.text.size(),
                   record));
}

}  // namespace

std::vector<Cable> read_group_cables(const ForeignFile& file, i64 routers) {
  // Files of dragonfly-plus, and older ones, have no colour. One of three numbers has small third ones throughout.
  const auto has_colours = [&] {
    if (file.text.size() % 12 != 0) return false;
    for (std::size_t at = 0; at < file.text.size(); at += 12) {
      if (word_at(file.text, at) >= routers || word_at(file.text, at + 4) >= routers || word_at(file.text, at + 8) > 2)
        return false;
      if (word_at(file.text, at) == word_at(file.text, at + 4)) return false;
    }
    return true;
  };
  const std::size_t record = has_colours() || file.text.size() % 8 != 0 ? 12 : 8;
  check_size(file, record);
  return cables_of(read_directions(file, routers, record));
}

std::vector<Cable> read_global_cables(const ForeignFile& file, i64 routers, i64 routers_per_group) {
  check_size(file, 8);
  const std::vector<Cable> cables = cables_of(read_directions(file, routers, 8));
  for (const Cable& cable : cables) {
    if (cable.a / routers_per_group == cable.b / routers_per_group) {
      fail(file, 0,
           fmt::format(
               "routers {} and {} are of one group, which a link between groups cannot join; give the files that "
               "the config names",
               cable.a, cable.b));
    }
  }
  return cables;
}

std::vector<Cable> cray_group_cables(i64 rows, i64 columns, i64 row_cables, i64 column_cables) {
  Counts pairs;
  for (i64 a = 0; a < rows * columns; ++a) {
    for (i64 b = a + 1; b < rows * columns; ++b) {
      const i64 count = a / columns == b / columns ? row_cables : a % columns == b % columns ? column_cables : 0;
      if (count > 0) pairs[{static_cast<u32>(a), static_cast<u32>(b)}] = static_cast<u32>(count);
    }
  }
  return cables_of(pairs);
}

std::vector<Cable> cray_global_cables(i64 groups, i64 rows, i64 columns) {
  const i64 places = std::max<i64>(1, columns / 2), width = std::min<i64>(2, columns), routers = rows * columns;
  Counts pairs;
  for (i64 from = 0; from < groups; ++from) {
    for (i64 to = from + 1; to < groups; ++to) {
      // Groups are counted without the own one.
      const i64 here = (to - 1) % places * width, there = from % places * width;
      for (i64 row = 0; row < rows; ++row) {
        for (i64 k = 0; k < width; ++k) {
          const i64 a = from * routers + row * columns + here + k, b = to * routers + row * columns + there + k;
          pairs[{static_cast<u32>(a), static_cast<u32>(b)}] = 2;
        }
      }
    }
  }
  return cables_of(pairs);
}

bool joins_all(const std::vector<Cable>& cables, i64 routers) {
  return static_cast<i64>(cables.size()) == routers * (routers - 1) / 2 &&
         std::ranges::all_of(cables, [](const Cable& cable) { return cable.count == 1; });
}

bool is_even(const std::vector<Cable>& cables, i64 groups, i64 routers_per_group) {
  Counts between;
  for (const Cable& cable : cables) {
    between[{static_cast<u32>(cable.a / routers_per_group), static_cast<u32>(cable.b / routers_per_group)}] +=
        cable.count;
  }
  if (static_cast<i64>(between.size()) != groups * (groups - 1) / 2) return false;
  const auto [least, most] = std::ranges::minmax_element(between, {}, [](const auto& one) { return one.second; });
  return most->second - least->second <= 1;
}

bool is_relative(const std::vector<Cable>& cables, i64 groups, i64 routers_per_group, i64 links) {
  if (groups != routers_per_group * links + 1) return false;
  Counts wanted;
  for (i64 group = 0; group < groups; ++group) {
    for (i64 port = 0; port < groups - 1; ++port) {
      const i64 other = (group + port + 1) % groups, back = groups - 2 - port;
      const i64 a = group * routers_per_group + port / links, b = other * routers_per_group + back / links;
      if (a < b) wanted[{static_cast<u32>(a), static_cast<u32>(b)}] += 1;
    }
  }
  return std::ranges::equal(cables, cables_of(wanted), [](const Cable& a, const Cable& b) {
    return a.a == b.a && a.b == b.b && a.count == b.count;
  });
}

}  // namespace weft::tools::codes
