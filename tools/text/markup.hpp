// Text inside HTML, SVG and other XML.
#pragma once

#include <string>

namespace weft::tools {

/// Text made safe inside elements and attributes; control characters that XML forbids become '?'.
[[nodiscard]] std::string escaped(const std::string& text);

/// The beginning of a page up to and including <body>: `title` is plain text, `style` a style sheet.
[[nodiscard]] std::string page_begin(const std::string& title, const std::string& style);
/// What closes it.
[[nodiscard]] std::string page_end();

/// <p class="CSS_CLASS"> around plain text, and a line break.
[[nodiscard]] std::string paragraph(const std::string& text, const std::string& css_class);

}  // namespace weft::tools
