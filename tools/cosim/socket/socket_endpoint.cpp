// Frames over a Unix socket; see the header.
#include "tools/cosim/socket/socket_endpoint.hpp"

#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <span>

#include "engine/base/error.hpp"
#include "engine/base/system/keeper.hpp"
#include "engine/base/system/machine.hpp"
#include "engine/base/system/python_package.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/cosim/socket/weft_cosim.h"

namespace weft::tools::cosim {
namespace {

static_assert(std::endian::native == std::endian::little, "frames are little-endian");
constexpr std::size_t most_name = 256;

/// For Python: weft.cosim is found in that folder, behind what the user has there.
std::string found_in(const std::string& package) {
  const char* const before = std::getenv("PYTHONPATH");
  return fmt::format("PYTHONPATH={}{}", before == nullptr || *before == '\0' ? "" : fmt::format("{}:", before),
                     package);
}

}  // namespace

struct SocketEndpoint::Frame {
  weft_cosim_frame head = {};
  std::vector<std::byte> payload;
};

SocketEndpoint::SocketEndpoint(const SocketSpec& spec, u32 number, u32 endpoints)
    : spec_(spec), number_(number), endpoints_(endpoints), path_(fmt::format("{}/{}.sock", spec.folder, number)) {
  listen();
  if (spec_.command.empty()) return;
  std::vector<std::string> settings = {"WEFT_COSIM_SOCKET=" + path_, "WEFT_COSIM_FOLDER=" + spec_.config_folder,
                                       fmt::format("WEFT_COSIM_ENDPOINT={}", number_),
                                       fmt::format("WEFT_COSIM_ENDPOINTS={}", endpoints_)};
  if (const std::string package = process::folder_of_package(); !package.empty()) settings.push_back(found_in(package));
  program_ = std::make_unique<process::Companion>(std::vector<std::string>{"sh", "-c", spec_.command}, settings, "");
}

SocketEndpoint::~SocketEndpoint() {
  if (fd_ >= 0) ::close(fd_);
  if (listening_ >= 0) ::close(listening_);
  ::unlink(path_.c_str());
  keeper::forget_path(path_);
}

void SocketEndpoint::listen() {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path_.size() >= sizeof address.sun_path) {
    throw ConfigError(
        fmt::format("the path of a socket, '{}', is too long ({} bytes, at most {}); give a shorter "
                    "cosim.sockets, for example below /tmp",
                    shown(path_), path_.size(), sizeof address.sun_path - 1));
  }
  std::memcpy(address.sun_path, path_.c_str(), path_.size());
  ::unlink(path_.c_str());
  keeper::keep_path(path_);
  listening_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listening_ < 0 || ::bind(listening_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listening_, 1) != 0) {
    throw SystemError(fmt::format("cannot open the socket '{}' ({}); give another folder as cosim.sockets",
                                  shown(path_), std::strerror(errno)));
  }
}

void SocketEndpoint::fail(const std::string& why, const std::string& hint) const {
  const std::string name = name_.empty() ? "" : fmt::format(" ({})", shown(name_));
  throw SystemError(fmt::format("endpoint {}{} {} (simulated time {} ns); {}", number_, name, why, until_ns_, hint));
}

void SocketEndpoint::fail_gone() {
  constexpr double moment_s = 0.5;  // in which a program that closes its socket ends
  std::string how = "went away";
  if (program_ && program_->wait(moment_s)) how = "ended with " + program_->ending();
  fail(how + " without saying that it is over", "see what it wrote; a program that has done its part sends END");
}

void SocketEndpoint::fail_silent(const char* what) const {
  fail(fmt::format("has not {} for {} s", what, spec_.patience_s),
       "mend the program, or raise cosim.patience_s if it computes for so long");
}

void SocketEndpoint::wait_for_program() {
  const double end_s = wall_s() + spec_.patience_s;
  constexpr int look_ms = 100;
  for (;;) {
    pollfd asked = {listening_, POLLIN, 0};
    const int ready = ::poll(&asked, 1, look_ms);
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) fail(fmt::format("cannot be waited for: {}", std::strerror(errno)), "try again");
    if (program_ && !program_->runs())
      fail(fmt::format("ended with {} before it joined", program_->ending()), "see what it wrote");
    if (wall_s() >= end_s) fail_silent("joined");
  }
}

void SocketEndpoint::join() {
  wait_for_program();
  fd_ = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
  if (fd_ < 0) fail(fmt::format("could not join: {}", std::strerror(errno)), "try again");
  line_.emplace(fd_, spec_.patience_s);
  const Frame hello = take();
  if (hello.head.kind != WEFT_COSIM_HELLO) fail("does not begin with HELLO", "see docs/cosim-sockets.md");
  if (hello.head.bytes != WEFT_COSIM_VERSION) {
    fail(fmt::format("speaks version {} of the protocol", hello.head.bytes),
         fmt::format("this weft speaks version {}: build it with weft_cosim.h of this weft", WEFT_COSIM_VERSION));
  }
  name_.assign(reinterpret_cast<const char*>(hello.payload.data()), std::min(hello.payload.size(), most_name));
  put(WEFT_COSIM_WELCOME, spec_.slice_ns, endpoints_, number_, WEFT_COSIM_VERSION, nullptr, 0);
}

void SocketEndpoint::put(u32 kind, u64 time_ns, u32 from, u32 to, u64 bytes, const void* payload, std::size_t length) {
  weft_cosim_frame head = {};
  head.length = static_cast<u32>(length);
  head.kind = kind;
  head.time_ns = time_ns;
  head.from = from;
  head.to = to;
  head.bytes = bytes;
  const auto* const at = reinterpret_cast<const std::byte*>(&head);
  out_.insert(out_.end(), at, at + sizeof head);
  if (length == 0) return;
  const auto* const data = static_cast<const std::byte*>(payload);
  out_.insert(out_.end(), data, data + length);
}

void SocketEndpoint::flush() {
  check(line_->send(out_));
  out_.clear();
}

void SocketEndpoint::check(SocketLine::Outcome outcome) {
  if (outcome == SocketLine::Outcome::ended) fail_gone();
  if (outcome == SocketLine::Outcome::silent) fail_silent("answered");
  if (outcome == SocketLine::Outcome::full) fail_silent("read what comes to it");
}

void SocketEndpoint::begin_advance(u64 until_ns, const std::vector<Parcel>& arrivals) {
  if (fd_ < 0) join();
  until_ns_ = until_ns;
  for (const Parcel& parcel : arrivals) {
    put(WEFT_COSIM_MESSAGE, parcel.at_ns, parcel.from, parcel.to, parcel.bytes, parcel.payload.data(),
        parcel.payload.size());
  }
  put(WEFT_COSIM_ADVANCE, until_ns, 0, number_, 0, nullptr, 0);
  flush();
}

SocketEndpoint::Frame SocketEndpoint::take() {
  Frame frame;
  check(line_->read(std::as_writable_bytes(std::span(&frame.head, 1))));
  if (frame.head.kind < WEFT_COSIM_HELLO || frame.head.kind > WEFT_COSIM_END)
    fail(fmt::format("sends a frame of kind {}, which there is not", frame.head.kind), "see docs/cosim-sockets.md");
  if (frame.head.length > WEFT_COSIM_PAYLOAD) {
    fail(fmt::format("sends a payload of {} bytes (at most {})", frame.head.length, WEFT_COSIM_PAYLOAD),
         "cut it into several messages");
  }
  frame.payload.resize(frame.head.length);
  check(line_->read(frame.payload));
  return frame;
}

Advanced SocketEndpoint::end_advance() {
  Advanced done;
  for (;;) {
    Frame frame = take();
    switch (frame.head.kind) {
      case WEFT_COSIM_MESSAGE:
        if (frame.payload.size() > frame.head.bytes) {
          fail(fmt::format("sends a payload of {} bytes in a message of {}", frame.payload.size(), frame.head.bytes),
               "give the message at least that length");
        }
        done.sent.push_back({frame.head.time_ns, number_, frame.head.to, frame.head.bytes, std::move(frame.payload)});
        break;
      case WEFT_COSIM_DONE:
        done.idle_until_ns = frame.head.time_ns;
        return done;
      case WEFT_COSIM_END:
        done.over = over_ = true;
        done.idle_until_ns = never;
        return done;
      default:
        fail(fmt::format("sends a frame of kind {} within a slice", frame.head.kind), "see docs/cosim-sockets.md");
    }
  }
}

void SocketEndpoint::end(u64 now_ns) {
  if (fd_ < 0) return;
  if (!over_) {
    put(WEFT_COSIM_END, now_ns, 0, number_, 0, nullptr, 0);
    static_cast<void>(line_->send(out_));  // it may have gone
  }
  constexpr double moment_s = 2;  // in which it writes its results
  if (program_ == nullptr || !program_->wait(moment_s) || program_->went_well()) return;
  failure_ = fmt::format("the program of endpoint {} ({}) ended with {} after it had taken its part", number_,
                         shown(name_), program_->ending());
}

EndpointReport SocketEndpoint::report() const { return {name_.empty() ? "socket" : name_, 0, "", failure_, ""}; }

}  // namespace weft::tools::cosim
