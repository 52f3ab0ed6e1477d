// Draws requests.
#include <cmath>

#include "engine/random.hpp"
#include "workloads/generator/inference/inference.hpp"

namespace weft::workloads {

std::vector<InferenceRequest> draw_requests(const RequestLaw& law) {
  constexpr double second_ns = 1e9;
  enum : u32 { of_gap, of_prompt, of_output };
  std::vector<InferenceRequest> requests(law.requests);
  double now = 0;
  for (u32 k = 0; k < law.requests; ++k) {
    const auto draw = [&](u32 what) { return engine::random_bits(law.seed, what, k, engine::Use::kernel); };
    const auto between = [&](u32 what, u32 least, u32 most) {
      return least + engine::scale_to(draw(what), most - least + 1);
    };
    if (law.each_second > 0) now -= std::log(engine::to_unit(draw(of_gap))) * second_ns / law.each_second;
    requests[k] = {static_cast<u64>(now), between(of_prompt, law.least_prompt, law.most_prompt),
                   between(of_output, law.least_output, law.most_output)};
  }
  return requests;
}

}  // namespace weft::workloads
