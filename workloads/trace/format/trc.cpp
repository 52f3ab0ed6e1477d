// INSEE's .trc as a format of traces: a large plain file is read in several parts, cut between lines.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/trace/format/line_range.hpp"
#include "workloads/trace/format/trc_reader.hpp"
#include "workloads/trace/format/trc_writer.hpp"

namespace weft::workloads {
namespace {

/// The format is recognised by the first line that says something; without one the reader reports the empty file.
bool looks_like_trc(std::string_view head) {
  while (!head.empty()) {
    const std::size_t start = head.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos) return true;
    head.remove_prefix(start);
    if (head[0] != '#') return head[0] == 's' || head[0] == 'r' || head[0] == 'c';
    const std::size_t line_end = head.find('\n');
    if (line_end == std::string_view::npos) return true;
    head.remove_prefix(line_end);
  }
  return true;
}

class TrcSource final : public TraceSource {
 public:
  explicit TrcSource(const TraceInput& input) : input_(input), ranges_(input) {
    if (input.several && input.files.size() > 1)
      throw InputError(fmt::format("{}: .trc traces are one file; name it", input.path));
  }
  [[nodiscard]] u32 parts() const override { return ranges_.parts(); }
  [[nodiscard]] std::unique_ptr<TraceReader> open(u32 part) const override {
    if (parts() == 1) return std::make_unique<TrcReader>(open_input(input_));
    return std::make_unique<TrcReader>(ranges_.open(part));
  }
  [[nodiscard]] std::string place(u32 part, u64 line) const override {
    return fmt::format("{}:{}", input_.files[0], ranges_.lines_before(part) + line);
  }
  [[nodiscard]] bool in_order() const override { return false; }

 private:
  TraceInput input_;
  LineRanges ranges_;
};

[[maybe_unused]] const bool trc_registered = TraceFormats::instance().add(
    "trc", {.help = "INSEE text trace: lines 's FROM TO TAG BYTES', 'r FROM TO TAG BYTES', 'c RANK NANOSECONDS'",
            .recognises = [](std::string_view head, const TraceInput& /*input*/) { return looks_like_trc(head); },
            .open = [](const TraceInput& input) { return std::make_unique<TrcSource>(input); },
            .write_program = write_trc,
            .tells_blocking_sends = false,
            .ending = ".trc",
            .place = 900});

}  // namespace
}  // namespace weft::workloads
