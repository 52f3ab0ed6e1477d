// `weft trace fit`: a config whose independent sources send as the tasks of a trace did, with the files that it needs.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <string>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/setting.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/command_files.hpp"
#include "tools/cli/trace_choice.hpp"
#include "tools/cli/trace_stats_outputs.hpp"
#include "workloads/trace/edit/trace_fit.hpp"

namespace weft::tools {
namespace {

struct TraceFitOptions {
  TraceChoice trace;
  workloads::FitSpec spec;
  std::string out;
};

using Histogram = std::map<u64, u64>;

std::string histogram_text(const Histogram& histogram, const std::string& what) {
  std::string text = fmt::format("# {} weight\n", what);
  for (const auto& [value, weight] : histogram) text += fmt::format("{} {}\n", value, weight);
  return text;
}

/// As a distribution function with steps: the fraction of messages that are shorter, and not longer, than each size.
std::string sizes_text(const Histogram& sizes) {
  u64 all = 0, below = 0;
  for (const auto& [bytes, count] : sizes) all += count;
  std::string text = "# bytes fraction\n";
  for (const auto& [bytes, count] : sizes) {
    text += fmt::format("{} {}\n", bytes, static_cast<double>(below) / static_cast<double>(all));
    below += count;
    text += fmt::format("{} {}\n", bytes, static_cast<double>(below) / static_cast<double>(all));
  }
  return text;
}

double mean_of(const Histogram& histogram) {
  double sum = 0, count = 0;
  for (const auto& [value, weight] : histogram) {
    sum += static_cast<double>(value) * static_cast<double>(weight);
    count += static_cast<double>(weight);
  }
  return sum / count;
}

std::string config_text(const TraceFitOptions& options, const workloads::TraceFit& fit, const std::string& prefix) {
  const double load = static_cast<double>(options.spec.packet_phits) / mean_of(fit.gaps);
  const auto beside = [&prefix](const char* ending) { return value_text(prefix + ending); };
  std::string text = fmt::format(
      "# Independent sources fitted to {}: add a [topology].\nformat = 1\n\n[packet]\nphits = {}\nphit_bytes = {}\n",
      shown(options.trace.path), options.spec.packet_phits, options.spec.phit_bytes);
  if (options.spec.header_phits > 0) text += fmt::format("header_phits = {}\n", options.spec.header_phits);
  text += fmt::format(
      "\n[workload]\nkind = \"synthetic\"\npattern = \"matrix\"\nmatrix_path = {}\n"
      "arrivals = \"empirical\"\ngaps_path = {}\noffered_load = {}{}\n"
      "# On switches of cells, packets of the recorded lengths:\n# packet_length = \"histogram\"\n"
      "# lengths_path = {}\n# offered_load = {}\n"
      "# In place of that, messages of the recorded sizes, which start at random times (kind = \"flows\"):\n"
      "# flow_sizes = \"file\"\n# flow_sizes_path = {}\n"
      "# Or bursts of as many packets as tasks send between two waits, in the mean over packets:\n"
      "# kind = \"burst\"\n# burst_packets = {}\n",
      beside("-matrix.csv"), beside("-gaps.txt"), std::min(load, 1.0),
      load > 1 ? fmt::format("  # recorded: {}, more than a link carries; gaps are made longer", load) : "",
      beside("-lengths.txt"), std::min(1.0, mean_of(fit.lengths) / mean_of(fit.gaps)), beside("-sizes.txt"),
      std::llround(workloads::burst_packets(fit)));
  return text;
}

/// Writes the config and what it reads.
void fit_trace(const TraceFitOptions& options) {
  const std::filesystem::path out(options.out);
  if (out.extension() != ".toml")
    throw ConfigError(fmt::format("'{}' is no config; end it with .toml", shown(options.out)));
  if (options.spec.header_phits >= options.spec.packet_phits) {
    throw ConfigError(fmt::format("--header-phits {} leaves nothing of a packet of {} phits; use {} or less",
                                  options.spec.header_phits, options.spec.packet_phits, options.spec.packet_phits - 1));
  }
  const std::string prefix = out.stem().string();
  const auto beside = [&out, &prefix](const std::string& ending) {
    return (out.parent_path() / (prefix + ending)).string();
  };
  files::CommandFiles files;
  reads_trace(files, options.trace);
  files.writes("--out", options.out);
  for (const char* const ending : {"-matrix.csv", "-gaps.txt", "-lengths.txt", "-sizes.txt"})
    files.writes("--out", beside(ending));
  const workloads::TraceInput input = workloads::find_trace(options.trace.path);
  workloads::StoreChoice choice = store_choice(options.trace);
  choice.format = workloads::find_trace_format(input, choice.format);
  if (!workloads::TraceFormats::instance().find(choice.format)->open) {
    throw ConfigError(fmt::format(
        "'{}' is a program of graphs, which has no times at which its tasks send; convert it, or take another trace",
        shown(options.trace.path)));
  }
  const auto store = workloads::store_of(input, choice);
  const workloads::TraceFit fit = workloads::fit_of(store, options.spec);
  if (fit.gaps.empty()) {
    throw ConfigError(fmt::format(
        "'{}' has no task that sends two messages (of {} in all), so no times between them; take a longer trace",
        shown(options.trace.path), fit.messages));
  }
  const StatsReport report{options.trace.path, workloads::stats_of(store), {}};
  write_pairs(report, beside("-matrix.csv"));
  files::write_file_atomically(beside("-gaps.txt"), histogram_text(fit.gaps, "cycles"));
  files::write_file_atomically(beside("-lengths.txt"), histogram_text(fit.lengths, "phits"));
  files::write_file_atomically(beside("-sizes.txt"), sizes_text(fit.sizes));
  files::write_file_atomically(options.out, config_text(options, fit, prefix));
  files::print(fmt::format(
      "wrote {}: {} of {} tasks send {} messages, {} packets; mean gap {:.6g} cycles, mean packet {:.6g} phits{}\n",
      options.out, fit.senders, fit.tasks, fit.messages, fit.packets, mean_of(fit.gaps), mean_of(fit.lengths),
      fit.has_times ? "" : "; the trace has no times: gaps are what tasks compute"));
}

void add_trace_fit(CLI::App& trace, Command& chosen) {
  const auto options = std::make_shared<TraceFitOptions>();
  CLI::App* command = trace.add_subcommand(
      "fit", "a config whose independent sources send as the tasks of a trace did: destinations, gaps, lengths");
  add_trace_choice(*command, options->trace);
  command->add_option("-o,--out", options->out, "the config; files of histograms go beside it")
      ->type_name("NAME.toml")
      ->required();
  command->add_option("--phits", options->spec.packet_phits, "phits of a packet")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  command->add_option("--header-phits", options->spec.header_phits, "of them without data")
      ->check(CLI::Range(0, 1 << 20))
      ->capture_default_str();
  command->add_option("--phit-bytes", options->spec.phit_bytes, "bytes of a phit")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  command->add_option("--cycle-ns", options->spec.cycle_ns, "length of a cycle")
      ->check(CLI::Range(1e-6, 1e12))
      ->capture_default_str();
  command->footer("Examples:\n  weft trace fit examples/traces/is.S.16.trc.xz --out is.toml --cycle-ns 3.2");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { fit_trace(*options); }); });
}

[[maybe_unused]] const bool trace_fit_registered =
    CommandRegistry::instance().add("trace fit", {.place = 85, .add = add_trace_fit});

}  // namespace
}  // namespace weft::tools
