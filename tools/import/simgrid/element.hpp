// An element of an XML file, whose attributes are noted as they are asked for, with their line.
#pragma once

#include <fmt/format.h>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/import/simgrid/quantities.hpp"

namespace weft::tools::simgrid {

class Element {
 public:
  /// `name`: as the table of options has it.
  Element(pugi::xml_node node, std::string name, std::string place)
      : node_(node), name_(std::move(name)), place_(std::move(place)) {}

  [[nodiscard]] const std::string& place() const { return place_; }
  [[nodiscard]] bool has(const char* attribute) const { return !node_.attribute(attribute).empty(); }
  [[nodiscard]] std::string text(const char* attribute) const { return node_.attribute(attribute).value(); }
  [[nodiscard]] std::string needed(const char* attribute) const {
    if (text(attribute).empty()) fail(fmt::format("has no {}; add it", attribute));
    return text(attribute);
  }
  [[nodiscard]] double bandwidth(const char* attribute) const {
    return quantity(attribute, simgrid::bandwidth, "bandwidth; write for example 125MBps");
  }
  [[nodiscard]] double duration(const char* attribute) const {
    return quantity(attribute, simgrid::duration, "duration; write for example 50us");
  }
  [[nodiscard]] double speed(const char* attribute) const {
    return quantity(attribute, simgrid::speed, "speed; write for example 1Gf");
  }
  /// 1 where it is not given.
  [[nodiscard]] i64 count(const char* attribute) const {
    constexpr i64 most = 1 << 20;
    if (!has(attribute)) return 1;
    const auto number = parsed<i64>(text(attribute));
    if (!number || *number < 1 || *number > most)
      fail(fmt::format("{} = \"{}\" is no number from 1 to {}; correct it", attribute, shown(text(attribute)), most));
    return *number;
  }
  [[noreturn]] void fail(const std::string& problem) const {
    throw ConfigError(fmt::format("{}: <{}> {}", place_, name_, problem));
  }

 private:
  double quantity(const char* attribute, std::optional<double> (*read)(std::string_view), const char* what) const {
    if (!has(attribute)) return 0;
    const std::optional<double> value = read(text(attribute));
    if (!value) fail(fmt::format("{} = \"{}\" is no {}", attribute, shown(text(attribute)), what));
    return *value;
  }

  pugi::xml_node node_;
  std::string name_, place_;
};

}  // namespace weft::tools::simgrid
