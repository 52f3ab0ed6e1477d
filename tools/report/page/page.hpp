// A page that people explore: sections with figures, each drawn in the browser from a JSON specification, in one file
// that loads nothing. Kinds of figures are scripts of this folder; what they ask for is said at their beginning.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/types.hpp"

namespace weft::tools::page {

/// Objects whose keys stay in the order in which they were added.
using Json = nlohmann::ordered_json;

class Page {
 public:
  /// `heading` stands on top of the page, and in the title of its window.
  explicit Page(std::string heading);

  /// A sentence below the heading; "warning" and "soft" are classes of the style sheet.
  void lead(const std::string& text, const std::string& css_class = "lead");
  /// What figures and notes from now on belong to. A folded one is opened by a click.
  void section(const std::string& id, const std::string& title, bool folded = false);
  void note(const std::string& text, const std::string& css_class = "soft");
  /// `spec`: {"kind", "title", "caption", ...}. Not-a-number is null in it.
  void figure(Json spec);
  /// A figure of the kind "markup", or of another that the spec names and that takes HTML along, which the caller has
  /// escaped. Its ids stay those of the page.
  void markup(Json spec, const std::string& html);
  /// Rules behind those of the page, for markup.
  void style(const std::string& css) { styles_ += css; }

  /// The lengths of a cycle and of a phit by which units are switched; 0: it has none. The number of that pair, for
  /// "clock" of a figure or a series. Equal pairs have one number.
  u32 clock(double cycle_ns, double phit_bytes);

  /// A list of numbers for a specification: as it is, or many of them as a block: gzip, base64, of this type.
  [[nodiscard]] Json numbers(const std::vector<double>& values);
  [[nodiscard]] Json block(const std::vector<float>& values) {
    return block_of("f32", values.data(), values.size(), 4);
  }
  [[nodiscard]] Json block(const std::vector<double>& values) {
    return block_of("f64", values.data(), values.size(), 8);
  }
  [[nodiscard]] Json block(const std::vector<u32>& values) { return block_of("u32", values.data(), values.size(), 4); }
  [[nodiscard]] Json block(const std::vector<u16>& values) { return block_of("u16", values.data(), values.size(), 2); }
  [[nodiscard]] Json block(const std::vector<u8>& values) { return block_of("u8", values.data(), values.size(), 1); }

  /// Whether anything is in the section that was begun last.
  [[nodiscard]] bool section_is_empty() const;

  /// The whole file in pieces: HTML in UTF-8.
  void write(const std::function<void(std::string_view)>& out) const;
  [[nodiscard]] std::string html() const;

 private:
  struct Block {
    std::string name, type, text;
  };
  Json block_of(const char* type, const void* data, std::size_t values, std::size_t bytes);

  std::string heading_;
  std::vector<std::pair<std::string, std::string>> lead_;  ///< text, class
  Json sections_ = Json::array();
  std::vector<std::pair<double, double>> clocks_;
  std::vector<Block> blocks_;
  std::vector<std::string> templates_;
  std::string styles_;
};

/// A cell of a table: a value with half of its 95 % confidence interval, or null if it is not a number.
[[nodiscard]] Json cell(double value, double plus_minus = 0, u32 clock = 0);

}  // namespace weft::tools::page
