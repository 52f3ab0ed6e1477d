// Captures of network sniffers (libpcap's classic files, as tcpdump -w writes them) as traces: each packet with data is
// a message between two hosts.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

#include "engine/base/error.hpp"
#include "workloads/trace/format/queueing_reader.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t header_bytes = 24, record_bytes = 16;
constexpr u32 magic_us = 0xa1b2c3d4, magic_ns = 0xa1b23c4d;

using Bytes = std::string_view;

u32 byte_at(Bytes bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }
/// Numbers of packets, in network byte order.
u32 big16(Bytes bytes, std::size_t at) { return byte_at(bytes, at) << 8 | byte_at(bytes, at + 1); }

/// Numbers of the file's own headers, in the order of who wrote it.
struct FileOrder {
  bool big = false, nanoseconds = false;
  [[nodiscard]] u32 u32_at(Bytes bytes, std::size_t at) const {
    u32 value = 0;
    for (std::size_t k = 0; k < 4; ++k) value |= byte_at(bytes, at + k) << (8 * (big ? 3 - k : k));
    return value;
  }
};

/// The order that the magic number tells; false if it is none.
bool order_of(Bytes head, FileOrder& order) {
  if (head.size() < 4) return false;
  for (const bool big : {false, true}) {
    order.big = big;
    const u32 magic = order.u32_at(head, 0);
    order.nanoseconds = magic == magic_ns;
    if (magic == magic_us || magic == magic_ns) return true;
  }
  return false;
}

/// An IP packet with data: from where to where, how much of it is data of TCP, UDP or what else lies in IP.
struct Datagram {
  std::string from, to;  ///< addresses, 4 or 16 bytes
  u32 port = 0;          ///< of the destination; 0: has none
  u64 bytes = 0;         ///< without the headers of IP, TCP and UDP
};

bool to_one_host(const std::string& address) {
  if (address.size() == 16) return byte_at(address, 0) != 0xff;
  const u32 first = byte_at(address, 0);
  return first < 224 && address != std::string(4, '\xff');
}

/// Data of a segment of `bytes` behind the headers of IP, of which `there` is captured.
bool transport(u32 protocol, Bytes there, u64 bytes, Datagram& found) {
  constexpr u32 tcp = 6, udp = 17;
  u64 header = 0;
  if (protocol == tcp) {
    if (there.size() < 13) return false;
    header = (byte_at(there, 12) >> 4) * 4;
    if (header < 20) return false;
  } else if (protocol == udp) {
    header = 8;
  }
  if (header > 0 && there.size() >= 4) found.port = big16(there, 2);
  found.bytes = bytes > header ? bytes - header : 0;
  return true;
}

bool ipv4(Bytes there, Datagram& found) {
  if (there.size() < 20) return false;
  const u32 header = (byte_at(there, 0) & 15) * 4, whole = big16(there, 2);
  if (header < 20 || there.size() < header || whole < header) return false;
  found.from = there.substr(12, 4);
  found.to = there.substr(16, 4);
  const bool later_fragment = (big16(there, 6) & 0x1fff) != 0;
  if (later_fragment) {
    found.bytes = whole - header;
    return true;
  }
  return transport(byte_at(there, 9), there.substr(header), whole - header, found);
}

bool ipv6(Bytes there, Datagram& found) {
  if (there.size() < 40) return false;
  u64 left = big16(there, 4);
  found.from = there.substr(8, 16);
  found.to = there.substr(24, 16);
  u32 next = byte_at(there, 6);
  there.remove_prefix(40);
  // Hop-by-hop options, routing, destination options; fragments, of which later ones are data as a whole.
  while (next == 0 || next == 43 || next == 60 || next == 44) {
    if (there.size() < 8) return false;
    const u64 bytes = next == 44 ? 8 : (u64{byte_at(there, 1)} + 1) * 8;
    if (bytes > there.size() || bytes > left) return false;
    const bool later_fragment = next == 44 && (big16(there, 2) & 0xfff8) != 0;
    next = byte_at(there, 0);
    there.remove_prefix(bytes);
    left -= bytes;
    if (later_fragment) {
      found.bytes = left;
      return true;
    }
  }
  return transport(next, there, left, found);
}

/// The IP packet in a frame of a type of link; false if there is none, or its headers were not captured.
bool datagram_of(u32 link_type, Bytes frame, Datagram& found) {
  constexpr u32 null_link = 0, ethernet = 1, raw_12 = 12, raw_101 = 101, cooked = 113;
  u32 type = 0;
  if (link_type == ethernet) {
    if (frame.size() < 14) return false;
    std::size_t at = 12;
    type = big16(frame, at);
    while (type == 0x8100 || type == 0x88a8) {  // VLAN tags
      at += 4;
      if (frame.size() < at + 2) return false;
      type = big16(frame, at);
    }
    frame.remove_prefix(at + 2);
  } else if (link_type == cooked) {
    if (frame.size() < 16) return false;
    type = big16(frame, 14);
    frame.remove_prefix(16);
  } else if (link_type == null_link || link_type == raw_12 || link_type == raw_101) {
    if (link_type == null_link) frame.remove_prefix(std::min<std::size_t>(4, frame.size()));
    if (frame.empty()) return false;
    type = byte_at(frame, 0) >> 4 == 6 ? 0x86dd : 0x0800;
  }
  if (type == 0x0800) return ipv4(frame, found);
  return type == 0x86dd && ipv6(frame, found);
}

/// Hosts are tasks, numbered in the order in which their addresses first appear in packets with data.
class PcapReader final : public QueueingReader {
 public:
  explicit PcapReader(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {
    const std::string head = read_head(*source_, header_bytes);
    if (!order_of(head, order_) || head.size() < header_bytes)
      fail(fmt::format("no capture (got {} bytes); expected the header of a pcap file", head.size()));
    link_type_ = order_.u32_at(head, 20) & 0x0fff'ffff;
    static constexpr std::array known{0U, 1U, 12U, 101U, 113U};
    if (std::ranges::find(known, link_type_) == known.end()) {
      fail(
          fmt::format("captured on a link of type {}; expected Ethernet (1), raw IP (12, 101), loopback (0) or Linux's "
                      "cooked captures (113)",
                      link_type_));
    }
    at_ = header_bytes;
  }
  [[nodiscard]] u64 position() const override { return record_at_; }
  [[nodiscard]] u32 tasks() const override { return static_cast<u32>(hosts_.size()); }

 protected:
  bool read_more() override {
    record_at_ = at_;
    const std::string head = read_head(*source_, record_bytes);
    if (head.empty()) return false;
    if (head.size() < record_bytes) fail("the capture ends within the header of a packet; expected 16 bytes");
    const u64 seconds = order_.u32_at(head, 0), fraction = order_.u32_at(head, 4);
    const u32 captured = order_.u32_at(head, 8);
    constexpr u32 most_captured = 1 << 24;
    if (captured > most_captured)
      fail(fmt::format("a packet of {} captured bytes; expected {} at most", captured, most_captured));
    const std::string frame = read_head(*source_, captured);
    if (frame.size() < captured) fail(fmt::format("the capture ends within a packet of {} bytes", captured));
    at_ += record_bytes + captured;
    const u64 unit = order_.nanoseconds ? 1 : 1000;
    if (fraction * unit >= 1'000'000'000)
      fail(fmt::format("a packet at {} {}s of a second; expected less than a second", fraction, unit == 1 ? "n" : "u"));
    packet(frame, seconds * 1'000'000'000 + fraction * unit);
    return true;
  }

 private:
  void packet(Bytes frame, u64 ns) {
    if (!begun_) first_ns_ = last_ns_ = ns;
    begun_ = true;
    // Clocks of sniffers may step back.
    last_ns_ = std::max(last_ns_, ns);
    Datagram found;
    if (!datagram_of(link_type_, frame, found) || found.bytes == 0 || found.from == found.to) return;
    if (!to_one_host(found.from) || !to_one_host(found.to)) return;
    TraceEvent event;
    event.kind = TraceEvent::Kind::send;
    event.tag = found.port;
    event.bytes = found.bytes;
    event.begin_ns = event.end_ns = last_ns_ - first_ns_;
    const u32 from = host(found.from), to = host(found.to);
    event.peer = to;
    queue(from, event);
    event.kind = TraceEvent::Kind::receive;
    event.peer = from;
    queue(to, event);
  }
  u32 host(const std::string& address) {
    const auto [found, added] = hosts_.try_emplace(address, static_cast<u32>(hosts_.size()));
    if (added && hosts_.size() > max_trace_tasks) fail("more hosts than there may be tasks (2^24)");
    return found->second;
  }
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(fmt::format("{}: byte {}: {}", source_->name(), record_at_, problem));
  }

  std::unique_ptr<ByteSource> source_;
  FileOrder order_;
  u32 link_type_ = 0;
  u64 at_ = 0, record_at_ = 0;
  bool begun_ = false;
  u64 first_ns_ = 0, last_ns_ = 0;
  std::map<std::string, u32> hosts_;  ///< by address
};

class PcapSource final : public TraceSource {
 public:
  explicit PcapSource(const TraceInput& input) : input_(input) {
    if (input.several && input.files.size() > 1)
      throw InputError(fmt::format("{}: a capture is one file; name it, or merge them with mergecap", input.path));
  }
  [[nodiscard]] std::unique_ptr<TraceReader> open(u32 /*part*/) const override {
    return std::make_unique<PcapReader>(open_input(input_));
  }
  [[nodiscard]] std::string place(u32 /*part*/, u64 byte) const override {
    return fmt::format("{}: byte {}", input_.files[0], byte);
  }
  [[nodiscard]] bool has_times() const override { return true; }
  [[nodiscard]] std::vector<std::string> notes() const override {
    return {
        "packets without data (TCP's acknowledgements), to several hosts, and of other protocols than IP are left out"};
  }

 private:
  TraceInput input_;
};

bool looks_like_pcap(std::string_view head, const TraceInput& /*input*/) {
  FileOrder order;
  return order_of(head, order);
}

[[maybe_unused]] const bool pcap_registered = TraceFormats::instance().add(
    "pcap", {.help = "capture of a network sniffer (tcpdump -w): packets of IP with data are messages between hosts",
             .recognises = looks_like_pcap,
             .open = [](const TraceInput& input) { return std::make_unique<PcapSource>(input); },
             .tells_blocking_sends = false,
             .ending = ".pcap"});

}  // namespace
}  // namespace weft::workloads
