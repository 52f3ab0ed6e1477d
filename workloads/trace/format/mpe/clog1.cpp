// CLOG-1 as a format of traces.
#include "workloads/trace/format/mpe/clog1_log.hpp"

namespace weft::workloads {
namespace {

std::unique_ptr<TraceSource> open_clog1(const TraceInput& input) {
  return open_mpe(input, MpeNumbering::from_one,
                  [](std::unique_ptr<ByteSource> bytes, const MpeDefinitions& known, MpeDefinitions* learn) {
                    return std::make_unique<Clog1Log>(std::move(bytes), known, learn);
                  });
}

[[maybe_unused]] const bool clog1_registered = TraceFormats::instance().add(
    "clog1", {.help = "MPE 1, binary (.clog): states of calls, messages; those of collectives in extended traces",
              .recognises = [](std::string_view head, const TraceInput& /*input*/) { return looks_like_clog1(head); },
              .open = open_clog1,
              .place = 400});

}  // namespace
}  // namespace weft::workloads
