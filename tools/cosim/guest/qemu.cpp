// Starts and ends QEMU; see the header.
#include "tools/cosim/guest/qemu.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <sys/socket.h>

#include "engine/base/error.hpp"
#include "tools/cosim/guest/plugin/wire.h"

namespace weft::tools::cosim::guest {
namespace {

/// Descriptors of the child, from the first that is handed over on.
enum : int { cable_fd = 3, cable_other_end_fd, monitor_fd, slices_fd, state_fd };
static_assert(state_fd == Qemu::state_descriptor);

[[noreturn]] void fail_start(const std::string& who, const std::string& what, int error) {
  throw SystemError(fmt::format("{}: cannot start QEMU ({}: {}); check that the machine has room for another process",
                                who, what, std::strerror(error)));
}

struct Pair {
  files::Descriptor here;
  files::Descriptor there;
};

Pair socket_pair(const std::string& who, int type) {
  std::array<int, 2> ends = {};
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends.data()) != 0) fail_start(who, "no socket", errno);
  return {files::Descriptor(ends[0]), files::Descriptor(ends[1])};
}

files::Descriptor open_state(const std::string& who, const std::string& path) {
  files::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) fail_start(who, path, errno);
  return file;
}

std::vector<std::string> arguments_of(const Installed& installed, const Machine& machine, const QemuStart& start) {
  std::vector<std::string> words = machine_arguments(installed, machine);
  const auto add = [&words](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
  add({"-object", fmt::format("memory-backend-file,id=ram,size={}M,mem-path={},share={}", machine.memory_mib,
                              start.memory, start.shared ? "on" : "off")});
  add({"-fw_cfg", "name=opt/weft/job,file=" + start.job, "-serial", "file:" + start.console, "-S"});
  // Not to be served by a thread of its own, which would be woken at the end of each slice.
  add({"-chardev", fmt::format("socket,id=monitor,mux=on,fd={}", int{monitor_fd}), "-mon",
       "chardev=monitor,mode=control"});
  if (!start.state.empty()) add({"-incoming", "defer"});
  add({"-plugin", fmt::format("{},weft={},cable={},version={}", installed.plugin, int{slices_fd}, int{cable_fd},
                              int{weft_guest_wire_version})});
  return words;
}

}  // namespace

std::vector<std::string> machine_arguments(const Installed& installed, const Machine& machine) {
  return {
      installed.qemu, "-accel", "tcg,tb-size=32", "-smp", "1", "-m", fmt::format("{}M", machine.memory_mib),
      // The guest's memory is a file: all guests share what none of them has changed since the snapshot.
      "-M", "pc,memory-backend=ram",
      // A source of random numbers that the kernel trusts at once, the same ones each time: without it whoever wants
      // the first of them makes the kernel gather noise for a second.
      "-cpu", "qemu64,+rdrand", "-seed", "1",
      // Simulated time is instructions, and jumps where the processor waits.
      "-icount", fmt::format("shift={},sleep=off,align=off", machine.shift), "-rtc", "base=2020-01-01,clock=vm",
      "-display", "none", "-nodefaults", "-no-user-config", "-no-reboot", "-monitor", "none", "-kernel",
      installed.kernel, "-initrd", machine.initrd, "-append",
      "console=ttyS0 panic=-1 quiet rootfstype=ramfs tsc=reliable no_timer_check ipv6.disable=1 norandmaps "
      "random.trust_bootloader=off random.trust_cpu=on",
      // Frames leave at an instruction of the guest, not when another thread of QEMU comes to it.
      "-netdev", fmt::format("dgram,id=cable,local.type=fd,local.str={}", int{cable_fd}), "-device",
      "virtio-net-pci,netdev=cable,mac=52:54:00:ff:ff:ff,romfile=,ioeventfd=off,tx=timer,x-txtimer=1000,"
      "guest_announce=off"};
}

Qemu::Qemu(const Installed& installed, const Machine& machine, const QemuStart& start) {
  const std::string& who = start.who;
  const Pair cable = socket_pair(who, SOCK_DGRAM);
  Pair monitor = socket_pair(who, SOCK_STREAM);
  Pair slices = socket_pair(who, SOCK_STREAM);
  std::vector<int> handed = {cable.here.get(), cable.there.get(), monitor.there.get(), slices.there.get()};
  files::Descriptor state;
  if (!start.state.empty()) {
    state = open_state(who, start.state);
    handed.push_back(state.get());
  }
  std::ofstream(start.log).close();  // empty, whatever a run before has left
  process_ = std::make_unique<process::Companion>(arguments_of(installed, machine, start),
                                                  std::vector<std::string>{"LD_PRELOAD=" + installed.plugin}, start.log,
                                                  handed);
  monitor_ = std::move(monitor.here);
  slices_ = std::move(slices.here);
}

std::string Qemu::ended() {
  if (process_ == nullptr || process_->runs()) return {};
  return (process_->was_killed() ? "killed by " : "") + process_->ending();
}

void Qemu::end() {
  static_cast<void>(monitor_.close());
  static_cast<void>(slices_.close());
  process_.reset();
}

std::string last_lines(const std::string& path, std::size_t lines) {
  std::ifstream file(path);
  std::vector<std::string> all;
  for (std::string line; std::getline(file, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (!line.empty()) all.push_back(line);
  }
  std::string text;
  for (std::size_t k = all.size() > lines ? all.size() - lines : 0; k < all.size(); ++k) text += "  " + all[k] + "\n";
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace weft::tools::cosim::guest
