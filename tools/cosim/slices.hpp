// The clock that endpoints and the network share: slices of simulated time.
//
// In a slice endpoints run first, then the network. A message that an endpoint sends at time t enters the network at
// t + n, n being the latency of a NIC, and one that has come whole at time t comes to its endpoint at t + n. So the
// network may simulate up to the end of the slice + n, and what it delivers there comes n later still: if a slice is
// no longer than 2 n, no message comes to an endpoint that has run past its time. With a longer slice a message may
// come late, at the begin of the next slice, by no more than the slice less 2 n.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/bytes.hpp"
#include "engine/digest.hpp"
#include "engine/transport.hpp"
#include "tools/cosim/endpoint.hpp"
#include "tools/run/config/resolve.hpp"
#include "workloads/program/external/external_tasks.hpp"
#include "workloads/program/external/sliced_program.hpp"

namespace weft::tools::cosim {

struct SliceSpec {
  u64 slice_ns = 0;        ///< from 1
  u64 nic_latency_ns = 0;  ///< of each NIC, both ways; 0: slices are never exact
  u64 end_ns = never;      ///< when all are stopped
  double cycle_ns = 0;     ///< a slice is no shorter
  u64 ticks_per_cycle = 1;
};

/// What is counted of an endpoint.
struct EndpointCounts {
  u64 sent = 0, sent_bytes = 0, came = 0, came_bytes = 0;  ///< messages
  u64 advances = 0;                                        ///< slices in which it was let run
  u64 time_ns = 0, idle_ns = 0;  ///< simulated: how far it came; of that, when it said that it did nothing
  bool over = false;
};

/// Counts of all endpoints, or of those of this process.
struct SliceCounts {
  u64 slices = 0, skipped = 0;                 ///< executed; not needed, since nothing happened in them
  u64 late = 0, late_ns = 0, late_max_ns = 0;  ///< messages that came late; their ns: sum, longest
  u64 sent = 0, came = 0, lost = 0;            ///< messages; those lost came to endpoints that had ended
  u64 latency_ns = 0, latency_max_ns = 0;      ///< from sending to coming: sum, longest
  engine::Digest payloads;                     ///< of what came, when and with which bytes
};

/// Makes the endpoint of that number, in the process in which its node is simulated.
using EndpointMaker = std::function<std::unique_ptr<Endpoint>(u32 number, u32 endpoints)>;

/// Endpoints in slices of time, for the engine of programs. Larger than others: what is counted of slices lies beside
/// what they are made of.
class Slices final : public workloads::ExternalTasks {
 public:
  Slices(const SliceSpec& spec, engine::Transport& transport, EndpointMaker make);

  [[nodiscard]] std::unique_ptr<workloads::Program> program(u32 tasks, const workloads::TaskLimits& limits) override;
  [[nodiscard]] Tick due() const override { return due_; }
  /// Throws StuckError if all endpoints wait for messages and there are none.
  void exchange(Tick now) override;

  /// Tells the endpoints of this process that the run is over.
  void end();
  /// Counts of this process.
  [[nodiscard]] const SliceCounts& counts() const { return counts_; }
  /// [endpoint]; those of other processes are empty.
  [[nodiscard]] const std::vector<EndpointCounts>& endpoint_counts() const { return endpoint_counts_; }
  [[nodiscard]] std::vector<EndpointReport> reports() const;
  /// The endpoints of this process.
  [[nodiscard]] std::vector<u32> numbers() const;
  [[nodiscard]] u64 now_ns() const { return until_ns_; }

 private:
  /// An endpoint of this process.
  struct Member {
    u32 number = 0;
    std::unique_ptr<Endpoint> endpoint;
    std::vector<Parcel> coming;  ///< to it, ascending at_ns
    u64 idle_until_ns = 0;
    bool runs = false;     ///< in the slice at hand
    u64 runs_from_ns = 0;  ///< if so, from here on
    bool over = false;
  };
  struct Held {
    u64 sent_ns = 0;
    std::vector<std::byte> payload;
  };

  struct Slice {
    u64 begin_ns = 0, end_ns = 0;
  };

  void make_members();
  void take_arrivals();
  void come(Member& member, Parcel parcel);
  /// None: the run is over.
  [[nodiscard]] std::optional<Slice> next_slice();
  void run(const Slice& slice);
  /// An endpoint did nothing since its last slice, until what it announced, or what wakes it: when that was.
  u64 count_idle(const Member& member, u64 woken_ns);
  void advanced(Member& member, const Slice& slice, Advanced done);
  void check(const Member& member, const Slice& slice, const Advanced& done) const;
  void send(Member& member, const std::vector<Parcel>& sent);
  void exchange_payloads();
  void keep(u32 from, u32 number, u64 sent_ns, std::vector<std::byte> payload);
  [[nodiscard]] u64 cycle_of(u64 ns) const;
  [[nodiscard]] u64 ns_of(Tick tick) const;

  SliceSpec spec_;
  engine::Transport& transport_;
  EndpointMaker make_;
  workloads::SlicedProgram* program_ = nullptr;
  workloads::TaskLimits limits_;
  std::vector<Member> members_;
  std::vector<u64> rank_of_;                                ///< [endpoint]
  std::vector<u32> sent_of_;                                ///< [endpoint] messages so far, of this process's
  std::map<std::pair<u32, u32>, Held> held_;                ///< (sender, number): of messages that are to come here
  std::vector<std::vector<workloads::OutsideSend>> sends_;  ///< [member] in the slice at hand
  std::vector<engine::ByteWriter> to_ranks_;                ///< [rank] payloads of messages that are to come there
  u64 until_ns_ = 0;                                        ///< up to where endpoints have run
  u64 next_cycle_ = 0;                                      ///< up to where the network has been given messages
  Tick due_ = 0;
  SliceCounts counts_;
  std::vector<EndpointCounts> endpoint_counts_;
};

}  // namespace weft::tools::cosim
