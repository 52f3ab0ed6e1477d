// Instantiation of the loop that all plain routers share with workloads of tasks.
#include "models/router/mask_words.hpp"
#include "models/router/plain.hpp"
#include "tools/simulate/tasks.hpp"

namespace weft::tools {

void run_plain_tasks(Context& context) {
  models::with_mask_words<models::PlainWords>(
      models::most_channels(*context.topology, context.router.virtual_channels),
      [&]<unsigned Words>() { run_tasks<models::PlainPolicy<Words>>(context); });
}

}  // namespace weft::tools
