// A fabric as a picture: switches by levels, or on a ring where it is no tree, and the links between them coloured by
// their load.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/subnet/routes.hpp"
#include "models/subnet/subnet.hpp"

namespace weft::tools {

/// Style of the drawing, to go behind that of the page.
extern const char* const drawing_style;

struct FabricDrawing {
  std::string svg;                        ///< an <svg> element
  std::string legend;                     ///< HTML
  std::string left_out;                   ///< what is not drawn, as a sentence; empty: nothing
  std::set<std::pair<u32, u32>> anchors;  ///< pairs of switches whose link has an id, the smaller number first
};

/// Mean number of routes over the channels between switches that have some; 0 if none has.
[[nodiscard]] double mean_load(const models::Subnet& subnet, const models::RouteSurvey& survey);

/// The id of the link between two switches.
[[nodiscard]] std::string link_id(std::pair<u32, u32> switches);

/// Cables side by side are one line. `worst`: channels that are marked. At most some hundreds of switches are drawn,
/// those with the most loaded links; so a page stays small however large the fabric is.
[[nodiscard]] FabricDrawing draw_fabric(const models::Subnet& subnet, const models::RouteSurvey& survey,
                                        const std::vector<u32>& worst);

/// Whether text comes before other text as people order names: numbers in them by their value.
[[nodiscard]] bool natural_less(const std::string& a, const std::string& b);

}  // namespace weft::tools
