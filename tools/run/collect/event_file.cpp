// Lines of the file of packet events; see the header.
#include "tools/run/collect/event_file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <system_error>

#include "engine/base/error.hpp"

namespace weft::tools {
namespace {

constexpr std::array<const char*, 7> kind_names = {"generated", "injected", "arrived", "left",
                                                   "delivered", "dropped",  "dropped"};

}  // namespace

EventFile::EventFile(std::string path, const models::Topology& topology, u32 virtual_channels, Tick cycle_ticks)
    : path_(std::move(path)), topology_(topology), virtual_channels_(virtual_channels), cycle_ticks_(cycle_ticks) {}

void EventFile::create() {
  open("wb");
  append(fmt::format("# weft packet events 1, {} {} a cycle\n# tick kind place queue source destination generated\n",
                     cycle_ticks_, cycle_ticks_ == 1 ? "tick" : "ticks"));
}

void EventFile::take_up(u64 bytes, u64 lines) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path_, error);
  if (error || size < bytes) {
    throw InputError(fmt::format(
        "cannot go on with the packet events in '{}' ({}); put the file back that the run wrote, "
        "or start anew",
        path_,
        error ? error.message() : fmt::format("{} bytes, but it had {} when the checkpoint was written", size, bytes)));
  }
  bytes_ = bytes;
  lines_ = lines;
}

void EventFile::go_on() {
  std::error_code error;
  std::filesystem::resize_file(path_, bytes_, error);
  if (error) throw SystemError(fmt::format("cannot cut '{}' ({}); check statistics.events", path_, error.message()));
  open("ab");
}

void EventFile::write(const std::vector<models::PacketEvent>& events) {
  std::string text;
  for (const models::PacketEvent& event : events) text += line(event);
  append(text);
  lines_ += events.size();
}

void EventFile::open(const char* mode) {
  file_.reset(std::fopen(path_.c_str(), mode));
  if (!file_) fail("open");
}

/// What is written is on its way when this returns: a checkpoint may follow.
void EventFile::append(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0)
    fail("write");
  bytes_ += text.size();
}

void EventFile::fail(const char* what) const {
  throw SystemError(fmt::format("cannot {} the packet events '{}' ({}); check statistics.events and the disk", what,
                                path_, std::strerror(errno)));
}

/// Routers are r0, r1..., NICs n0, n1...; queues port.channel, or i0, i1... where packets are injected.
std::string EventFile::line(const models::PacketEvent& e) const {
  const bool nic = e.entity >= topology_.routers();
  const u32 ports = nic ? 1 : topology_.ports(RouterId(e.entity));
  const std::string queue = e.input < ports * virtual_channels_
                                ? fmt::format("{}.{}", e.input / virtual_channels_, e.input % virtual_channels_)
                                : fmt::format("i{}", e.input - ports * virtual_channels_);
  return fmt::format("{} {} {}{} {} {} {} {}\n", e.tick, kind_names[static_cast<std::size_t>(e.kind)], nic ? 'n' : 'r',
                     nic ? e.entity - topology_.routers() : e.entity, queue, e.from, e.to, e.generated_at);
}

}  // namespace weft::tools
