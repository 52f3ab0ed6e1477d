// Talks with the plug-in in QEMU; see the header and plugin/wire.h.
#include "tools/cosim/guest/guest_endpoint.hpp"

#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <span>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/system/machine.hpp"
#include "tools/cosim/guest/addresses.hpp"
#include "tools/cosim/guest/plugin/wire.h"

namespace weft::tools::cosim::guest {
namespace {

constexpr std::size_t console_lines = 10;

template <class Value>
void append_bytes(std::vector<std::byte>& out, const Value& value) {
  const auto* const first = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), first, first + sizeof value);
}

/// What follows the mark in the last line that begins with it; empty if there is none.
std::string said_on(const std::string& console, const std::string& mark) {
  std::ifstream file(console);
  std::string said;
  for (std::string line; std::getline(file, line);) {
    if (const std::size_t at = line.find(mark); at != std::string::npos) said = line.substr(at + mark.size());
  }
  while (!said.empty() && said.back() == '\r') said.pop_back();
  return said;
}

}  // namespace

GuestEndpoint::GuestEndpoint(const Installed& installed, const Snapshot& snapshot, const Job& job,
                             const std::string& folder, double patience_s)
    : job_(job), patience_s_(patience_s) {
  const std::string stem = fmt::format("{}/{}", folder, host_name_of(job.number));
  start_.who = fmt::format("guest {}", job.number);
  start_.memory = snapshot.memory;
  start_.state = snapshot.state;
  start_.job = stem + ".job";
  start_.console = stem + ".console.log";
  start_.log = stem + ".qemu.log";
  files::write_file_atomically(start_.job, job_script(job));
  qemu_ = std::make_unique<Qemu>(installed, snapshot.machine, start_);
  line_ = std::make_unique<SocketLine>(qemu_->slices(), patience_s);
}

void GuestEndpoint::load() {
  Qmp monitor(qemu_->monitor(), start_.who, patience_s_);
  monitor.leave_memory_in_its_file();
  // QEMU would send frames of its own to tell switches where the guest is now.
  monitor.ask("migrate-set-parameters", {{"announce-rounds", 0}});
  monitor.ask("migrate-incoming", {{"uri", fmt::format("fd:{}", Qemu::state_descriptor)}});
  const double begin = wall_s();
  while (monitor.ask("query-status").value("status", "") == "inmigrate") {
    if (wall_s() - begin > patience_s_) fail(fmt::format("does not load its snapshot within {} s", patience_s_));
    const timespec pause = {.tv_sec = 0, .tv_nsec = 1'000'000};
    ::nanosleep(&pause, nullptr);
  }
  // No answer: QEMU's main loop may be the first to wait for the slices.
  monitor.tell("cont");
  loaded_ = true;
}

void GuestEndpoint::begin_advance(u64 until_ns, const std::vector<Parcel>& arrivals) {
  WEFT_ASSERT(!over_ && until_ns > until_ns_);
  since_ns_ = until_ns_;
  until_ns_ = until_ns;
  outgoing_.clear();
  append_bytes(outgoing_, weft_guest_go{until_ns, arrivals.size()});
  for (const Parcel& parcel : arrivals) {
    if (parcel.payload.size() > weft_guest_longest_frame)
      fail(fmt::format("is sent a frame of {} bytes by endpoint {} (at most {})", parcel.payload.size(), parcel.from,
                       int{weft_guest_longest_frame}));
    append_bytes(outgoing_, weft_guest_frame{parcel.at_ns, parcel.payload.size()});
    outgoing_.insert(outgoing_.end(), parcel.payload.begin(), parcel.payload.end());
  }
  if (!loaded_) {
    try {
      load();
    } catch (const SystemError&) {
      // The monitor does not know how QEMU ended.
      if (over_ || ended().empty()) throw;
      fail("has ended");
    }
    static_cast<void>(read_report());
  }
  check(line_->send(outgoing_));
}

Advanced GuestEndpoint::end_advance() {
  Advanced done;
  const weft_guest_report report = read_report();
  for (u64 k = 0; k < report.frames; ++k) {
    weft_guest_frame head = {};
    check(line_->read(std::as_writable_bytes(std::span(&head, 1))));
    if (head.bytes > weft_guest_longest_frame) fail(fmt::format("sends a frame of {} bytes", head.bytes));
    std::vector<std::byte> frame(head.bytes);
    check(line_->read(frame));
    // A frame of the last instruction may be some ns late.
    take_frame(std::clamp(head.at_ns, since_ns_, until_ns_ - 1), std::move(frame), done);
  }
  if (report.ended == weft_guest_reset) fail_stuck();
  if (report.ended == weft_guest_stopped) fail("was stopped by QEMU");
  if (report.ended == weft_guest_powered_off) {
    over_ = done.over = true;
    done.idle_until_ns = never;
    qemu_->end();
    if (const std::string status = said_on(start_.console, status_line); !status.empty()) said_ = "status " + status;
    return done;
  }
  // Only of ends of slices: where a guest that powers off stops to count is chance.
  instructions_ = report.instructions;
  done.idle_until_ns = std::max(report.idle_until_ns, until_ns_);
  return done;
}

void GuestEndpoint::take_frame(u64 at_ns, std::vector<std::byte> frame, Advanced& done) const {
  const Destination to = destination_of(frame, job_.guests);
  const u64 bytes = wire_bytes(frame.size());
  if (to.number && *to.number != job_.number)
    done.sent.push_back({at_ns, job_.number, *to.number, bytes, std::move(frame)});
  if (!to.everybody) return;
  for (u32 other = 0; other < job_.guests; ++other) {
    if (other != job_.number) done.sent.push_back({at_ns, job_.number, other, bytes, frame});
  }
}

void GuestEndpoint::check(SocketLine::Outcome outcome) {
  if (outcome == SocketLine::Outcome::ended) fail("has ended");
  if (outcome == SocketLine::Outcome::silent)
    fail(fmt::format("does not answer for {} s; on a machine this busy raise cosim.patience_s", patience_s_));
  if (outcome == SocketLine::Outcome::full)
    fail(fmt::format("takes nothing for {} s; on a machine this busy raise cosim.patience_s", patience_s_));
}

weft_guest_report GuestEndpoint::read_report() {
  weft_guest_report report = {};
  check(line_->read(std::as_writable_bytes(std::span(&report, 1))));
  return report;
}

std::string GuestEndpoint::last_words() const {
  std::string words = last_lines(start_.console, console_lines);
  if (!words.empty()) words = fmt::format("end of its console, {}:\n{}", start_.console, words);
  return words;
}

std::string GuestEndpoint::ended() {
  // QEMU's process may take a moment to be gone after its socket is.
  constexpr int attempts = 200;
  for (int k = 0; k < attempts; ++k) {
    if (std::string how = qemu_->ended(); !how.empty()) return how;
    const timespec pause = {.tv_sec = 0, .tv_nsec = 1'000'000};
    ::nanosleep(&pause, nullptr);
  }
  return {};
}

void GuestEndpoint::fail(const std::string& problem) {
  const std::string how = ended();
  std::string detail = last_words();
  if (const std::string log = last_lines(start_.log, console_lines); !log.empty())
    detail += fmt::format("{}what QEMU said, {}:\n{}", detail.empty() ? "" : "\n", start_.log, log);
  qemu_->end();
  over_ = true;
  throw SystemError(fmt::format("guest {} {} at {} ns of simulated time{}; its console and QEMU's log may tell more",
                                job_.number, problem, since_ns_, how.empty() ? "" : fmt::format(" (QEMU: {})", how)),
                    detail);
}

void GuestEndpoint::fail_stuck() {
  qemu_->end();
  over_ = true;
  const std::string panic = said_on(start_.console, "Kernel panic - ");
  throw StuckError(fmt::format("guest {} {} at {} ns of simulated time ({}); mend what it runs, or raise "
                               "cosim.memory_mib if it ran out of memory",
                               job_.number, panic.empty() ? "rebooted" : "panicked", since_ns_,
                               panic.empty() ? "nothing starts it anew" : panic),
                   last_words());
}

void GuestEndpoint::end(u64 /*now_ns*/) { qemu_->end(); }

EndpointReport GuestEndpoint::report() const {
  EndpointReport report{host_name_of(job_.number), instructions_, said_};
  if (said_.empty() || said_ == "status 0") return report;
  report.failure = fmt::format("the command of guest {} ended with {}{}", job_.number, said_,
                               said_ == "status 127"   ? " (a program was not found: cosim.programs names those that "
                                                         "are copied into guests)"
                               : said_ == "status 126" ? " (a program could not be started)"
                                                       : "");
  report.last_words = last_words();
  return report;
}

}  // namespace weft::tools::cosim::guest
