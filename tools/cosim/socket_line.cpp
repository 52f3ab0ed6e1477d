// See the header.
#include "tools/cosim/socket_line.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>

#include "engine/base/system/machine.hpp"

namespace weft::tools::cosim {

bool SocketLine::wait_for(short events) const {
  const double begin = wall_s();
  for (;;) {
    constexpr double longest_s = 1e6;  // of a call of poll
    const double left_s = patience_s_ - (wall_s() - begin);
    if (left_s <= 0) return false;
    pollfd one = {.fd = socket_, .events = events, .revents = 0};
    if (::poll(&one, 1, static_cast<int>(std::min(left_s, longest_s) * 1000) + 1) > 0) return true;
  }
}

SocketLine::Outcome SocketLine::send(std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      if (!wait_for(POLLOUT)) return Outcome::full;
      continue;
    }
    if (sent < 0) return Outcome::ended;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return Outcome::done;
}

SocketLine::Outcome SocketLine::fill() {
  for (;;) {
    if (!wait_for(POLLIN)) return Outcome::silent;
    const ssize_t got = ::recv(socket_, read_.data(), read_.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Outcome::ended;
    taken_ = 0;
    filled_ = static_cast<std::size_t>(got);
    return Outcome::done;
  }
}

SocketLine::Outcome SocketLine::read(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    if (taken_ == filled_) {
      if (const Outcome outcome = fill(); outcome != Outcome::done) return outcome;
    }
    const std::size_t part = std::min(bytes.size(), filled_ - taken_);
    std::memcpy(bytes.data(), read_.data() + taken_, part);
    taken_ += part;
    bytes = bytes.subspan(part);
  }
  return Outcome::done;
}

}  // namespace weft::tools::cosim
