// Any bytes as a file of a pattern: a traffic matrix, a histogram of distances, a population of them.
#include <cmath>
#include <string>

#include "engine/base/error.hpp"
#include "workloads/traffic/pattern/distance_files.hpp"
#include "workloads/traffic/pattern/matrix_file.hpp"

namespace {

template <class Read>
void read_or_refuse(Read&& read) {
  try {
    read();
  } catch (const weft::InputError&) {
  }
}

void check_weights(const std::vector<double>& weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  WEFT_ASSERT(std::isfinite(sum) && sum > 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  const std::string text(data, data + bytes);
  read_or_refuse([&] { check_weights(weft::workloads::read_distance_histogram(text, "fuzz")); });
  read_or_refuse([&] { check_weights(weft::workloads::read_population(text, "fuzz")); });
  for (const weft::u32 nodes : {2U, 3U, 5U}) {
    read_or_refuse([&] {
      const weft::workloads::TrafficMatrix matrix = weft::workloads::read_traffic_matrix(text, "fuzz", nodes);
      WEFT_ASSERT(matrix.first.size() == nodes + 1 && matrix.first.back() == matrix.to.size());
      for (const weft::u32 to : matrix.to) WEFT_ASSERT(to < nodes);
      check_weights(matrix.weight);
    });
  }
  return 0;
}
