// VEF as a format of traces.
#include <fmt/format.h>
#include <mutex>

#include "engine/base/error.hpp"
#include "workloads/trace/format/vef/vef_reader.hpp"

namespace weft::workloads {
namespace {

/// VEF, VEF3 or another version, and the number of tasks.
bool looks_like_vef(std::string_view head) {
  if (!head.starts_with("VEF")) return false;
  head.remove_prefix(3);
  while (!head.empty() && head[0] >= '0' && head[0] <= '9') head.remove_prefix(1);
  const std::size_t tasks = head.find_first_not_of(" \t");
  return tasks != 0 && tasks != std::string_view::npos && head[tasks] >= '0' && head[tasks] <= '9';
}

class VefSource final : public TraceSource {
 public:
  explicit VefSource(const TraceInput& input) : input_(input) {
    if (input.several && input.files.size() > 1)
      throw InputError(fmt::format("{}: VEF traces are one file; name it", input.path));
    first_ = std::make_unique<VefReader>(open_input(input_));
    communicators_ = first_->header().communicators;
  }
  [[nodiscard]] std::unique_ptr<TraceReader> open(u32 /*part*/) const override {
    const std::lock_guard guard(mutex_);
    if (first_) return std::move(first_);  // a pipe cannot be opened again
    return std::make_unique<VefReader>(open_input(input_));
  }
  [[nodiscard]] std::string place(u32 /*part*/, u64 line) const override {
    return fmt::format("{}:{}", input_.files[0], line);
  }
  [[nodiscard]] std::vector<TraceCommunicator> communicators() const override { return communicators_; }

 private:
  TraceInput input_;
  std::vector<TraceCommunicator> communicators_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<VefReader> first_;
};

[[maybe_unused]] const bool vef_registered = TraceFormats::instance().add(
    "vef", {.help = "VEF and VEF3 (VEF-Prospector): messages and collective calls that depend on others",
            .recognises = [](std::string_view head, const TraceInput& /*input*/) { return looks_like_vef(head); },
            .open = [](const TraceInput& input) { return std::make_unique<VefSource>(input); },
            .tells_blocking_sends = false});

}  // namespace
}  // namespace weft::workloads
