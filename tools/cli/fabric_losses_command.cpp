// `weft fabric what-if --each-link` and `--each-switch`: the losses of a fabric ranked, on any number of ranks.
#include <nlohmann/json.hpp>

#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "models/subnet/distances.hpp"
#include "tools/cli/fabric_choice.hpp"
#include "tools/cli/fabric_page_commands.hpp"
#include "tools/fabric/loss_outputs.hpp"

namespace weft::tools {

std::string what_if_engine(const FabricWhatIfOptions& options, const models::Subnet& subnet) {
  return !options.engine.empty() ? options.engine : models::fabric_levels(subnet).level.empty() ? "minhop" : "updn";
}

void rank_fabric_losses(const FabricWhatIfOptions& options, engine::Transport& transport) {
  const bool first = transport.rank() == 0;
  if (first) {
    files::CommandFiles files;
    reads_fabric(files, options.fabric);
    files.writes("--out", options.out, files::page_format());
    files.writes("--csv", options.csv, files::csv_format());
    files.writes("--json", options.json, files::json_format(), files::Streams::allowed);
  }
  const Fabric fabric = load_choice(options.fabric).fabric;
  const LossChoice choice{.each = options.each_link ? EachOf::link : EachOf::of_switch,
                          .engine = what_if_engine(options, fabric.subnet),
                          .order = options.by == "bisect" ? LossOrder::bisection : LossOrder::all_to_all,
                          .patterns = options.count,
                          .seed = options.seed};
  Progress progress(first ? progress_mode(options.progress) : Progress::Mode::never);
  const LossRanking ranking = rank_losses(fabric.subnet, choice, transport, progress);
  if (!first) return;
  const LossReport report{fabric, ranking, choice, options.top == 0 ? UINT64_MAX : options.top};
  if (!options.out.empty()) {
    const models::FabricRouting whole = models::route_subnet(fabric.subnet, choice.engine);
    files::write_file_atomically(options.out, loss_page(report, whole.tables));
  }
  if (!options.csv.empty()) files::write_file_atomically(options.csv, csv_of(report));
  write_answer(options.json, json_of(report), text_of(report));
}

}  // namespace weft::tools
