// A line is one port, what its link is, and the far end; a heading says whose ports follow. With --line all is in the
// line, and a node with one line is an adapter (blanks are left out here):
//   CA: node13:
//      0x0000000000100019   19    1[  ] ==( 4X   10.0 Gbps Active/  LinkUp)==>   6    1[  ] "leaf4" (Could be 12X )
//   Switch: 0x0000000000200003 leaf4:
//       6    7[  ] ==(                Down/ Polling)==>             [  ] "" ( )
//   0x...200003 "leaf4"   6   1[  ] ==( 4X   10.0 Gbps Active/  LinkUp)==>  0x...100019   19    1[  ] "node13" ( )
#include "tools/fabric/read/link_info.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <unordered_map>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/fabric/read/fabric_builder.hpp"

namespace weft::tools {
namespace {

constexpr std::string_view before_link = "==(", behind_link = "==>";

/// One end of a link: GUID and name as far as the form has them.
struct LinkEnd {
  u64 guid = 0, lid = 0, port = 0;
  std::string name;
};

struct LinkLine {
  LinkEnd near, far;  ///< far.port is 0 where nothing is plugged in
  std::string speed, could_be;
  u64 line = 0;
};

/// A node, and the first line that spoke of it.
struct LinkNode {
  NodeKind kind = NodeKind::host;
  std::string name;
  u64 guid = 0, lid = 0, ports = 0, line = 0;
  u64 lines = 0;  ///< with it as the near end
};

/// Signalling rates of a lane as iblinkinfo prints them, 10^9 bit/s.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> lane_names{{{"2.5 ", "SDR"},
                                                                                   {"5.0 ", "DDR"},
                                                                                   {"10.0 ", "QDR"},
                                                                                   {"14.0625 ", "FDR"},
                                                                                   {"25.78125 ", "EDR"},
                                                                                   {"53.125 ", "HDR"},
                                                                                   {"106.25 ", "NDR"},
                                                                                   {"212.5 ", "XDR"}}};

/// " 4X          10.0 Gbps Active/  LinkUp)" as "4xQDR"; empty where width or speed is missing.
std::string speed_named(std::string_view link) {
  LineScanner words(link);
  words.skip_blanks();
  u64 width = 0;
  if (!words.decimal(width) || !words.take('X')) return "";
  words.skip_blanks();
  if (words.rest().substr(0, words.rest().find(')')).find("FDR10") != std::string_view::npos)
    return fmt::format("{}xFDR10", width);
  for (const auto& [rate, name] : lane_names) {
    if (words.rest().starts_with(rate)) return fmt::format("{}x{}", width, name);
  }
  return "";
}

/// "19    1[  ]": LID and port; the label of a port on the outside is left out.
bool take_port(LineScanner& words, LinkEnd& end) {
  words.skip_blanks();
  if (!words.decimal(end.lid)) return false;
  words.skip_blanks();
  std::string_view label;
  return words.decimal(end.port) && words.take('[') && words.up_to(']', label);
}

bool take_guid(LineScanner& words, LinkEnd& end) {
  words.skip_blanks();
  return !words.rest().starts_with("0x") || words.hexadecimal(end.guid);
}

/// The "14.0625 Gbps" of "( Could be 14.0625 Gbps )" at the end of a line; empty where there is none.
std::string could_be_of(std::string_view line) {
  constexpr std::string_view words = "Could be ";
  const std::size_t at = line.rfind(words), end = line.rfind(')');
  if (at == std::string_view::npos || end == std::string_view::npos || end < at) return "";
  return shown(trimmed(line.substr(at + words.size(), end - at - words.size())), 40);
}

class LinkInfoReader {
 public:
  LinkInfoReader(FabricLines& lines, const NotHosts& not_hosts)
      : lines_(lines), not_hosts_(not_hosts), builder_(lines.file()) {}

  Fabric read() {
    for (std::string_view line; lines_.next(line);) {
      if (line.empty() || line.front() == '#') continue;
      if (line.find(before_link) == std::string_view::npos)
        take_heading(line);
      else
        take_link(line);
    }
    if (links_.empty()) lines_.fail("there is no port in it (no line with ==( and ==>); fetch the file again");
    add_nodes();
    for (const LinkLine& link : links_) connect(link);
    Fabric fabric = builder_.finish(not_hosts_);
    fabric.form = FabricForm::iblinkinfo;
    return fabric;
  }

 private:
  /// "Switch: 0x0000000000200003 leaf4:", "CA: node13:".
  void take_heading(std::string_view line) {
    const std::size_t colon = line.find(": ");
    const std::string_view kind = line.substr(0, colon);
    if (colon == std::string_view::npos || !line.ends_with(':') ||
        (kind != "Switch" && kind != "CA" && kind != "Router"))
      lines_.fail(
          fmt::format("'{}' is no line of iblinkinfo (CA: NAME:, Switch: 0xGUID NAME:, or a port with ==( and "
                      "==>); check which file it is",
                      shown(line, 60)));
    heading_ = {};
    heading_kind_ = kind == "Switch" ? NodeKind::of_switch : kind == "CA" ? NodeKind::host : NodeKind::other;
    LineScanner words(line.substr(colon + 2, line.size() - colon - 3));
    if (heading_kind_ == NodeKind::of_switch && !(take_guid(words, heading_) && heading_.guid != 0))
      lines_.fail(fmt::format("'{}' has no GUID (it is Switch: 0xGUID NAME:); fetch the file again", shown(line, 60)));
    words.skip_blanks();
    heading_.name = std::string(words.rest());
    has_heading_ = true;
  }

  void take_link(std::string_view line) {
    if (links_.size() >= most_fabric_ports) {
      lines_.fail(
          fmt::format("the fabric has more than {} ports (no subnet has); check which file it is", most_fabric_ports));
    }
    const std::size_t begin = line.find(before_link), end = line.find(behind_link, begin);
    if (end == std::string_view::npos) fail_line(line);
    LinkLine link;
    link.line = lines_.number();
    LineScanner near(line.substr(0, begin)), far(line.substr(end + behind_link.size()));
    if (!take_guid(near, link.near)) fail_line(line);
    near.skip_blanks();
    const bool whole = near.rest().starts_with('"');  // --line
    if (whole) {
      const std::size_t last = near.rest().rfind('"');
      if (last == 0 || link.near.guid == 0) fail_line(line);
      link.near.name = std::string(trimmed(near.rest().substr(1, last - 1)));
      near = LineScanner(near.rest().substr(last + 1));
    }
    if (!take_port(near, link.near) || link.near.port == 0) fail_line(line);
    if (!whole) take_heading_into(line, link.near);
    take_far(line, far, link.far);
    link.speed = speed_named(line.substr(begin + before_link.size(), end - begin - before_link.size()));
    link.could_be = could_be_of(line);
    note_node(link, whole);
    links_.push_back(std::move(link));
  }

  void take_heading_into(std::string_view line, LinkEnd& near) {
    if (!has_heading_)
      lines_.fail(
          "a port without a node in front of it (CA: NAME:, Switch: 0xGUID NAME:); fetch the "
          "file again, or all of it with --line");
    if (heading_kind_ != NodeKind::of_switch && near.guid == 0) fail_line(line);
    near.name = heading_.name;
    if (heading_kind_ == NodeKind::of_switch) near.guid = heading_.guid;
  }

  /// What is behind the arrow; a port without a cable has nothing but an empty name.
  void take_far(std::string_view line, LineScanner& far, LinkEnd& end) {
    if (!take_guid(far, end)) fail_line(line);
    far.skip_blanks();
    if (far.rest().starts_with('[')) return;
    if (!take_port(far, end) || end.port == 0) fail_line(line);
    const std::size_t first = far.rest().find('"'), last = far.rest().rfind('"');
    if (first == std::string_view::npos || first == last) fail_line(line);
    end.name = std::string(far.rest().substr(first + 1, last - first - 1));
  }

  [[noreturn]] void fail_line(std::string_view line) const {
    lines_.fail(
        fmt::format("'{}' is no port (it is LID PORT[] ==( link )==> LID PORT[] \"NAME\", in front of it a GUID "
                    "and, with --line, a name); it may be cut off: fetch the file again",
                    shown(line, 60)));
  }

  void note_node(const LinkLine& link, bool whole) {
    const auto [at, fresh] = node_of_.try_emplace(link.near.guid, nodes_.size());
    if (fresh) {
      nodes_.push_back({.kind = whole ? NodeKind::host : heading_kind_,
                        .name = link.near.name,
                        .guid = link.near.guid,
                        .lid = link.near.lid,
                        .line = link.line});
    }
    LinkNode& node = nodes_[at->second];
    node.ports = std::max(node.ports, link.near.port);
    ++node.lines;
    // With --line only switches have several.
    if (whole && node.lines > 1) node.kind = NodeKind::of_switch;
  }

  void add_nodes() {
    for (const LinkNode& node : nodes_) {
      if (node.lid != 0) by_lid_.emplace(node.lid, static_cast<u32>(&node - nodes_.data()));
    }
    // A switch may have been listed without the ports that others name.
    for (const LinkLine& link : links_) {
      if (link.far.port == 0) continue;
      LinkNode& far = nodes_[far_of(link)];
      if (far.kind == NodeKind::of_switch) far.ports = std::max(far.ports, link.far.port);
    }
    for (const LinkNode& node : nodes_) {
      builder_.add({.kind = node.kind,
                    .name = node.name,
                    .guid = node.kind == NodeKind::of_switch ? node.guid : 0,
                    .ports = static_cast<u32>(std::min<u64>(node.ports, UINT32_MAX - 1)),
                    .line = node.line});
    }
    for (u32 n = 0; n < nodes_.size(); ++n) {
      const LinkNode& node = nodes_[n];
      const u32 port = static_cast<u32>(node.ports);
      builder_.set_lid(n, port, node.lid, node.line);
      builder_.set_port_guid(n, port, node.guid, node.line);
    }
  }

  /// The node at the far end, by GUID or else by LID.
  [[nodiscard]] u32 far_of(const LinkLine& link) const {
    if (const auto at = node_of_.find(link.far.guid); link.far.guid != 0 && at != node_of_.end())
      return static_cast<u32>(at->second);
    const auto at = by_lid_.find(link.far.lid);
    if (at == by_lid_.end() || link.far.lid == 0) {
      builder_.fail(
          link.line,
          fmt::format("the cable leads to '{}' (LID {}), which is not in the file (it may be cut off, or made "
                      "with --switches-only); fetch all of it",
                      shown(link.far.name), link.far.lid));
    }
    return at->second;
  }

  void connect(const LinkLine& link) {
    const u32 near = static_cast<u32>(node_of_.at(link.near.guid));
    const u32 port = static_cast<u32>(std::min<u64>(link.near.port, UINT32_MAX));
    if (nodes_[near].lid != link.near.lid)
      builder_.set_lid(near, port, link.near.lid, link.line);  // says that they disagree
    if (link.far.port == 0) return;
    static_cast<void>(builder_.connect(near, port, far_of(link),
                                       static_cast<u32>(std::min<u64>(link.far.port, UINT32_MAX)), link.line));
    builder_.set_speed(near, port, link.speed);
    if (!link.could_be.empty()) builder_.set_could_be(near, port, link.could_be);
  }

  FabricLines& lines_;
  const NotHosts& not_hosts_;
  FabricBuilder builder_;
  LinkEnd heading_;
  NodeKind heading_kind_ = NodeKind::host;
  bool has_heading_ = false;
  std::vector<LinkLine> links_;
  std::vector<LinkNode> nodes_;
  std::unordered_map<u64, std::size_t> node_of_;  ///< by GUID of the switch, or of the adapter's port
  std::unordered_map<u64, u32> by_lid_;
};

}  // namespace

bool is_link_info(std::string_view line) {
  const auto heading = [line](std::string_view kind) { return line.starts_with(kind) && line.ends_with(':'); };
  if (heading("CA: ") || heading("Switch: 0x") || heading("Router: ")) return true;
  const std::size_t begin = line.find(before_link);
  return begin != std::string_view::npos && line.find(behind_link, begin) != std::string_view::npos;
}

Fabric read_link_info(FabricLines& lines, const NotHosts& not_hosts) { return LinkInfoReader(lines, not_hosts).read(); }

}  // namespace weft::tools
