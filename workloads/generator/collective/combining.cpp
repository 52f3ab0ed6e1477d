// Programs in which combining takes time.
#include "workloads/generator/collective/combining.hpp"

#include <cmath>
#include <utility>

namespace weft::workloads {
namespace {

/// What a stream needs of the algorithm, looked up once.
struct Combining {
  CollectiveSpec spec;
  bool (*combines)(const CollectiveSpec& spec, const Op& receive);  ///< none: all

  [[nodiscard]] u64 ns(const Op& op) const {
    if (op.kind != OpKind::receive || (combines != nullptr && !combines(spec, op))) return 0;
    return static_cast<u64>(std::llround(static_cast<double>(op.amount) * spec.combine_ns_per_byte));
  }
};

class CombiningStream final : public TaskStream {
 public:
  CombiningStream(std::unique_ptr<TaskStream> of, std::shared_ptr<const Combining> rule)
      : of_(std::move(of)), rule_(std::move(rule)) {}
  Op next() override {
    if (const u64 ns = std::exchange(ns_, 0)) return {OpKind::compute, 0, 0, ns};
    const Op op = of_->next();
    ns_ = rule_->ns(op);
    return op;
  }
  void add_regions(std::vector<u32>& inside) const override { of_->add_regions(inside); }

 private:
  std::unique_ptr<TaskStream> of_;
  std::shared_ptr<const Combining> rule_;
  u64 ns_ = 0;  ///< to be computed next
};

class CombiningProgram final : public Program {
 public:
  CombiningProgram(std::unique_ptr<const Program> of, const CollectiveSpec& spec)
      : of_(std::move(of)), rule_(std::make_shared<Combining>(Combining{spec, collective_kind(spec).combines})) {}
  u32 tasks() const override { return of_->tasks(); }
  std::string name() const override { return of_->name(); }
  std::unique_ptr<TaskStream> open(TaskId task) const override {
    return std::make_unique<CombiningStream>(of_->open(task), rule_);
  }
  std::vector<Activity> regions() const override { return of_->regions(); }
  u64 bytes() const override { return of_->bytes(); }

 private:
  std::unique_ptr<const Program> of_;
  std::shared_ptr<const Combining> rule_;
};

}  // namespace

std::unique_ptr<Program> combining_program(std::unique_ptr<const Program> program, const CollectiveSpec& spec) {
  return std::make_unique<CombiningProgram>(std::move(program), spec);
}

}  // namespace weft::workloads
