// The schedulers that machines have built in, for those who list and check them.
#include "models/arbiter/scheduler.hpp"

namespace weft::models {
namespace {

bool add(const std::string& name, const std::string& help, std::vector<std::string> machines) {
  return arbiter::SchedulerRegistry::instance().add(name, {.help = help, .machines = std::move(machines)});
}

[[maybe_unused]] const bool built_in_schedulers =
    add("islip", "round robin by pointers that move when a grant is accepted (McKeown 1999).",
        {"switch", "wormhole"}) &&
    add("age", "the packet generated earliest first.", {"switch", "wormhole"}) &&
    add("random", "a random draw among the requests (parallel iterative matching).", {"switch", "wormhole"}) &&
    add("vl-arbitration", "virtual lanes by weights, as InfiniBand has it.", {"infiniband"});

}  // namespace
}  // namespace weft::models
