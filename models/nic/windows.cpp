// Windows: so many cells from a node to another may be in flight, and nothing else is controlled.
#include "models/nic/congestion_scheme.hpp"

namespace weft::models::endpoint {
namespace {

class Windows final : public CongestionScheme {};

[[maybe_unused]] const bool windows_registered = CongestionRegistry::instance().add(
    "windows", {.help = "so many cells in flight from a node to another at most, as in any transport with a window: "
                        "congestion.window_cells.",
                .make = [](const CongestionContext&) { return std::make_unique<Windows>(); },
                .needs_window = true});

}  // namespace
}  // namespace weft::models::endpoint
