// CLOG2 as a format of traces.
#include "workloads/trace/format/mpe/clog2_log.hpp"
#include "workloads/trace/format/mpe/mpe_writer.hpp"

namespace weft::workloads {
namespace {

std::unique_ptr<TraceSource> open_clog2(const TraceInput& input) {
  return open_mpe(input, MpeNumbering::from_zero,
                  [](std::unique_ptr<ByteSource> bytes, const MpeDefinitions& known, MpeDefinitions* learn) {
                    return std::make_unique<Clog2Log>(std::move(bytes), known, learn);
                  });
}

[[maybe_unused]] const bool clog2_registered = TraceFormats::instance().add(
    "clog2",
    {.help = "MPE 2, binary (.clog2): states of calls, messages; those of collectives in extended traces",
     .recognises = [](std::string_view head, const TraceInput& /*input*/) { return head.starts_with("CLOG-0"); },
     .open = open_clog2,
     .write = write_clog2,
     .ending = ".clog2",
     .place = 100});

}  // namespace
}  // namespace weft::workloads
