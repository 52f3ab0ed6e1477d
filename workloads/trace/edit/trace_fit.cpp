// Histograms of what tasks sent; see the header.
#include "workloads/trace/edit/trace_fit.hpp"

#include <algorithm>
#include <cmath>

namespace weft::workloads {
namespace {

/// The packets of one task, in order.
class TaskFit {
 public:
  TaskFit(const FitSpec& spec, TraceFit& fit) : spec_(spec), fit_(fit) {}

  void message(u64 bytes, double ns) {
    ++fit_.messages;
    ++fit_.sizes[bytes];
    const u64 payload = u64{spec_.packet_phits - spec_.header_phits} * spec_.phit_bytes;
    const u64 packets = std::max<u64>(1, (bytes + payload - 1) / payload);
    const u64 last_bytes = bytes - std::min(bytes, (packets - 1) * payload);
    const u64 last_phits =
        spec_.header_phits + std::max<u64>(1, (last_bytes + spec_.phit_bytes - 1) / spec_.phit_bytes);
    const u64 at = static_cast<u64>(std::llround(ns / spec_.cycle_ns));
    if (any_) ++fit_.gaps[std::max<u64>(1, at > last_ ? at - last_ : 0)];
    last_ = any_ ? std::max(last_ + 1, at) : at;
    any_ = true;
    if (packets > 1) {
      fit_.gaps[1] += packets - 1;
      fit_.lengths[spec_.packet_phits] += packets - 1;
      last_ += packets - 1;
    }
    ++fit_.lengths[last_phits];
    fit_.packets += packets;
    burst_ += packets;
    fit_.phits += (packets - 1) * spec_.packet_phits + last_phits;
  }
  /// The task waits for others, or has ended.
  void wait() {
    if (burst_ > 0) ++fit_.bursts[burst_];
    burst_ = 0;
  }
  [[nodiscard]] bool sends() const { return any_; }

 private:
  const FitSpec& spec_;
  TraceFit& fit_;
  u64 last_ = 0;   ///< cycle of the last packet
  u64 burst_ = 0;  ///< packets since the last wait
  bool any_ = false;
};

/// Whether a task goes on only when others have done something.
bool waits(const TraceEvent& event) {
  using Kind = TraceEvent::Kind;
  return event.kind == Kind::receive || event.kind == Kind::wait || event.kind == Kind::collective;
}

}  // namespace

double burst_packets(const TraceFit& fit) {
  double sum = 0, packets = 0;
  for (const auto& [burst, count] : fit.bursts) {
    const double all = static_cast<double>(burst) * static_cast<double>(count);
    packets += all;
    sum += static_cast<double>(burst) * all;
  }
  return packets > 0 ? sum / packets : 0;
}

TraceFit fit_of(const std::shared_ptr<const TraceStore>& store, const FitSpec& spec) {
  using Kind = TraceEvent::Kind;
  const StoreIndex& index = store->index();
  TraceFit fit;
  fit.tasks = index.tasks;
  fit.has_times = index.has_times;
  TraceEvent event;
  for (u32 task = 0; task < index.tasks; ++task) {
    TaskFit of_task(spec, fit);
    const auto events = TraceStore::events(store, task);
    double computed_ns = 0;
    while (events->next(event)) {
      if (event.kind == Kind::compute) computed_ns += static_cast<double>(event.bytes);
      if (waits(event)) of_task.wait();
      if (event.kind != Kind::send && event.kind != Kind::isend) continue;
      of_task.message(event.bytes == TraceEvent::unknown_bytes ? 0 : event.bytes,
                      index.has_times ? static_cast<double>(event.begin_ns) : computed_ns);
    }
    of_task.wait();
    fit.senders += of_task.sends() ? 1 : 0;
  }
  return fit;
}

}  // namespace weft::workloads
