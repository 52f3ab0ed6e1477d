// Text inside HTML, SVG and other XML; see the header.
#include "engine/base/text/markup.hpp"

#include <fmt/format.h>

namespace weft {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto value = static_cast<unsigned char>(c);
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else if ((value < 0x20 && c != '\n' && c != '\t') || value == 0x7F)
      out += '?';
    else
      out += c;
  }
  return out;
}

std::string paragraph(const std::string& text, const std::string& css_class) {
  return fmt::format("<p class=\"{}\">{}</p>\n", css_class, escaped(text));
}

}  // namespace weft
