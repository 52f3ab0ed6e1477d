// A guest as an endpoint: a virtual machine that runs unmodified programs on an unmodified kernel, its cable in the
// network.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/cosim/endpoint.hpp"
#include "tools/cosim/guest/init_script.hpp"
#include "tools/cosim/guest/qmp.hpp"
#include "tools/cosim/guest/snapshot.hpp"
#include "tools/cosim/socket_line.hpp"

struct weft_guest_report;  // plugin/wire.h

namespace weft::tools::cosim::guest {

/// Endpoints are guests 0 to job.guests - 1. Simulated time 0 is the moment of the snapshot.
class GuestEndpoint final : public Endpoint {
 public:
  /// QEMU starts at once and loads the snapshot by and by. `folder`: where the guest's console goes,
  /// guestN.console.log.
  GuestEndpoint(const Installed& installed, const Snapshot& snapshot, const Job& job, const std::string& folder,
                double patience_s);

  void begin_advance(u64 until_ns, const std::vector<Parcel>& arrivals) override;
  /// Frames are sent at the instruction at which the network card took them. Over when the guest has powered off.
  /// Throws StuckError for a guest that panicked or rebooted; SystemError where QEMU has ended, was killed or does not
  /// answer.
  [[nodiscard]] Advanced end_advance() override;
  void end(u64 now_ns) override;
  [[nodiscard]] EndpointReport report() const override;
  [[nodiscard]] const std::string& console() const { return start_.console; }

 private:
  void load();
  void check(SocketLine::Outcome outcome);
  [[nodiscard]] weft_guest_report read_report();
  void take_frame(u64 at_ns, std::vector<std::byte> frame, Advanced& done) const;
  [[nodiscard]] std::string last_words() const;
  /// How QEMU ended, if it does within a moment.
  [[nodiscard]] std::string ended();
  [[noreturn]] void fail(const std::string& problem);
  [[noreturn]] void fail_stuck();

  Job job_;
  QemuStart start_;
  double patience_s_;
  std::unique_ptr<Qemu> qemu_;
  std::unique_ptr<SocketLine> line_;
  bool loaded_ = false;
  bool over_ = false;
  u64 since_ns_ = 0;  ///< begin of the slice at hand
  u64 until_ns_ = 0;
  u64 instructions_ = 0;
  std::string said_;  ///< when it has ended
  std::vector<std::byte> outgoing_;
};

}  // namespace weft::tools::cosim::guest
