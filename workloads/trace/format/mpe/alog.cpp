// ALOG as a format of traces.
#include "workloads/trace/format/mpe/alog_log.hpp"
#include "workloads/trace/format/mpe/mpe_writer.hpp"

namespace weft::workloads {
namespace {

std::unique_ptr<TraceSource> open_alog(const TraceInput& input) {
  return open_mpe(input, MpeNumbering::none,
                  [](std::unique_ptr<ByteSource> bytes, const MpeDefinitions& known, MpeDefinitions* learn) {
                    return std::make_unique<AlogLog>(std::move(bytes), known, learn);
                  });
}

[[maybe_unused]] const bool alog_registered = TraceFormats::instance().add(
    "alog", {.help = "MPE, text (.alog): states of calls, messages; those of collectives in extended traces",
             .recognises = [](std::string_view head, const TraceInput& /*input*/) { return looks_like_alog(head); },
             .open = open_alog,
             .write = write_alog,
             .ending = ".alog",
             .place = 800});

}  // namespace
}  // namespace weft::workloads
