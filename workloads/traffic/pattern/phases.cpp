// Pattern "phases": another pattern in each phase of the traffic.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/words.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::workloads {
namespace {

/// Non-static loads "in which each high phase uses a different pattern" (Ridruejo, Navaridas, Miguel-Alonso and Izu:
/// Realistic evaluation of interconnection network performance at high loads, PDCAT 2007, section 2). Which phase a
/// packet belongs to says the law of arrivals; phase n has pattern n of the list, which begins again at its end.
class Phases final : public Pattern {
 public:
  explicit Phases(const PatternSpec& spec) {
    const std::string list = spec.keys.text("phase_patterns");
    for (const std::string& name : listed_names(list)) {
      if (name == "phases")
        throw ConfigError("workload.phase_patterns has \"phases\" itself (no pattern lies in itself); name others");
      of_phase_.push_back(make_pattern(name, spec));
    }
    if (of_phase_.empty()) {
      throw ConfigError("workload.phase_patterns names no pattern; write for example \"uniform, tornado\"");
    }
    if (of_phase_.size() > 1 && spec.keys.has("arrivals") && spec.keys.text("arrivals") != "phases") {
      throw ConfigError(
          fmt::format("workload.phase_patterns = \"{}\" never changes (phases are those of workload.arrivals = "
                      "\"phases\"); add it with phase_cycles and phase_levels, or use one pattern",
                      list));
    }
  }
  NodeId destination(NodeId source, const PacketDraw& packet) const override {
    return of_phase_[packet.phase % of_phase_.size()]->destination(source, packet);
  }
  bool sends(NodeId source) const override {
    for (const auto& pattern : of_phase_) {
      if (pattern->sends(source)) return true;
    }
    return false;
  }

 private:
  std::vector<std::unique_ptr<Pattern>> of_phase_;
};

const bool phases_pattern_registered = PatternRegistry::instance().add(
    "phases",
    {.help = "in phase n of workload.arrivals = \"phases\" as pattern n of workload.phase_patterns",
     .make = [](const PatternSpec& spec) { return std::make_unique<Phases>(spec); },
     .settings = {row::text("workload.phase_patterns", "uniform",
                            "patterns of the phases, \"uniform, tornado\", each with the defaults of its keys.")}});

}  // namespace
}  // namespace weft::workloads
