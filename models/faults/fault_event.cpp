// What parts are called.
#include "models/faults/fault_event.hpp"

#include <fmt/format.h>

namespace weft::models {

std::string part_name(const FaultEvent& event) {
  switch (event.part) {
    case FaultEvent::Part::link:
      return fmt::format("link r{}:{}", event.id, event.port);
    case FaultEvent::Part::router:
      return fmt::format("router {}", event.id);
    case FaultEvent::Part::node:
      break;
  }
  return fmt::format("node {}", event.id);
}

}  // namespace weft::models
