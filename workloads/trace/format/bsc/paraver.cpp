// Paraver as a format of traces.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/trace/format/bsc/paraver_reader.hpp"
#include "workloads/trace/format/kept_input.hpp"

namespace weft::workloads {
namespace {

class ParaverSource final : public TraceSource {
 public:
  explicit ParaverSource(const TraceInput& input) : input_(one_file(input)) {
    ParaverReader reader(input_.open(), nullptr);
    communicators_ = reader.header().groups.communicators();
    ParaverReader::Facts facts = reader.find_facts();
    roots_ = std::make_shared<const CollectiveRoots>(std::move(facts.roots));
    notes_ = facts.lone_calls.notes(input_.name());
  }
  [[nodiscard]] std::unique_ptr<TraceReader> open(u32 /*part*/) const override {
    return std::make_unique<ParaverReader>(input_.open(), roots_);
  }
  [[nodiscard]] std::string place(u32 /*part*/, u64 line) const override {
    return fmt::format("{}:{}", input_.name(), line);
  }
  [[nodiscard]] std::vector<TraceCommunicator> communicators() const override { return communicators_; }
  [[nodiscard]] std::vector<TraceName> names() const override { return {{"MPI", true}}; }
  [[nodiscard]] bool has_times() const override { return true; }
  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }

 private:
  static const TraceInput& one_file(const TraceInput& input) {
    if (input.several && input.files.size() > 1)
      throw InputError(fmt::format("{}: traces of Paraver are one file .prv; name it", input.path));
    return input;
  }

  KeptInput input_;
  std::vector<TraceCommunicator> communicators_;
  std::shared_ptr<const CollectiveRoots> roots_;
  std::vector<std::string> notes_;
};

[[maybe_unused]] const bool paraver_registered = TraceFormats::instance().add(
    "paraver",
    {.help = "Paraver (.prv, Extrae): messages, calls of MPI and collective calls, with times",
     .recognises = [](std::string_view head, const TraceInput& /*input*/) { return head.starts_with("#Paraver "); },
     .open = [](const TraceInput& input) { return std::make_unique<ParaverSource>(input); },
     .tells_blocking_sends = false});

}  // namespace
}  // namespace weft::workloads
