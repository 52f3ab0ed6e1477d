// What is read:
//   # Port counters: Lid 6 port 5 (CapMask: 0x1300)            perfquery; "# Port extended counters:" with -x
//   PortXmitData:....................1000072
//   Errors for 0x200003 "leaf4"                                ibqueryerrors
//      GUID 0x200003 port 5: [SymbolErrorCounter == 5] [PortXmitData == 5000013248 (18.627GB)]
#include "tools/fabric/read/counter_reader.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <set>
#include <span>
#include <unordered_map>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::tools {
namespace {

using models::Peer;
using models::Subnet;

/// Fields of perfquery that count nothing.
constexpr std::array<std::string_view, 4> no_counters = {"PortSelect", "CounterSelect", "CounterSelect2",
                                                         "CounterMask"};
/// Counters of data: 32 bits of the basic ones are soon full, and stay so.
constexpr std::array<std::string_view, 4> data_counters = {"PortXmitData", "PortRcvData", "PortXmitPkts",
                                                           "PortRcvPkts"};
constexpr u64 full_counter = UINT32_MAX;
/// Names in a port's block, far more than there are.
constexpr std::size_t most_counters = 200;

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 &&
         std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

bool listed(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Which forms a block of counters may have.
enum class CounterBlock : u8 { none, basic, extended, errors };

class CounterFileReader {
 public:
  CounterFileReader(FabricLines& lines, const Fabric& fabric) : lines_(lines), subnet_(fabric.subnet) {
    for (u32 s = 0; s < subnet_.switches(); ++s) {
      if (subnet_.switch_at(s).lid != 0) switch_by_lid_.emplace(subnet_.switch_at(s).lid, s);
      if (subnet_.switch_at(s).guid != 0) switch_by_guid_.emplace(subnet_.switch_at(s).guid, s);
    }
    for (u32 h = 0; h < subnet_.hosts(); ++h) {
      const models::SubnetHost& host = subnet_.host_at(h);
      for (u32 lid = host.lid; host.lid != 0 && lid < host.lid + (1U << host.lmc); ++lid) host_by_lid_.emplace(lid, h);
      if (host.port_guid != 0) host_by_guid_.emplace(std::pair(host.port_guid, host.port), h);
      if (host.guid != 0) host_by_guid_.emplace(std::pair(host.guid, host.port), h);
    }
    for (const OtherPort& other : fabric.others) {
      for (u32 lid = other.lid; other.lid != 0 && lid < other.lid + (1U << other.lmc); ++lid) other_lids_.insert(lid);
      other_guids_.insert(other.guid);
      other_guids_.insert(other.port_guid);
    }
  }

  CounterReading read() {
    for (std::string_view line; lines_.next(line);) {
      if (line.empty() || line.starts_with("##")) continue;
      if (line.front() == '#')
        take_heading(line);
      else if (line.starts_with("GUID "))
        take_errors(line);
      else if (!skipped(line))
        take_field(line);
    }
    if (blocks_ == 0) {
      throw InputError(fmt::format(
          "{}: there is no counter in it (no '# Port counters:' of perfquery, no 'GUID ... port' of ibqueryerrors); "
          "check which file it is",
          lines_.file()));
    }
    reading_.saturated = saturated_.size();
    return std::move(reading_);
  }

 private:
  /// Headings of nodes, and what is said about a link.
  static bool skipped(std::string_view line) {
    return line.starts_with("Errors for ") || line.starts_with("Data Counters for ") || line.starts_with("Link info:");
  }

  void take_heading(std::string_view line) {
    block_ = CounterBlock::none;
    const bool extended = line.starts_with("# Port extended counters:");
    const bool known = extended || line.starts_with("# Port counters:");
    const std::size_t at = line.find(" Lid ");
    if (at == std::string_view::npos) {
      if (known) fail(line, "'# Port counters: Lid LID port PORT'");
      ignoring_ = true;
      return;
    }
    LineScanner words(line.substr(at));
    u64 lid = 0, port = 0;
    words.skip_blanks();
    words.word();
    words.skip_blanks();
    const bool whole =
        words.decimal(lid) && (words.skip_blanks(), words.take("port")) && (words.skip_blanks(), words.decimal(port));
    ignoring_ = !known;
    if (!known) return;  // counters of other kinds
    if (!whole) fail(line, "'# Port counters: Lid LID port PORT'");
    ++blocks_;
    begin_block(extended ? CounterBlock::extended : CounterBlock::basic, channel_by_lid(lid, port));
  }

  /// "GUID 0x200003 port 5: [NAME == VALUE] [NAME == VALUE (IN OTHER UNITS)]".
  void take_errors(std::string_view line) {
    LineScanner words(line);
    words.take("GUID ");
    words.skip_blanks();
    u64 guid = 0, port = 0;
    if (!words.hexadecimal(guid)) fail(line, "'GUID GUID port PORT: [NAME == VALUE]'");
    words.skip_blanks();
    if (!words.take("port")) fail(line, "'GUID GUID port PORT: [NAME == VALUE]'");
    words.skip_blanks();
    ++blocks_;
    block_ = CounterBlock::none;
    if (words.take("ALL")) return;
    if (!words.decimal(port) || !words.take(':')) fail(line, "'GUID GUID port PORT: [NAME == VALUE]'");
    begin_block(CounterBlock::errors, channel_by_guid(guid, port));
    for (words.skip_blanks(); !words.empty(); words.skip_blanks()) {
      std::string_view counter, name;
      if (!words.take('[') || !words.up_to(']', counter)) fail(line, "'[NAME == VALUE]' to its end");
      LineScanner inside(counter);
      name = inside.word();
      inside.skip_blanks();
      u64 value = 0;
      if (!is_name(name) || !inside.take("==") || (inside.skip_blanks(), !inside.decimal(value)))
        fail(line, "'[NAME == VALUE]'");
      note(name, value);
    }
    block_ = CounterBlock::none;
  }

  /// "PortXmitData:....................1000072".
  void take_field(std::string_view line) {
    const std::size_t colon = line.find(':');
    const std::string_view name = line.substr(0, colon);
    if (colon == std::string_view::npos || !is_name(name)) fail(line, "'NAME:....VALUE'");
    if (blocks_ == 0 && block_ == CounterBlock::none && !ignoring_)
      lines_.fail("a counter without a port in front of it (# Port counters: Lid LID port PORT); fetch the file again");
    if (block_ == CounterBlock::none || listed(no_counters, name)) return;
    std::string_view rest = line.substr(colon + 1);
    while (rest.starts_with('.')) rest.remove_prefix(1);
    LineScanner words(rest);
    u64 value = 0;
    if (!words.number(value) || !trimmed(words.rest()).empty()) fail(line, "'NAME:....VALUE'");
    note(name, value);
  }

  void note(std::string_view name, u64 value) {
    if (channel_ == nowhere) return;
    PortCounters& counters = reading_.ports[channel_];
    const bool data = listed(data_counters, name);
    if (block_ == CounterBlock::basic && data) {
      if (has_extended_.contains(channel_)) return;
      if (value >= full_counter) {
        saturated_.emplace(channel_, name);
        return;
      }
    }
    if (counters.size() >= most_counters && !counters.contains(name))
      lines_.fail(fmt::format("a port has more than {} counters (none has); check which file it is", most_counters));
    if (data) saturated_.erase({channel_, std::string(name)});
    counters.insert_or_assign(std::string(name), value);
  }

  void begin_block(CounterBlock block, u32 channel) {
    block_ = block;
    channel_ = channel;
    if (channel == nowhere) return;
    const auto [at, fresh] = first_line_.try_emplace(std::pair(block, channel), lines_.number());
    if (!fresh) {
      lines_.fail(fmt::format("the counters of {} are there twice (the first time in line {}); give one reading",
                              shown_port(channel), at->second));
    }
    if (block == CounterBlock::extended) has_extended_.insert(channel);
  }

  [[nodiscard]] std::string shown_port(u32 channel) const {
    const Peer owner = subnet_.owner(channel);
    return owner.kind == Peer::Kind::router
               ? fmt::format("port {} of '{}'", owner.port, shown(subnet_.switch_label(owner.id)))
               : fmt::format("'{}'", shown(subnet_.host_label(owner.id)));
  }

  [[nodiscard]] u32 channel_of_switch(u32 s, u64 port) const {
    if (port == 0 || port == 255) return nowhere;  // itself; all together
    if (port > subnet_.switch_at(s).ports) {
      lines_.fail(fmt::format("'{}' has no port {} (it has {}); check whether the counters are of this fabric",
                              shown(subnet_.switch_label(s)), port, subnet_.switch_at(s).ports));
    }
    return subnet_.channel(s, static_cast<u32>(port));
  }

  [[nodiscard]] u32 channel_by_lid(u64 lid, u64 port) const {
    if (const auto at = switch_by_lid_.find(lid); at != switch_by_lid_.end())
      return channel_of_switch(at->second, port);
    if (const auto at = host_by_lid_.find(lid); at != host_by_lid_.end())
      return port == 255 ? nowhere : subnet_.host_channel(at->second);
    if (other_lids_.contains(lid)) return nowhere;
    lines_.fail(
        fmt::format("LID {} belongs to no port of the fabric; check whether the counters are of this fabric", lid));
  }

  [[nodiscard]] u32 channel_by_guid(u64 guid, u64 port) const {
    if (const auto at = switch_by_guid_.find(guid); at != switch_by_guid_.end())
      return channel_of_switch(at->second, port);
    if (const auto at = host_by_guid_.find(std::pair(guid, port)); at != host_by_guid_.end())
      return subnet_.host_channel(at->second);
    // iblinkinfo has the GUIDs of ports, ibqueryerrors those of nodes: ports follow their node.
    for (const u64 of_port : {guid + port, guid + 1}) {
      if (const auto at = host_by_guid_.find(std::pair(of_port, port)); at != host_by_guid_.end())
        return subnet_.host_channel(at->second);
    }
    for (const u64 of_port : {guid, guid + port}) {
      if (other_guids_.contains(of_port)) return nowhere;
    }
    lines_.fail(
        fmt::format("GUID 0x{:x} with port {} is none of the fabric; check whether the counters are of this "
                    "fabric",
                    guid, port));
  }

  [[noreturn]] void fail(std::string_view line, const std::string& form) const {
    lines_.fail(
        fmt::format("'{}' is no line of perfquery or ibqueryerrors ({}); it may be cut off: fetch the file again",
                    shown(line, 60), form));
  }

  static constexpr u32 nowhere = UINT32_MAX;
  FabricLines& lines_;
  const Subnet& subnet_;
  std::unordered_map<u64, u32> switch_by_lid_, switch_by_guid_, host_by_lid_;
  std::map<std::pair<u64, u64>, u32> host_by_guid_;  ///< by GUID and port
  std::set<u64> other_lids_, other_guids_;
  CounterReading reading_;
  CounterBlock block_ = CounterBlock::none;
  u32 channel_ = nowhere;
  u64 blocks_ = 0;
  bool ignoring_ = false;  ///< a block of another kind
  std::map<std::pair<CounterBlock, u32>, u64> first_line_;
  std::set<u32> has_extended_;
  std::set<std::pair<u32, std::string>> saturated_;
};

}  // namespace

CounterReading read_counters(FabricLines& lines, const Fabric& fabric) {
  return CounterFileReader(lines, fabric).read();
}

}  // namespace weft::tools
