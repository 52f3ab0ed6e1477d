// A stream socket to an endpoint: bytes both ways, with a limit to how long weft waits.
#pragma once

#include <array>
#include <span>

#include "engine/base/types.hpp"

namespace weft::tools::cosim {

class SocketLine {
 public:
  enum class Outcome : u8 {
    done,
    ended,
    silent,  ///< nothing has come
    full     ///< nothing has been taken
  };
  /// The socket belongs to somebody else. `patience_s`: for each time that nothing comes, or is taken.
  SocketLine(int socket, double patience_s) : socket_(socket), patience_s_(patience_s) {}
  [[nodiscard]] Outcome send(std::span<const std::byte> bytes) const;
  [[nodiscard]] Outcome read(std::span<std::byte> bytes);

  /// Until it is ready for `events` of poll, or closed; whether it is.
  [[nodiscard]] bool wait_for(short events) const;

 private:
  [[nodiscard]] Outcome fill();

  int socket_;
  double patience_s_;
  std::array<std::byte, 32768> read_;  ///< from `taken_` to `filled_` not yet looked at
  std::size_t taken_ = 0;
  std::size_t filled_ = 0;
};

}  // namespace weft::tools::cosim
