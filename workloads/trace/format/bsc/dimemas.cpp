// Dimemas as a format of traces.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/trace/format/bsc/dimemas_reader.hpp"
#include "workloads/trace/format/kept_input.hpp"

namespace weft::workloads {
namespace {

class DimemasSource final : public TraceSource {
 public:
  explicit DimemasSource(const TraceInput& input) : input_(one_file(input)) {
    DimemasReader reader(input_.open(), nullptr);
    communicators_ = reader.header().groups.communicators();
    if (reader.header().newer) roots_ = std::make_shared<const CollectiveRoots>(reader.find_roots());
  }
  [[nodiscard]] std::unique_ptr<TraceReader> open(u32 /*part*/) const override {
    return std::make_unique<DimemasReader>(input_.open(), roots_);
  }
  [[nodiscard]] std::string place(u32 /*part*/, u64 line) const override {
    return fmt::format("{}:{}", input_.name(), line);
  }
  [[nodiscard]] std::vector<TraceCommunicator> communicators() const override { return communicators_; }

 private:
  static const TraceInput& one_file(const TraceInput& input) {
    if (input.several && input.files.size() > 1)
      throw InputError(fmt::format("{}: traces of Dimemas are one file; name it", input.path));
    return input;
  }

  KeptInput input_;
  std::vector<TraceCommunicator> communicators_;
  std::shared_ptr<const CollectiveRoots> roots_;
};

[[maybe_unused]] const bool dimemas_registered = TraceFormats::instance().add(
    "dimemas",
    {.help = "Dimemas (.dim): computing, messages, requests and collective calls, old and newer form",
     .recognises = [](std::string_view head, const TraceInput& /*input*/) { return head.starts_with("#DIMEMAS:"); },
     .open = [](const TraceInput& input) { return std::make_unique<DimemasSource>(input); }});

}  // namespace
}  // namespace weft::workloads
