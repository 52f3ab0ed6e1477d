// The calls of one DUMPI file as events.
#pragma once

#include <unordered_map>

#include "workloads/trace/format/dumpi/dumpi_group.hpp"
#include "workloads/trace/format/dumpi/dumpi_types.hpp"
#include "workloads/trace/format/queueing_reader.hpp"

namespace weft::workloads {

/// Times begin with the first call of the file: clocks of different nodes are not compared. Calls that are neither
/// messages nor collectives are enter and leave of their names; failed tests, partners MPI_PROC_NULL and requests that
/// nothing started (before the recording began) are nothing.
class DumpiReader final : public QueueingReader {
 public:
  /// Requests that wait at a time, at most.
  static constexpr std::size_t most_requests = std::size_t{1} << 24;

  DumpiReader(DumpiFile file, std::shared_ptr<const DumpiTrace> trace, u32 task);
  [[nodiscard]] u64 position() const override { return call_.offset; }
  [[nodiscard]] u32 tasks() const override { return trace_->tasks; }

 private:
  bool read_more() override;
  using Kind = TraceEvent::Kind;
  struct Request {
    Kind kind = Kind::isend;
    bool persistent = false, active = true, synchronous = false, real = true;  ///< not real: of MPI_PROC_NULL
    u32 peer = 0, tag = 0;
    u64 bytes = 0;
    DumpiCommunicator communicator;
  };

  void take();
  TraceEvent& add(Kind kind);
  void other_call();
  [[nodiscard]] i64 value(DumpiField field) const { return call_.at(field); }
  [[nodiscard]] DumpiCommunicator communicator(DumpiField field = DumpiField::comm) const;
  [[nodiscard]] u32 peer(i64 rank, const DumpiCommunicator& communicator) const;
  [[nodiscard]] u64 bytes(i64 count, i64 type) const;
  [[nodiscard]] u32 tag_of(i64 tag) const;
  [[nodiscard]] std::vector<u64> list(DumpiList counts, i64 type) const;
  void send(DumpiField count, DumpiField type, DumpiField dest, DumpiField tag, bool non_blocking, bool synchronous);
  void receive(DumpiField count, DumpiField type, DumpiField source, DumpiField tag, bool continues);
  void receive_later();
  void keep_persistent(bool sends, bool synchronous);
  void start(i64 request, bool continues);
  void wait(i64 request, const DumpiStatus* status, bool& continues);
  void wait_for_all();
  void wait_for_any();
  void wait_for_some();
  void probe();
  void keep(i64 request, const Request& kept);
  /// True if it is a collective call.
  bool collective();
  void collective_sizes(TraceEvent& event, const DumpiCommunicator& group, bool at_root);

  DumpiFile file_;
  std::shared_ptr<const DumpiTrace> trace_;
  u32 task_;
  DumpiBody body_;
  DumpiTypes types_;
  DumpiCommunicators communicators_;
  DumpiCall call_;
  std::unordered_map<i64, Request> requests_;
  bool began_ = false;
  u64 zero_ns_ = 0, last_ns_ = 0;
  u64 begin_ns_ = 0, end_ns_ = 0;  ///< of the call
};

/// Names of enter and leave events: by number of the call.
[[nodiscard]] std::vector<TraceName> dumpi_names();

}  // namespace weft::workloads
