// Text inside HTML, SVG and other XML.
#pragma once

#include <string>

namespace weft {

/// Text made safe inside elements and attributes; control characters that XML forbids become '?'.
[[nodiscard]] std::string escaped(const std::string& text);

/// <p class="CSS_CLASS"> around plain text, and a line break.
[[nodiscard]] std::string paragraph(const std::string& text, const std::string& css_class);

}  // namespace weft
