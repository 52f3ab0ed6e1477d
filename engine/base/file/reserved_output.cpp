// Swaps descriptor 1 for standard error and gives std::cout a buffer in front of the real one.
#include "engine/base/file/reserved_output.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>

namespace weft::files {
namespace {

int reserved = STDOUT_FILENO;

/// The buffer of std::cout; fails as the descriptor does, so that a full disk or a closed pipe is noticed.
class DescriptorBuffer final : public std::streambuf {
 public:
  DescriptorBuffer() { setp(bytes_.data(), bytes_.data() + bytes_.size()); }
  int descriptor = -1;

 private:
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  int sync() override {
    const char* at = pbase();
    while (at < pptr()) {
      const ssize_t written = ::write(descriptor, at, static_cast<std::size_t>(pptr() - at));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return -1;
      at += written;
    }
    setp(bytes_.data(), bytes_.data() + bytes_.size());
    return 0;
  }

  std::array<char, 16384> bytes_;
};

/// Never destroyed: std::cout is flushed at the very end of the program.
DescriptorBuffer& buffer() {
  static auto* const only = new DescriptorBuffer;
  return *only;
}

}  // namespace

ReservedOutput::ReservedOutput() {
  std::cout.flush();
  std::fflush(stdout);
  descriptor_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (descriptor_ < 0) return;  // closed: there is nothing to keep clean
  if (::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0 && nowhere != STDOUT_FILENO) {
      ::dup2(nowhere, STDOUT_FILENO);
      ::close(nowhere);
    }
  }
  buffer().descriptor = reserved = descriptor_;
  before_ = std::cout.rdbuf(&buffer());
}

ReservedOutput::~ReservedOutput() {
  if (descriptor_ < 0) return;
  std::cout.flush();
  std::fflush(stdout);
  std::cout.rdbuf(before_);
  reserved = STDOUT_FILENO;
  ::dup2(descriptor_, STDOUT_FILENO);
  ::close(descriptor_);
}

int standard_output() { return reserved; }

}  // namespace weft::files
