// Programs of several operations one after the other.
#include "workloads/generator/collective/composite.hpp"

#include <fmt/format.h>
#include <optional>
#include <utility>

#include "engine/base/error.hpp"
#include "workloads/generator/collective/collective_plan.hpp"
#include "workloads/generator/collective/communicator.hpp"

namespace weft::workloads {
namespace {

using Part = CollectiveKind::Part;

/// Tags of part k begin at k x part_tags.
constexpr u32 part_tags_bits = 28;
constexpr u32 part_tags = u32{1} << part_tags_bits;

/// The tasks with which a task does a part, if it does.
std::optional<Communicator> among(const Part& part, const CollectiveSpec& spec, u32 task) {
  const u32 node = std::max(1U, spec.node_tasks), first = task - task % node;
  if (part.among == Part::Among::node) return Communicator{first, 1, std::min(node, spec.tasks - first)};
  if (part.among == Part::Among::leaders)
    return task == first ? std::optional(Communicator{0, node, (spec.tasks - 1) / node + 1}) : std::nullopt;
  return Communicator{0, 1, spec.tasks};
}

/// A part as an operation of `tasks` tasks, once, its algorithm and what that needs known.
CollectiveSpec part_spec(const Part& part, const CollectiveSpec& whole, u32 tasks) {
  CollectiveSpec spec;
  spec.operation = part.operation;
  spec.algorithm = part.by_rules && !whole.library.empty() ? "auto" : part.algorithm;
  spec.library = part.by_rules ? whole.library : "";
  spec.commutative = whole.commutative;
  spec.tasks = tasks;
  spec.message_bytes = part.bytes ? part.bytes(whole) : whole.message_bytes;
  if (OperationRegistry::instance().find(part.operation)->counts != CollectiveOperation::Counts::none)
    spec.counts = whole.counts;
  return resolved_collective(spec);
}

/// Which part a message is of, and the message in its terms.
struct InPart {
  CollectiveSpec spec;
  const CollectiveKind& kind;
  Communicator communicator;
};
std::optional<InPart> in_part(const CollectiveSpec& spec, u32 task, u32 tag) {
  const Part& part = collective_kind(spec).parts.at(tag >> part_tags_bits);
  const auto communicator = among(part, spec, task);
  if (!communicator) return {};
  const CollectiveSpec of_part = part_spec(part, spec, communicator->size);
  return InPart{of_part, collective_kind(of_part), *communicator};
}

bool composite_carries(const CollectiveKind::Message& m, const DataPiece& piece) {
  const auto part = in_part(m.spec, m.from, m.op.tag);
  WEFT_ASSERT(part.has_value());
  const CollectiveOperation& operation = *OperationRegistry::instance().find(part->kind.operation);
  if (part->kind.carries == nullptr && !operation.to_each) return true;
  if (part->kind.carries == nullptr) return piece.target == m.op.peer;
  Op op = m.op;
  op.tag %= part_tags;
  op.peer = part->communicator.rank(op.peer);
  return part->kind.carries({part->spec, part->communicator.rank(m.from), m.nth, op}, piece);
}

bool composite_combines(const CollectiveSpec& spec, const Op& receive) {
  const auto part = in_part(spec, receive.peer, receive.tag);
  WEFT_ASSERT(part.has_value());
  Op op = receive;
  op.tag %= part_tags;
  op.peer = part->communicator.rank(receive.peer);
  return combines(part->spec, op);
}

/// The parts of one time of the whole. Programs are shared by all streams.
struct PartPrograms {
  /// A part of data that there is none of.
  [[nodiscard]] bool has_nothing(std::size_t part) const {
    return parts[part].bytes && parts[part].bytes(spec) == 0 &&
           !OperationRegistry::instance().find(spec.operation)->signals;
  }

  CollectiveSpec spec;
  std::vector<Part> parts;
  std::vector<std::vector<std::unique_ptr<const Program>>> programs;  ///< by part: those of each size of communicator

  [[nodiscard]] std::unique_ptr<TaskStream> open(std::size_t part, u32 task) const {
    const auto communicator = among(parts[part], spec, task);
    if (!communicator || has_nothing(part)) return nullptr;
    for (const auto& program : programs[part]) {
      if (program->tasks() == communicator->size)
        return open_on_communicator(*program, *communicator, TaskId(task), static_cast<u32>(part) * part_tags);
    }
    throw Bug(fmt::format("no program of {} tasks for part {} of {}", communicator->size, part, spec.algorithm));
  }
};

class CompositeStream final : public TaskStream {
 public:
  CompositeStream(std::shared_ptr<const PartPrograms> of, u32 task) : of_(std::move(of)), task_(task) {}
  Op next() override {
    while (true) {
      if (current_) {
        const Op op = current_->next();
        if (op.kind != OpKind::end) return op;
        current_.reset();
      }
      if (part_ == of_->parts.size()) {
        part_ = 0;
        ++repetition_;
      }
      if (repetition_ >= of_->spec.repetitions) return {};
      current_ = of_->open(part_++, task_);
    }
  }
  void add_regions(std::vector<u32>& inside) const override {
    if (current_) inside.push_back(static_cast<u32>(part_ - 1));
  }

 private:
  std::shared_ptr<const PartPrograms> of_;
  u32 task_, repetition_ = 0;
  std::size_t part_ = 0;
  std::unique_ptr<TaskStream> current_;
};

class CompositeProgram final : public Program {
 public:
  explicit CompositeProgram(std::shared_ptr<const PartPrograms> of) : of_(std::move(of)) {}
  u32 tasks() const override { return of_->spec.tasks; }
  std::string name() const override { return collective_name(of_->spec); }
  std::unique_ptr<TaskStream> open(TaskId task) const override {
    WEFT_ASSERT(task.value() < tasks());
    return std::make_unique<CompositeStream>(of_, task.value());
  }
  std::vector<Activity> regions() const override {
    std::vector<Activity> parts;
    for (const auto& programs : of_->programs) parts.push_back({programs.front()->name(), true});
    return parts;
  }

 private:
  std::shared_ptr<const PartPrograms> of_;
};

/// Throws ConfigError unless all nodes have as many tasks.
void check_nodes(const CollectiveSpec& spec) {
  const u32 node = std::max(1U, spec.node_tasks);
  if (spec.tasks % node == 0) return;
  u32 below = node, above = node;
  while (spec.tasks % below != 0) --below;
  while (above < spec.tasks && spec.tasks % above != 0) ++above;
  throw ConfigError(
      fmt::format("workload.node_tasks = {} does not fit {} \"{}\" of {} tasks (all nodes must have as many); use "
                  "node_tasks = {} or {}",
                  node, spec.operation, spec.algorithm, spec.tasks, below, std::min(above, spec.tasks)));
}

std::unique_ptr<Program> composite_program(const CollectiveSpec& spec) {
  auto of = std::make_shared<PartPrograms>();
  of->spec = spec;
  of->parts = collective_kind(spec).parts;
  if (collective_kind(spec).even_nodes) check_nodes(spec);
  for (const Part& part : of->parts) {
    auto& programs = of->programs.emplace_back();
    for (const u32 task : {0U, spec.tasks - 1}) {  // the last node may be a smaller one
      const u32 last = part.among == Part::Among::leaders ? 0 : task;
      const u32 size = among(part, spec, last)->size;
      if (!programs.empty() && programs.front()->tasks() == size) continue;
      const CollectiveSpec of_part = part_spec(part, spec, size);
      programs.push_back(collective_kind(of_part).make(of_part));
    }
  }
  return std::make_unique<CompositeProgram>(std::move(of));
}

}  // namespace

bool add_composite(CollectiveKind kind) {
  WEFT_ASSERT(!kind.parts.empty());
  kind.make = composite_program;
  kind.carries = composite_carries;
  kind.combines = composite_combines;
  kind.divides = true;
  return add_collective(std::move(kind));
}

}  // namespace weft::workloads
