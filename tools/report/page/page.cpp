// Puts a page together; see the header.
#include "tools/report/page/page.hpp"

#include <cmath>
#include <fmt/format.h>
#include <zlib.h>

#include "engine/base/error.hpp"
#include "engine/base/text/markup.hpp"
#include "tools/report/page/assets.hpp"

namespace weft::tools::page {
namespace {

/// Lists up to this length are written as they are: people can read them in the file.
constexpr std::size_t most_plain_numbers = 4096;

std::string gzipped(const void* data, std::size_t bytes) {
  z_stream stream{};
  constexpr int window_of_gzip = 15 + 16;
  if (deflateInit2(&stream, 6, Z_DEFLATED, window_of_gzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw SystemError("cannot compress the numbers of a page (zlib has no memory)");
  std::string out;
  std::vector<unsigned char> part(std::size_t{1} << 18);
  const auto* next = static_cast<const unsigned char*>(data);
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    // zlib counts in 32 bits.
    const std::size_t some = std::min(bytes, std::size_t{1} << 30);
    stream.next_in = const_cast<unsigned char*>(next);  // NOLINT: it is not written
    stream.avail_in = static_cast<uInt>(some);
    next += some;
    bytes -= some;
    do {
      stream.next_out = part.data();
      stream.avail_out = static_cast<uInt>(part.size());
      status = deflate(&stream, bytes == 0 ? Z_FINISH : Z_NO_FLUSH);
      out.append(reinterpret_cast<const char*>(part.data()), part.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return out;
}

std::string base64(const std::string& bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    u32 group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (at + k < bytes.size() ? static_cast<unsigned char>(bytes[at + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k) out += at + k > bytes.size() ? '=' : digits[group >> (18 - 6 * k) & 63];
  }
  return out;
}

/// JSON that no text in it can end or turn into markup, whatever bytes it has.
std::string embedded(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      out += "\\u003c";
    else if (c == '>')
      out += "\\u003e";
    else if (c == '&')
      out += "\\u0026";
    else
      out += c;
  }
  return out;
}

bool ends_with(std::string_view name, std::string_view ending) { return name.ends_with(ending); }

}  // namespace

Page::Page(std::string heading) : heading_(std::move(heading)) { section("top", ""); }

void Page::lead(const std::string& text, const std::string& css_class) { lead_.emplace_back(text, css_class); }

bool Page::section_is_empty() const {
  const Json& last = sections_.back();
  return last["figures"].empty() && last["notes"].empty();
}

void Page::section(const std::string& id, const std::string& title, bool folded) {
  if (!sections_.empty() && section_is_empty()) sections_.erase(sections_.size() - 1);
  sections_.push_back(
      {{"id", id}, {"title", title}, {"folded", folded}, {"notes", Json::array()}, {"figures", Json::array()}});
}

void Page::note(const std::string& text, const std::string& css_class) {
  sections_.back()["notes"].push_back({{"text", text}, {"class", css_class}});
}

void Page::figure(Json spec) { sections_.back()["figures"].push_back(std::move(spec)); }

void Page::markup(Json spec, const std::string& html) {
  if (!spec.contains("kind")) spec["kind"] = "markup";
  spec["template"] = fmt::format("markup-{}", templates_.size());
  templates_.push_back(html);
  figure(std::move(spec));
}

u32 Page::clock(double cycle_ns, double phit_bytes) {
  const std::pair<double, double> pair{std::isfinite(cycle_ns) ? cycle_ns : 0,
                                       std::isfinite(phit_bytes) ? phit_bytes : 0};
  for (std::size_t ix = 0; ix < clocks_.size(); ++ix) {
    if (clocks_[ix] == pair) return static_cast<u32>(ix);
  }
  clocks_.push_back(pair);
  return static_cast<u32>(clocks_.size() - 1);
}

Json Page::numbers(const std::vector<double>& values) {
  if (values.size() > most_plain_numbers) return block(values);
  return Json(values);
}

Json Page::block_of(const char* type, const void* data, std::size_t values, std::size_t bytes) {
  const std::string name = fmt::format("b{}", blocks_.size());
  blocks_.push_back({name, type, base64(gzipped(data, values * bytes))});
  return {{"block", name}, {"type", type}, {"shape", Json::array({values})}};
}

void Page::write(const std::function<void(std::string_view)>& out) const {
  // Nothing from elsewhere is loaded, whatever a page holds.
  out(fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
      "style-src 'unsafe-inline'; img-src data: blob:; connect-src data: blob:\"/>\n<title>{}</title>\n",
      escaped(heading_)));
  for (const Asset& asset : assets()) {
    if (!ends_with(asset.name, ".css")) continue;
    out("<style>\n");
    out(asset.text);
    out("</style>\n");
  }
  if (!styles_.empty()) out("<style>\n" + styles_ + "</style>\n");
  out(fmt::format("</head>\n<body>\n<div class=\"top\">\n<h1>{}</h1>\n", escaped(heading_)));
  for (const auto& [text, css_class] : lead_) out(paragraph(text, css_class));
  out("<noscript>" +
      paragraph("The figures of this page are drawn by its scripts, which are switched off.", "warning") +
      "</noscript>\n</div>\n<header></header>\n<main></main>\n<footer>");
  out(paragraph(
      "Drag to zoom, double click for all; click a series to switch it off, a point to follow its series through "
      "all figures. Keys: T light or dark, U units; in a figure arrows, + and -, 0, X and Y.",
      "soft"));
  out("</footer>\n");
  Json clocks = Json::array();
  for (const auto& [cycle_ns, phit_bytes] : clocks_)
    clocks.push_back({{"cycle_ns", cycle_ns}, {"phit_bytes", phit_bytes}});
  Json sections = sections_;
  if (section_is_empty()) sections.erase(sections.size() - 1);
  out("<script type=\"application/json\" id=\"page\">");
  out(embedded({{"title", heading_}, {"clocks", clocks}, {"sections", sections}}));
  out("</script>\n");
  for (std::size_t ix = 0; ix < templates_.size(); ++ix)
    out(fmt::format("<template id=\"markup-{}\">{}</template>\n", ix, templates_[ix]));
  for (const Block& block : blocks_) {
    out(fmt::format("<script type=\"text/plain\" id=\"block-{}\" data-type=\"{}\">", block.name, block.type));
    out(block.text);
    out("</script>\n");
  }
  for (const Asset& asset : assets()) {
    if (ends_with(asset.name, "LICENSE")) {
      out("<!--\n");
      out(asset.text);
      out("-->\n");
    }
    if (!ends_with(asset.name, ".js")) continue;
    out("<script>\n");
    out(asset.text);
    out("</script>\n");
  }
  out("</body>\n</html>\n");
}

std::string Page::html() const {
  std::string all;
  write([&all](std::string_view part) { all += part; });
  return all;
}

Json cell(double value, double plus_minus, u32 clock) {
  if (!std::isfinite(value)) return nullptr;
  if (!(plus_minus > 0) && clock == 0) return value;
  Json object = {{"value", value}};
  if (plus_minus > 0 && std::isfinite(plus_minus)) object["plus_minus"] = plus_minus;
  if (clock > 0) object["clock"] = clock;
  return object;
}

}  // namespace weft::tools::page
