// A kind of workload that somebody else might add: a token goes round the tasks.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/generator/kind/workload_kind.hpp"

namespace weft::workloads {
namespace {

/// What a task does with the token: it waits for it, and sends it on; task 0 sends first.
class TokenStream final : public TaskStream {
 public:
  TokenStream(u32 task, u32 tasks, u32 rounds, u64 bytes)
      : task_(task), tasks_(tasks), rounds_(rounds), bytes_(bytes) {}
  Op next() override {
    if (step_ == 2 * rounds_) return {};
    const u32 round = step_ / 2;
    const bool sends = (step_++ % 2 == 0) == (task_ == 0);
    const u32 peer = (task_ + (sends ? 1 : tasks_ - 1)) % tasks_;
    return {sends ? OpKind::send : OpKind::receive, peer, round, bytes_};
  }

 private:
  u32 task_, tasks_, rounds_, step_ = 0;
  u64 bytes_;
};

class Token final : public Program {
 public:
  explicit Token(const WorkloadSpec& spec)
      : tasks_(spec.tasks),
        rounds_(static_cast<u32>(spec.keys.integer("token_rounds"))),
        bytes_(static_cast<u64>(spec.keys.integer("token_bytes"))) {
    if (tasks_ < 2) throw ConfigError("a token needs two tasks to go round; use workload.tasks = 2 or more");
  }
  u32 tasks() const override { return tasks_; }
  std::unique_ptr<TaskStream> open(TaskId task) const override {
    return std::make_unique<TokenStream>(task.value(), tasks_, rounds_, bytes_);
  }
  std::string name() const override { return fmt::format("round {} tasks", tasks_); }

 private:
  u32 tasks_, rounds_;
  u64 bytes_;
};

std::optional<Complaint> check_token(const Parameters& keys) {
  if (keys.integer("tasks") != 1) return {};
  return Complaint{"workload.tasks", "leaves the token nobody to go to", "use tasks = 2 or more"};
}

const bool token_registered = WorkloadRegistry::instance().add(
    "token",
    {.help = "a token goes round the tasks",
     .settings = {row_of::tasks(),
                  row::integer("workload.token_rounds", "rounds", 1, {1, 1'000'000}, "how often it goes round."),
                  row::integer("workload.token_bytes", "bytes", 8, {1, 1 << 20}, "its size.")},
     .check = check_token,
     .make = [](const WorkloadSpec& spec) { return std::make_unique<Token>(spec); }});

}  // namespace
}  // namespace weft::workloads
