// Endpoints that are other programs, joined by a Unix socket: the protocol of weft_cosim.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/system/companion.hpp"
#include "tools/cosim/endpoint.hpp"
#include "tools/cosim/socket_line.hpp"

namespace weft::tools::cosim {

struct SocketSpec {
  std::string folder;         ///< of the sockets: FOLDER/NUMBER.sock
  std::string command;        ///< started for each endpoint, by a shell; empty: it is started by somebody else
  std::string config_folder;  ///< absolute
  double patience_s = 60;
  u64 slice_ns = 0;
};

class SocketEndpoint final : public Endpoint {
 public:
  /// Opens the socket and starts the program, which may join later. Throws SystemError if that fails.
  SocketEndpoint(const SocketSpec& spec, u32 number, u32 endpoints);
  ~SocketEndpoint() override;
  void begin_advance(u64 until_ns, const std::vector<Parcel>& arrivals) override;
  [[nodiscard]] Advanced end_advance() override;
  void end(u64 now_ns) override;
  [[nodiscard]] EndpointReport report() const override;

 private:
  struct Frame;

  void listen();
  void join();
  void put(u32 kind, u64 time_ns, u32 from, u32 to, u64 bytes, const void* payload, std::size_t length);
  void flush();
  [[nodiscard]] Frame take();
  void check(SocketLine::Outcome outcome);
  /// Until it joins.
  void wait_for_program();
  [[noreturn]] void fail(const std::string& why, const std::string& hint) const;
  [[noreturn]] void fail_gone();
  [[noreturn]] void fail_silent(const char* what) const;

  SocketSpec spec_;
  u32 number_, endpoints_;
  std::string path_, name_;
  int listening_ = -1, fd_ = -1;
  std::unique_ptr<process::Companion> program_;
  u64 until_ns_ = 0;
  std::optional<SocketLine> line_;  ///< of `fd_`
  std::vector<std::byte> out_;
  bool over_ = false;    ///< it has said END
  std::string failure_;  ///< EndpointReport::failure
};

}  // namespace weft::tools::cosim
