// Gaps, destinations and lengths of the packets of independent sources.
#include "workloads/program/source_program.hpp"

#include <algorithm>
#include <cmath>

#include "engine/random.hpp"

namespace weft::workloads {

class SourceProgram::Stream final : public TaskStream {
 public:
  Stream(const SourceProgram& program, u32 task) : program_(program), task_(task) {}
  Op next() override {
    const SourceSpec& spec = program_.spec_;
    if (waited_) {
      waited_ = false;
      return send();
    }
    if (spec.packets_per_cycle <= 0 || !program_.pattern_->sends(NodeId(task_))) return {};
    u64 cycles = 0;
    do {
      if (spec.packets != 0 && count_ == spec.packets) return {};
      cycles += gap();
      bits_ = draw(engine::Use::source_destination);
      const u32 phase = program_.arrivals_ ? program_.arrivals_->phase(state_) : 0;
      to_ = program_.pattern_->destination(NodeId(task_), {bits_, count_, phase}).value();
      ++count_;
    } while (to_ == task_ && cycles < longest);
    waited_ = true;
    // The NIC takes a packet in the cycle of its send, and the next operation begins in the cycle after.
    return {OpKind::pause, 0, 0, cycles - 1};
  }

 private:
  static constexpr u64 longest = u64{1} << 50;  ///< of gaps, in cycles

  [[nodiscard]] u64 draw(engine::Use use) const { return engine::random_bits(program_.spec_.seed, task_, count_, use); }
  /// Cycles to the next packet: to the next success of a Bernoulli trial per cycle, or as the law of arrivals says.
  [[nodiscard]] u64 gap() {
    if (program_.arrivals_) return program_.arrivals_->gap(task_, count_, state_);
    if (program_.log_miss_ == 0) return 1;
    const double cycles = std::log(engine::to_unit(draw(engine::Use::source_gap))) / program_.log_miss_;
    return cycles < static_cast<double>(longest) ? 1 + static_cast<u64>(cycles) : longest;
  }
  [[nodiscard]] Op send() const {
    const SourceSpec& spec = program_.spec_;
    const u32 cells = std::max(spec.cells.draw(bits_), spec.header_phits + 1) - spec.header_phits;
    return {OpKind::send, to_, 0, u64{cells} * spec.phit_bytes};
  }

  const SourceProgram& program_;
  u32 task_;
  u64 count_ = 0;  ///< draws so far
  u64 bits_ = 0;   ///< of the packet to come
  u32 to_ = 0;
  ArrivalState state_;
  bool waited_ = false;  ///< the packet to come has a destination
};

SourceProgram::SourceProgram(const SourceSpec& spec, std::string name, std::unique_ptr<Pattern> pattern,
                             std::unique_ptr<const Arrivals> arrivals)
    : spec_(spec),
      name_(std::move(name)),
      pattern_(std::move(pattern)),
      arrivals_(std::move(arrivals)),
      log_miss_(spec.packets_per_cycle < 1 ? std::log1p(-spec.packets_per_cycle) : 0) {}

std::unique_ptr<TaskStream> SourceProgram::open(TaskId task) const {
  return std::make_unique<Stream>(*this, task.value());
}

}  // namespace weft::workloads
