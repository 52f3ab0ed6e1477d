// Names of hosts and the two kinds of files made of them.
#include "tools/fabric/host_files.hpp"

#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/line_place.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "tools/fabric/host_names.hpp"

namespace weft::tools {
namespace {

constexpr u64 most_bytes = u64{1} << 30;

/// Takes the next word of a line, or what stands in quotation marks; false at the end. Throws InputError for an open
/// quotation.
bool next_word(std::string_view& line, std::string& word, const std::string& place) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos || line[first] == '#') return false;
  line.remove_prefix(first);
  const bool quoted = line.front() == '"';
  if (quoted) line.remove_prefix(1);
  const std::size_t end = quoted ? line.find('"') : line.find_first_of(" \t\r");
  if (quoted && end == std::string_view::npos) {
    throw InputError(
        fmt::format("{}: a quotation mark is left open (\"{}); close it", place, shown(std::string(line))));
  }
  word = line.substr(0, end);
  line.remove_prefix(end == std::string_view::npos ? line.size() : end + (quoted ? 1 : 0));
  return true;
}

/// What is no host is a mistake of the file here, not of the command line.
std::vector<u32> hosts_named(const HostNames& names, const std::string& word, const std::string& place) {
  try {
    return names.find_all(word, place + ": ");
  } catch (const ConfigError& error) {
    throw InputError(error.what(), error.detail());
  }
}

/// Calls use(hosts, place, line) for each line that names hosts. Throws InputError if they are not `count`; 0: any
/// number.
template <class Use>
void for_host_lines(std::string_view text, const std::string& file, const models::Subnet& subnet, std::size_t count,
                    const std::string& what, Use&& use) {
  const HostNames names(subnet);
  u64 number = 0;
  std::vector<u32> hosts;
  for_each_line(text, [&](std::string_view line) {
    const std::string place = place_of_line(file, ++number);
    std::string word;
    hosts.clear();
    while (next_word(line, word, place)) {
      const std::vector<u32> some = hosts_named(names, word, place);
      hosts.insert(hosts.end(), some.begin(), some.end());
    }
    if (hosts.empty()) return;
    if (count != 0 && hosts.size() != count) {
      throw InputError(
          fmt::format("{}: {} hosts in a line (there are {} in each line of {}); names with blanks go into "
                      "quotation marks",
                      place, hosts.size(), count, what));
    }
    use(hosts, place, number);
  });
}

}  // namespace

std::vector<std::pair<u32, u32>> read_host_pairs(const std::string& path, const models::Subnet& subnet) {
  std::vector<std::pair<u32, u32>> pairs;
  const std::string text = read_text_file<InputError>(path, most_bytes, "pattern");
  for_host_lines(text, path, subnet, 2, "pattern", [&](const std::vector<u32>& hosts, const std::string& place, u64) {
    if (hosts[0] == hosts[1]) {
      throw InputError(fmt::format("{}: {} sends to itself (that uses no link); leave the line out", place,
                                   shown(subnet.host_label(hosts[0]))));
    }
    pairs.emplace_back(hosts[0], hosts[1]);
  });
  if (pairs.empty())
    throw InputError(fmt::format("{}: no pair of hosts; write lines `source destination`", shown(path)));
  return pairs;
}

std::vector<ListedHost> host_list(std::string_view text, const std::string& file, const std::string& what,
                                  const models::Subnet& subnet) {
  std::vector<ListedHost> list;
  std::vector<bool> there(subnet.hosts(), false);
  for_host_lines(text, file, subnet, 0, what, [&](const std::vector<u32>& hosts, const std::string& place, u64 line) {
    for (const u32 host : hosts) {
      if (there[host]) {
        throw InputError(fmt::format("{}: {} is there already (a host is listed once); leave one of the two out", place,
                                     shown(subnet.host_label(host))));
      }
      there[host] = true;
      list.push_back({host, line});
    }
  });
  return list;
}

namespace {

std::vector<u32> two_or_more(const std::vector<ListedHost>& listed, const std::string& file) {
  if (listed.size() < 2) throw InputError(fmt::format("{}: fewer than two hosts; list as many as are to run", file));
  std::vector<u32> hosts;
  for (const ListedHost& each : listed) hosts.push_back(each.host);
  return hosts;
}

}  // namespace

std::vector<u32> read_host_list(const std::string& path, const models::Subnet& subnet) {
  const std::string text = read_text_file<InputError>(path, most_bytes, "mapping");
  return two_or_more(host_list(text, path, "mapping", subnet), shown(path));
}

std::vector<u32> hosts_of_list(const std::string& list, const models::Subnet& subnet) {
  try {
    return two_or_more(host_list(list, "--mapping", "mapping", subnet), "--mapping");
  } catch (const InputError& error) {
    throw ConfigError(fmt::format("'{}' is no mapping (random, linear or file:PATH) and no list of hosts: {}",
                                  shown(list, 60), error.what()),
                      error.detail());
  }
}

}  // namespace weft::tools
