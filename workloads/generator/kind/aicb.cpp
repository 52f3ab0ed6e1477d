// Kind "aicb": a workload of SimAI, as AICB writes it for ASTRA-sim.
#include "workloads/generator/accelerator/aicb.hpp"

#include "workloads/generator/kind/workload_kind.hpp"

namespace weft::workloads {
namespace {

std::unique_ptr<Program> aicb_of(const WorkloadSpec& from) {
  const std::string path = from.keys.text("path");
  AicbModel model = read_aicb_file(path);
  check_longest_message(model.longest_message(), from.limits);
  return make_aicb(std::move(model), path.substr(path.find_last_of('/') + 1), count_or(from.keys, "repetitions", 1));
}

[[maybe_unused]] const bool aicb_registered = WorkloadRegistry::instance().add(
    "aicb", {.help = "those of a training step in a file of AICB, as SimAI and ASTRA-sim read it",
             .place = 6,
             .settings = {row::path("workload.path", "the file, relative to the config file or absolute."),
                          row::real("workload.cpu_scale", "", 1.0, {0.0, 1e9},
                                    "recorded computing time is multiplied by this; 0 = computing takes no time."),
                          row_of::repetitions("passes, forward and backward; 0 = one.")},
             .check =
                 [](const Parameters& keys) {
                   return unless_given(keys, "path", "a file of AICB", "path = \"traces/aicb/moe-16.txt\"");
                 },
             .make = aicb_of,
             .has_lanes = true});

}  // namespace
}  // namespace weft::workloads
