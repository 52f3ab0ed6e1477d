// Starts a guest, stops it where it waits for its job, and keeps memory and state; see the header.
#include "tools/cosim/guest/snapshot.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/file.h>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/hash.hpp"
#include "engine/base/system/child_process.hpp"
#include "engine/base/system/machine.hpp"
#include "engine/base/system/shell.hpp"
#include "tools/cosim/guest/init_script.hpp"
#include "tools/cosim/guest/plugin/wire.h"
#include "tools/cosim/guest/qmp.hpp"
#include "tools/cosim/socket_line.hpp"

namespace weft::tools::cosim::guest {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t lines_of_console = 12;

void pause_ms(long ms) {
  const timespec time = {.tv_sec = 0, .tv_nsec = ms * 1'000'000};
  ::nanosleep(&time, nullptr);
}

/// Two snapshots are the same if nothing of this differs.
std::string name_of(const Installed& installed, const std::string& initrd, const Machine& machine) {
  std::string all = process::run_child({installed.qemu, "--version"}).output;
  for (const std::string& word : machine_arguments(installed, machine)) all += word + '\n';
  const auto bytes = [](const std::string& text) { return std::as_bytes(std::span(text)); };
  const std::optional<u64> kernel = hash_file(installed.kernel);
  return hex_digits(hash_bytes(bytes(initrd), hash_bytes(bytes(all), kernel.value_or(0))));
}

/// Held while a snapshot is made, so that it is made once.
class Lock {
 public:
  explicit Lock(const std::string& path) : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (!file_.valid() || ::flock(file_.get(), LOCK_EX) != 0)
      throw SystemError(fmt::format("cannot lock '{}' ({}); set WEFT_CACHE_DIR to a folder that can be written", path,
                                    std::strerror(errno)));
  }

 private:
  files::Descriptor file_;
};

bool has_line(const std::string& path, const std::string& line) {
  std::ifstream file(path);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str().find(line) != std::string::npos;
}

[[noreturn]] void fail(const std::string& problem, const QemuStart& start) {
  std::string detail = last_lines(start.console, lines_of_console);
  const std::string log = last_lines(start.log, lines_of_console);
  if (!log.empty()) detail += (detail.empty() ? "" : "\n") + log;
  throw SystemError(fmt::format("a guest does not start ({}); what it and QEMU said last:", problem), detail);
}

/// Runs it in slices of its own time, so that all machines take the snapshot at the same instruction.
void run_until_ready(Qemu& qemu, const QemuStart& start, double patience_s) {
  constexpr u64 slice_ns = 10'000'000, longest_ns = 600'000'000'000;
  SocketLine line(qemu.slices(), patience_s);
  const auto talk = [&](SocketLine::Outcome outcome) {
    if (outcome == SocketLine::Outcome::silent || outcome == SocketLine::Outcome::full)
      fail(fmt::format("it does not answer for {} s; on a machine this busy raise cosim.patience_s", patience_s),
           start);
    if (outcome == SocketLine::Outcome::ended) fail("QEMU has ended", start);
  };
  weft_guest_report report = {};
  const auto say = [&](const weft_guest_go& go) { talk(line.send(std::as_bytes(std::span(&go, 1)))); };
  const auto hear = [&] { talk(line.read(std::as_writable_bytes(std::span(&report, 1)))); };
  hear();
  for (u64 now_ns = slice_ns; !has_line(start.console, ready_line); now_ns += slice_ns) {
    say({now_ns, 0});
    hear();
    if (report.ended != weft_guest_runs || now_ns > longest_ns)
      fail("its kernel does not come up; perhaps cosim.memory_mib is too small", start);
  }
  say({0, ~u64{0}});
}

void save(Qmp& monitor, const std::string& state, const QemuStart& start, double patience_s) {
  const double asked = wall_s();
  while (monitor.ask("query-status").value("status", "") != "paused") {
    if (wall_s() - asked > patience_s) fail("it does not stop", start);
    pause_ms(1);
  }
  monitor.leave_memory_in_its_file();
  monitor.ask("migrate", {{"uri", "exec:cat > " + process::shell_quoted(state)}});
  const double begin = wall_s();
  for (;;) {
    const std::string status = monitor.ask("query-migrate").value("status", "");
    if (status == "completed") return;
    if (status == "failed" || wall_s() - begin > patience_s) fail("its state cannot be saved: " + status, start);
    pause_ms(5);
  }
}

/// The memory's file needs room on disk only for what is not zero.
void dig_holes(const std::string& path) {
  constexpr off_t block_bytes = 64 << 10;
  const files::Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  std::vector<char> block(block_bytes);
  const std::vector<char> zeros(block_bytes);
  for (off_t at = 0; ::pread(file.get(), block.data(), block.size(), at) == block_bytes; at += block_bytes) {
    if (block == zeros) ::fallocate(file.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, block_bytes);
  }
}

/// Removes the snapshots that nobody has used for longest, all but so many.
void prune(const std::string& folder) {
  constexpr std::size_t most_snapshots = 8;
  std::vector<std::pair<fs::file_time_type, fs::path>> all;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.is_directory(ignored)) all.emplace_back(entry.last_write_time(ignored), entry.path());
  }
  std::sort(all.rbegin(), all.rend());
  for (std::size_t k = most_snapshots; k < all.size(); ++k) fs::remove_all(all[k].second, ignored);
}

void check_room(const std::string& folder, u32 memory_mib) {
  std::error_code error;
  const u64 needed_mib = u64{memory_mib} + 256, free_mib = fs::space(folder, error).available >> 20;
  if (!error && free_mib < needed_mib) {
    throw SystemError(
        fmt::format("a snapshot of a guest needs {} MiB in '{}' ({} MiB are free); make room, or set "
                    "WEFT_CACHE_DIR to another folder",
                    needed_mib, folder, free_mib));
  }
}

void make(const Installed& installed, const Snapshot& snapshot, const std::string& folder, double patience_s) {
  QemuStart start;
  start.who = "the guest for the snapshot";
  start.memory = folder + "/memory";
  start.shared = true;
  start.job = folder + "/no-job";
  start.console = folder + "/console.log";
  start.log = folder + "/qemu.log";
  files::write_file_atomically(start.job, no_job);
  Qemu qemu(installed, snapshot.machine, start);
  Qmp monitor(qemu.monitor(), start.who, patience_s);
  // No answer: the machine waits for its first slice at once.
  monitor.tell("cont");
  run_until_ready(qemu, start, patience_s);
  save(monitor, folder + "/state", start, patience_s);
}

}  // namespace

Snapshot snapshot_of(const Installed& installed, const std::string& initrd, u32 memory_mib, u32 shift,
                     double patience_s) {
  Snapshot snapshot;
  snapshot.machine.memory_mib = memory_mib;
  snapshot.machine.shift = shift;
  snapshot.name = name_of(installed, initrd, snapshot.machine);
  const std::string folder = fmt::format("{}/{}", installed.snapshots, snapshot.name);
  const std::string unfinished = folder + ".unfinished";
  snapshot.machine.initrd = folder + "/initrd";
  snapshot.memory = folder + "/memory";
  snapshot.state = folder + "/state";
  std::error_code error;
  fs::create_directories(installed.snapshots, error);
  if (error)
    throw SystemError(fmt::format("cannot make '{}' ({}); set WEFT_CACHE_DIR to a folder that can be written",
                                  installed.snapshots, error.message()));
  const Lock lock(installed.snapshots + "/lock");
  if (fs::exists(snapshot.state, error)) {
    fs::last_write_time(folder, fs::file_time_type::clock::now(), error);
    return snapshot;
  }
  check_room(installed.snapshots, memory_mib);
  const double begin = wall_s();
  fs::remove_all(unfinished, error);
  fs::create_directories(unfinished, error);
  Snapshot being_made = snapshot;
  being_made.machine.initrd = unfinished + "/initrd";
  files::write_file_atomically(being_made.machine.initrd, initrd);
  make(installed, being_made, unfinished, patience_s);
  dig_holes(unfinished + "/memory");
  fs::rename(unfinished, folder, error);
  if (error) throw SystemError(fmt::format("cannot rename '{}' ({}); check the folder", unfinished, error.message()));
  prune(installed.snapshots);
  snapshot.start_s = wall_s() - begin;
  return snapshot;
}

}  // namespace weft::tools::cosim::guest
