// Opening logs of MPE: a first pass for what they define; pipes are kept in a file for the second.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "workloads/trace/format/kept_input.hpp"
#include "workloads/trace/format/mpe/mpe_log.hpp"
#include "workloads/trace/format/mpe/mpe_reader.hpp"

namespace weft::workloads {
namespace {

class MpeSource final : public TraceSource {
 public:
  MpeSource(const TraceInput& input, MpeNumbering numbering, MpeOpener open)
      : input_(one_file(input)), open_(std::move(open)) {
    const auto known = std::make_shared<MpeDefinitions>(numbering);
    std::vector<MpeRecord> records;
    bool again = true;
    while (again) {
      const auto log = open_(input_.open(), *known, known.get());
      while (log->read(records))
        for (const MpeRecord& record : records) known->survey(record);
      again = known->finish_survey();
    }
    known_ = known;
  }
  [[nodiscard]] std::unique_ptr<TraceReader> open(u32 /*part*/) const override {
    return std::make_unique<MpeReader>(open_(input_.open(), *known_, nullptr), known_);
  }
  [[nodiscard]] std::string place(u32 /*part*/, u64 position) const override {
    return open_(input_.open(), *known_, nullptr)->place(position);
  }
  [[nodiscard]] std::vector<TraceCommunicator> communicators() const override { return known_->communicators; }
  [[nodiscard]] std::vector<TraceName> names() const override { return known_->names; }
  [[nodiscard]] bool has_times() const override { return true; }

 private:
  static const TraceInput& one_file(const TraceInput& input) {
    if (input.several && input.files.size() > 1)
      throw InputError(
          fmt::format("{}: logs of MPE are one file (got {} files); name it", input.path, input.files.size()));
    return input;
  }

  KeptInput input_;
  MpeOpener open_;
  std::shared_ptr<const MpeDefinitions> known_;
};

}  // namespace

std::unique_ptr<TraceSource> open_mpe(const TraceInput& input, MpeNumbering numbering, MpeOpener open) {
  return std::make_unique<MpeSource>(input, numbering, std::move(open));
}

}  // namespace weft::workloads
