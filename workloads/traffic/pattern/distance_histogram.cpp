// Pattern "distance-histogram": packets go as far as was measured somewhere.
#include "workloads/traffic/pattern/by_distance.hpp"
#include "workloads/traffic/pattern/distance_files.hpp"
#include "workloads/traffic/pattern/pattern_file.hpp"

namespace weft::workloads {
namespace {

[[maybe_unused]] const bool distance_histogram_registered = PatternRegistry::instance().add(
    "distance-histogram",
    {.help = "as many links away as workload.distances_path says, any node there alike",
     .make =
         [](const PatternSpec& spec) {
           const std::string pattern = "distance-histogram";
           const std::string text = text_of_pattern_file(spec, pattern, "distances_path", "distances.txt");
           return std::make_unique<ByDistance>(spec, pattern,
                                               read_distance_histogram(text, spec.keys.text("distances_path")),
                                               ByDistance::Weight::of_distance);
         },
     .settings = {row::path("workload.distances_path",
                            "file of lines `distance weight`: how often packets go so many links. Distances that a "
                            "source has no node at leave their share to the others.")}});

}  // namespace
}  // namespace weft::workloads
