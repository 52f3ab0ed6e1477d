// Nodes are blocks: attributes, a line with kind, ports and name, and a line for each cabled port. What stands behind #
// is comment for ibsim, but that is where ibnetdiscover prints LIDs and descriptions:
//   Switch	24 "S-0008f10400410015"		# "spine 1" enhanced port 0 lid 6 lmc 0
//   [10][ext 3]	"H-0008f10403961354"[1](8f10403961355) 		# "node7 HCA-1" lid 4 4xQDR
//   Ca	2 "H-0008f10403961354"		# "node7 HCA-1"
//   [1](8f10403961355) 	"S-0008f10400410015"[10]		# lid 4 lmc 1 "spine 1" lid 6 4xQDR
#include "tools/fabric/read/ib_net.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <unordered_map>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/fabric/read/fabric_builder.hpp"

namespace weft::tools {
namespace {

/// A line of a port, kept until all nodes are known.
struct PortLine {
  u32 node = 0, port = 0;
  u32 far_id = 0;  ///< place in the list of ids
  u32 far_port = 0;
  u64 line = 0, far_guid = 0;
  u32 far_lid = 0;
  std::string_view speed;
};

/// A comment: what ibnetdiscover says in it, in this order.
struct Comment {
  std::optional<u64> own_lid, own_lmc;
  std::optional<std::string_view> description;
  u64 lid = 0, lmc = 0;  ///< behind the description
  std::string_view speed;
};

/// The number behind a word, if it is there; UINT64_MAX for one of more digits than fit.
bool number_behind(std::string_view text, std::string_view word, u64& value) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return false;
  LineScanner words(text.substr(at + word.size()));
  words.skip_blanks();
  if (words.decimal(value)) return true;
  if (words.empty() || std::isdigit(static_cast<unsigned char>(words.rest().front())) == 0) return false;
  value = UINT64_MAX;
  return true;
}

/// "4xQDR", "2xHDR": width and speed.
bool is_speed(std::string_view word) {
  const std::size_t x = word.find('x');
  if (x == 0 || x == std::string_view::npos || x + 1 == word.size() || word.size() > 16) return false;
  return std::ranges::all_of(word.substr(0, x), [](unsigned char c) { return std::isdigit(c) != 0; }) &&
         std::ranges::all_of(word.substr(x + 1), [](unsigned char c) { return std::isalnum(c) != 0; });
}

Comment comment_of(std::string_view text) {
  Comment comment;
  std::string_view behind = text;
  // A description may have quotation marks and # of its own: it reaches from the first mark to the last.
  const std::size_t first = text.find('"'), last = text.rfind('"');
  if (first != std::string_view::npos && last > first) {
    comment.description = text.substr(first + 1, last - first - 1);
    behind = text.substr(last + 1);
    u64 number = 0;
    if (number_behind(text.substr(0, first), "lid ", number)) comment.own_lid = number;
    if (number_behind(text.substr(0, first), "lmc ", number)) comment.own_lmc = number;
  }
  number_behind(behind, " lid ", comment.lid);
  number_behind(behind, " lmc ", comment.lmc);
  for (LineScanner words(behind); !words.empty();) {
    words.skip_blanks();
    const std::string_view word = words.word();
    if (is_speed(word)) comment.speed = word;
  }
  return comment;
}

class IbNetReader {
 public:
  IbNetReader(FabricLines& lines, const NotHosts& not_hosts)
      : lines_(lines), not_hosts_(not_hosts), builder_(lines.file()) {}

  Fabric read() {
    for (std::string_view line; lines_.next(line);) {
      if (lines_.number() - useful_line_ > most_lines_between) {
        lines_.fail(
            fmt::format("there are more than {} lines without a node or a port (line {} was the last of one); "
                        "check which file it is",
                        most_lines_between, useful_line_));
      }
      take(line);
    }
    if (builder_.nodes() == 0)
      throw InputError(
          fmt::format("{}: there is no node in it (no line with Switch or Ca); check which file it is", lines_.file()));
    // What ibnetdiscover prints it has come to over a port, but for a machine that is alone.
    const bool alone = builder_.nodes() == 1 && builder_.node(0).kind == NodeKind::host;
    if (discovered_ && !alone && (ports_.empty() || ports_.back().node != node_)) {
      builder_.fail(builder_.node(node_).line,
                    fmt::format("the last node, '{}', has no port (the file is cut off); fetch it again",
                                shown(builder_.node(node_).name)));
    }
    for (const PortLine& port : ports_) connect(port);
    Fabric fabric = builder_.finish(not_hosts_);
    fabric.form = discovered_ ? FabricForm::ibnetdiscover : FabricForm::ibsim_net;
    return fabric;
  }

 private:
  void take(std::string_view line) {
    if (line.empty()) return;
    if (line.front() == '#') {
      if (line.find("Topology file: generated") != std::string_view::npos) discovered_ = true;
      return;
    }
    if (line.front() == '[') return take_port(line);
    if (take_node(line) || take_attribute(line)) return;
    // With -g, chassis have headings.
    if (line.starts_with("Chassis ") || line.starts_with("Non-Chassis") || line.starts_with("Unknown Chassis")) return;
    lines_.fail(
        fmt::format("'{}' is no line of a network (Switch, Ca, Hca, Rt with ports and name, [port] with its "
                    "cable, guid=...); check which file it is",
                    shown(line, 60)));
  }

  bool take_attribute(std::string_view line) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || equals == 0) return false;
    const std::string_view name = line.substr(0, equals);
    const auto in_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    if (!std::ranges::all_of(name, in_name)) return false;
    const bool of_node = name == "switchguid" || name == "caguid" || name == "rtguid" || name == "routerguid";
    LineScanner words(line.substr(equals + 1));
    if (!of_node) {
      u64 id = 0;
      if ((name == "vendid" || name == "devid") && words.hexadecimal(id) && id <= UINT32_MAX)
        (name == "vendid" ? vendor_ : device_) = static_cast<u32>(id);
      return true;
    }
    if (!words.hexadecimal(guid_))
      lines_.fail(fmt::format("'{}' is no GUID (up to 16 hexadecimal digits); correct it", shown(words.rest(), 40)));
    return true;
  }

  bool take_node(std::string_view line) {
    LineScanner words(line);
    const std::string_view word = words.word();
    static constexpr std::array<std::pair<std::string_view, NodeKind>, 6> kinds{{{"switch", NodeKind::of_switch},
                                                                                 {"ca", NodeKind::host},
                                                                                 {"hca", NodeKind::host},
                                                                                 {"tca", NodeKind::host},
                                                                                 {"rt", NodeKind::other},
                                                                                 {"router", NodeKind::other}}};
    const auto same = [word](const auto& kind) {
      return std::ranges::equal(kind.first, word, [](char a, char b) {
        return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
      });
    };
    const auto kind = std::ranges::find_if(kinds, same);
    if (kind == kinds.end()) return false;
    u64 ports = 0;
    words.skip_blanks();
    std::string_view id;
    const bool has_ports = words.decimal(ports);
    words.skip_blanks();
    if (!has_ports || ports == 0 || !words.take('"') || !words.up_to('"', id)) {
      lines_.fail(fmt::format("'{}' is no node (it is {} PORTS \"NAME\"); correct the line or fetch the file again",
                              shown(line, 60), word));
    }
    add_node(kind->second, id, ports, words.rest());
    return true;
  }

  void add_node(NodeKind kind, std::string_view id, u64 ports, std::string_view rest) {
    const std::size_t hash = rest.find('#');
    const Comment comment = comment_of(hash == std::string_view::npos ? "" : rest.substr(hash + 1));
    const u32 place = place_of(id);
    if (node_of_[place] != none) {
      lines_.fail(fmt::format("node '{}' is there twice (the first time in line {}); remove one", shown(id),
                              builder_.node(node_of_[place]).line));
    }
    u64 guid = guid_;
    if (guid == 0 && id.size() == 18 && id[1] == '-') LineScanner(id.substr(2)).hexadecimal(guid);
    guid_ = 0;
    node_ = builder_.add({.kind = kind,
                          .name = std::string(comment.description.value_or(id)),
                          .guid = guid,
                          .ports = static_cast<u32>(std::min<u64>(ports, UINT32_MAX - 1)),
                          .line = lines_.number(),
                          .vendor = vendor_,
                          .device = device_});
    vendor_ = device_ = 0;
    node_of_[place] = node_;
    useful_line_ = lines_.number();
    if (kind != NodeKind::of_switch) return;
    builder_.set_lid(node_, 0, comment.lid, lines_.number());
    builder_.set_lmc(node_, 0, comment.lmc, lines_.number());
  }

  void take_port(std::string_view line) {
    if (node_ == none) lines_.fail("a port without a node in front of it (Switch, Ca); fetch the file again");
    useful_line_ = lines_.number();
    if (ports_.size() >= most_fabric_ports) {
      lines_.fail(fmt::format("the fabric has more than {} cabled ports (no subnet has); check which file it is",
                              most_fabric_ports));
    }
    PortLine port;
    port.node = node_;
    port.line = lines_.number();
    LineScanner words(line);
    u64 own_guid = 0;
    std::string_view id;
    const bool whole = take_end(words, port.port, own_guid) && words.take('"') && words.up_to('"', id) &&
                       take_end(words, port.far_port, port.far_guid);
    if (!whole) {
      lines_.fail(fmt::format("'{}' is no port (it is [PORT] \"NODE\"[PORT]); correct the line or fetch the file again",
                              shown(line, 60)));
    }
    port.far_id = place_of(id);
    const std::size_t hash = words.rest().find('#');
    const Comment comment = comment_of(hash == std::string_view::npos ? "" : words.rest().substr(hash + 1));
    port.far_lid = static_cast<u32>(std::min<u64>(comment.lid, UINT32_MAX));
    if (!comment.speed.empty()) port.speed = *speeds_.emplace(comment.speed).first;
    ports_.push_back(port);
    if (builder_.node(node_).kind == NodeKind::of_switch) return;
    if (own_guid != 0) builder_.set_port_guid(node_, port.port, own_guid, port.line);
    if (comment.own_lid) builder_.set_lid(node_, port.port, *comment.own_lid, port.line);
    if (comment.own_lmc) builder_.set_lmc(node_, port.port, *comment.own_lmc, port.line);
  }

  /// "[1](8f10403961355) ", "[10][ext 3]": a port, its GUID.
  static bool take_end(LineScanner& words, u32& port, u64& guid) {
    u64 number = 0;
    if (!words.take('[') || !words.decimal(number) || !words.take(']') || number > UINT32_MAX) return false;
    port = static_cast<u32>(number);
    for (;;) {
      words.skip_blanks();
      std::string_view label;
      if (words.take('[')) {
        if (!words.up_to(']', label)) return false;
      } else if (words.take('(')) {
        if (!words.hexadecimal(guid) || !words.take(')')) return false;
      } else {
        return true;
      }
    }
  }

  u32 place_of(std::string_view id) {
    const auto [at, fresh] = place_of_.try_emplace(std::string(id), static_cast<u32>(node_of_.size()));
    if (fresh) {
      node_of_.push_back(none);
      ids_.push_back(&at->first);
    }
    return at->second;
  }

  void connect(const PortLine& port) {
    const u32 far = node_of_[port.far_id];
    if (far == none) {
      const std::string& id = *ids_[port.far_id];
      builder_.fail(port.line, fmt::format("the cable leads to '{}', which is not in the file (it may be cut off); "
                                           "fetch the file again",
                                           shown(id)));
    }
    static_cast<void>(builder_.connect(port.node, port.port, far, port.far_port, port.line));
    builder_.set_speed(port.node, port.port, port.speed);
    if (port.far_guid != 0) builder_.set_port_guid(far, port.far_port, port.far_guid, port.line);
    builder_.set_lid(far, port.far_port, port.far_lid, port.line);
  }

  static constexpr u32 none = UINT32_MAX;
  /// Headings, attributes and blank lines in a row that a tool may print.
  static constexpr u64 most_lines_between = 100'000;
  FabricLines& lines_;
  const NotHosts& not_hosts_;
  u64 useful_line_ = 0;  ///< the last one of a node or a port
  FabricBuilder builder_;
  bool discovered_ = false;
  u64 guid_ = 0;  ///< of the next node
  u32 vendor_ = 0, device_ = 0;
  u32 node_ = none;  ///< whose ports come
  std::vector<PortLine> ports_;
  std::unordered_map<std::string, u32> place_of_;  ///< by id
  std::vector<u32> node_of_;                       ///< [place]
  std::vector<const std::string*> ids_;            ///< [place]
  std::set<std::string, std::less<>> speeds_;
};

}  // namespace

Fabric read_ib_net(FabricLines& lines, const NotHosts& not_hosts) { return IbNetReader(lines, not_hosts).read(); }

}  // namespace weft::tools
