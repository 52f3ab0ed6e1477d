// Pattern "population": INSEE's file of distances, of which each packet draws one.
#include "workloads/traffic/pattern/by_distance.hpp"
#include "workloads/traffic/pattern/distance_files.hpp"
#include "workloads/traffic/pattern/pattern_file.hpp"

namespace weft::workloads {
namespace {

/// INSEE draws again where a distance is 0 or too far, and then shares it out over the dimensions of a torus one after
/// the other, so that some nodes at a distance are likelier than others; here they are all alike.
[[maybe_unused]] const bool population_registered = PatternRegistry::instance().add(
    "population",
    {.help = "as many links away as one of the lines of workload.population_path, any node there alike (INSEE)",
     .make =
         [](const PatternSpec& spec) {
           const std::string pattern = "population";
           const std::string text = text_of_pattern_file(spec, pattern, "population_path", "population.txt");
           return std::make_unique<ByDistance>(spec, pattern, read_population(text, spec.keys.text("population_path")),
                                               ByDistance::Weight::of_distance);
         },
     .settings = {row::path("workload.population_path",
                            "file with a distance in links on each line; each packet goes as far as one of them, drawn "
                            "anew.")}});

}  // namespace
}  // namespace weft::workloads
