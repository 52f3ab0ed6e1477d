// Slices from keys, and results from slices; see the header.
#include "tools/cosim/sliced_cosimulation.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/digest_sum.hpp"
#include "tools/result/run_result.hpp"
#include "tools/run/config/config.hpp"
#include "tools/run/config/resolve.hpp"

namespace weft::tools::cosim {
namespace {

class SlicedCosimulation final : public Cosimulation {
 public:
  SlicedCosimulation(const Config& config, engine::Transport& transport, EndpointMaker make)
      : config_(config), transport_(transport), spec_(slice_spec(config)), slices_(spec_, transport, std::move(make)) {}

  [[nodiscard]] workloads::ExternalTasks& outside() override { return slices_; }

  void finish(RunResult& result) override {
    slices_.end();
    CosimResult cosim;
    cosim.endpoints_are = config_.text("cosim.endpoints");
    cosim.time_ns = slices_.now_ns();
    cosim.slice_ns = spec_.slice_ns;
    cosim.nic_latency_ns = spec_.nic_latency_ns;
    add_counts(cosim);
    cosim.endpoints = rows(cosim);
    if (transport_.rank() != 0) return;
    if (!cosim.failure.empty()) result.stop_reason = endpoint_failed;
    result.cosim = std::move(cosim);
  }

 private:
  void add_counts(CosimResult& cosim) {
    const SliceCounts& mine = slices_.counts();
    u64 sums[] = {mine.late, mine.late_ns, mine.came, mine.lost, mine.latency_ns};
    u64 longest[] = {mine.late_max_ns, mine.latency_max_ns};
    transport_.sum(sums);
    transport_.max(longest);
    cosim.slices = mine.slices;
    cosim.skipped_slices = mine.skipped;
    cosim.late_messages = sums[0];
    cosim.late_ns_mean = sums[2] > 0 ? static_cast<double>(sums[1]) / static_cast<double>(sums[2]) : 0;
    cosim.late_ns_max = longest[0];
    cosim.messages = sums[2];
    cosim.lost_messages = sums[3];
    cosim.latency_ns_mean = sums[2] > 0 ? static_cast<double>(sums[4]) / static_cast<double>(sums[2]) : 0;
    cosim.latency_ns_max = longest[1];
    cosim.payload_digest = engine::sum_of_ranks(transport_, mine.payloads).hex();
  }

  /// Rows of the endpoints of all processes, on rank 0; what failed in them goes to `cosim`.
  [[nodiscard]] std::vector<EndpointRow> rows(CosimResult& cosim) {
    engine::ByteWriter mine;
    const std::vector<EndpointReport> reports = slices_.reports();
    for (const u32 number : slices_.numbers()) {
      const EndpointCounts& counts = slices_.endpoint_counts()[number];
      mine.put(number);
      mine.put(counts);
      mine.put(reports[number].instructions);
      const EndpointReport& report = reports[number];
      for (const std::string& text : {report.name, report.said, report.failure, report.last_words})
        mine.put_list(std::vector<char>(text.begin(), text.end()));
    }
    std::vector<EndpointRow> all(slices_.endpoint_counts().size());
    std::vector<std::string> failures(all.size()), words(all.size());
    for (const std::vector<std::byte>& bytes : transport_.gather(mine.bytes())) {
      engine::ByteReader from(bytes);
      while (from.left() > 0) {
        const u32 number = from.get<u32>();
        EndpointRow& row = all[number];
        const auto counts = from.get<EndpointCounts>();
        row.instructions = from.get<u64>();
        for (std::string* const text : {&row.name, &row.said, &failures[number], &words[number]}) {
          std::vector<char> letters;
          from.get_list(letters);
          text->assign(letters.begin(), letters.end());
        }
        row.ended = counts.over;
        row.time_ns = counts.time_ns;
        row.idle_ns = counts.idle_ns;
        row.slices = counts.advances;
        row.sent_messages = counts.sent;
        row.sent_bytes = counts.sent_bytes;
        row.received_messages = counts.came;
        row.received_bytes = counts.came_bytes;
      }
    }
    for (u32 number = 0; number < all.size(); ++number) all[number].endpoint = number;
    note_failures(cosim, failures, words);
    return all;
  }

  /// [endpoint] The first is named, the others are counted.
  static void note_failures(CosimResult& cosim, const std::vector<std::string>& failures,
                            const std::vector<std::string>& words) {
    const auto first = std::ranges::find_if(failures, [](const std::string& text) { return !text.empty(); });
    if (first == failures.end()) return;
    const auto others = std::count_if(first + 1, failures.end(), [](const std::string& text) { return !text.empty(); });
    cosim.failure = *first;
    if (others > 0) cosim.failure += fmt::format(" (and so did {} of the other endpoints)", others);
    cosim.failure += "; the network was simulated to the end, but what ran on it has not done what it should";
    cosim.failure_detail = words[static_cast<std::size_t>(first - failures.begin())];
  }

  const Config& config_;
  engine::Transport& transport_;
  SliceSpec spec_;
  Slices slices_;
};

}  // namespace

std::vector<Setting> rows_of_slices() {
  return {row::integer("cosim.nic_latency_ns", "ns", 1000, {0, 1'000'000'000},
                       "latency of a NIC, from an endpoint to the network, and from the network to an endpoint."),
          row::integer(
              "cosim.slice_ns", "ns", 0, {0, 1'000'000'000'000},
              "endpoints run so long before the network follows. Up to twice cosim.nic_latency_ns no message comes "
              "late; 0: just that. Longer slices cost less; the result says how late messages came."),
          row::integer("cosim.end_ns", "ns", 0, {0, 1'000'000'000'000'000},
                       "when all is stopped; 0: when all endpoints have ended.")};
}

SliceSpec slice_spec(const Config& config) {
  SliceSpec spec;
  const TimeScale time = time_scale(config);
  if (time.cycle_ns <= 0) {
    throw ConfigError(
        "endpoints need the length of a cycle (their times are in ns); give link.rate_gbps, for example 100");
  }
  spec.cycle_ns = time.cycle_ns;
  spec.ticks_per_cycle = time.ticks_per_cycle;
  spec.nic_latency_ns = static_cast<u64>(config.integer("cosim.nic_latency_ns"));
  spec.slice_ns = static_cast<u64>(config.integer("cosim.slice_ns"));
  if (spec.slice_ns == 0) spec.slice_ns = 2 * spec.nic_latency_ns;
  if (spec.slice_ns == 0) {
    throw ConfigError(
        "cosim.slice_ns = 0 stands for twice cosim.nic_latency_ns, which is 0; give one of them, for example "
        "nic_latency_ns = 500");
  }
  if (static_cast<double>(spec.slice_ns) < spec.cycle_ns) {
    throw ConfigError(
        fmt::format("slices of {} ns are shorter than a cycle of the network, {:g} ns; use a longer "
                    "cosim.slice_ns or cosim.nic_latency_ns",
                    spec.slice_ns, spec.cycle_ns));
  }
  if (const i64 end_ns = config.integer("cosim.end_ns"); end_ns > 0) spec.end_ns = static_cast<u64>(end_ns);
  return spec;
}

std::unique_ptr<Cosimulation> sliced(const Config& config, engine::Transport& transport, EndpointMaker make) {
  return std::make_unique<SlicedCosimulation>(config, transport, std::move(make));
}

}  // namespace weft::tools::cosim
