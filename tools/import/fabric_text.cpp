// Fabrics of switches, cables and nodes, as the TOML of a fabric file.
#include "tools/import/fabric_text.hpp"

#include <fmt/format.h>

namespace weft::tools {

std::string FabricText::toml(const std::string& about) const {
  std::vector<u64> ports(switches, 0);
  for (const u32 at : switch_of) ++ports[at];
  for (const Link& link : links) ports[link.a] += link.count, ports[link.b] += link.count;
  std::string text = fmt::format("# {}\n[fabric]\nname = \"{}\"\nswitches = [\n", about, name);
  for (u32 s = 0; s < switches; ++s) text += fmt::format("  {{ name = \"r{}\", ports = {} }},\n", s, ports[s]);
  text += "]\nhosts = [\n";
  for (std::size_t n = 0; n < switch_of.size(); ++n) text += fmt::format("  {{ name = \"n{}\" }},\n", n);
  text += "]\nlinks = [\n";
  for (std::size_t n = 0; n < switch_of.size(); ++n)
    text += fmt::format("  [\"n{}\", \"r{}\", 1, \"{:.15g} Gb/s\"],\n", n, switch_of[n], host_gbps);
  for (const Link& link : links)
    text += fmt::format("  [\"r{}\", \"r{}\", {}, \"{:.15g} Gb/s\"],\n", link.a, link.b, link.count, link.gbps);
  return text + "]\n";
}

bool FabricText::connected() const {
  std::vector<std::vector<u32>> next(switches);
  for (const Link& link : links) next[link.a].push_back(link.b), next[link.b].push_back(link.a);
  std::vector<bool> seen(switches, false);
  std::vector<u32> open;
  if (switches > 0) open.push_back(0), seen[0] = true;
  u32 count = 0;
  while (!open.empty()) {
    const u32 at = open.back();
    open.pop_back();
    ++count;
    for (const u32 to : next[at]) {
      if (!seen[to]) seen[to] = true, open.push_back(to);
    }
  }
  return count == switches;
}

}  // namespace weft::tools
