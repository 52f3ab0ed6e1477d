// A fabric as a picture: switches by levels, or on a ring where it is no tree, and the links between them coloured by
// what they carry, or by what their loss would cost.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/subnet/routes.hpp"
#include "models/subnet/subnet.hpp"

namespace weft::tools {

/// Style of the drawing, to go behind that of the page.
extern const char* const drawing_style;

/// What links, or switches, are coloured by: values in six classes, and the words for them.
struct DrawingColours {
  std::vector<double> values;                              ///< [channel of a switch]; 0 and below: drawn as idle
  std::vector<u32> marked;                                 ///< channels that are drawn thick
  std::vector<double> ends;                                ///< upper ends of the classes but the last; five
  std::string heading;                                     ///< of the legend: what is coloured by what
  std::string idle = "none";                               ///< what 0 is called
  std::function<std::string(double)> value_words;          ///< an end in the legend
  std::function<std::string(u32 channel)> link_words;      ///< of a channel, behind its name
  std::string remark;                                      ///< behind the legend's classes
  std::string chosen_by = "those that are loaded most";    ///< which are drawn of too many
  std::vector<double> switch_values;                       ///< [switch]; empty: switches are not coloured
  std::function<std::string(u32 at_switch)> switch_words;  ///< of a switch, behind its name and ports
};

struct FabricDrawing {
  std::string svg;                        ///< an <svg> element; switches, hosts and links carry their numbers
  std::string legend;                     ///< HTML
  std::string left_out;                   ///< what is not drawn, as a sentence; empty: nothing
  std::set<std::pair<u32, u32>> anchors;  ///< pairs of switches whose link has an id, the smaller number first
};

/// The id of the link between two switches.
[[nodiscard]] std::string link_id(std::pair<u32, u32> switches);

/// Links by the routes on them against their mean.
[[nodiscard]] DrawingColours colours_by_routes(const models::Subnet& subnet, const models::RouteSurvey& survey,
                                               const std::vector<u32>& worst);

/// Cables side by side are one line, coloured by the one with the highest value. At most some hundreds of switches are
/// drawn, those with the highest values; so a page stays small however large the fabric is.
[[nodiscard]] FabricDrawing draw_fabric(const models::Subnet& subnet, const DrawingColours& colours);

}  // namespace weft::tools
