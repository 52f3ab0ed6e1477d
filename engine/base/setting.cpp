// Rows of settings, and values and ranges as text.
#include "engine/base/setting.hpp"

#include <array>
#include <charconv>
#include <fmt/format.h>
#include <utility>

#include "engine/base/error.hpp"

namespace weft {

std::string Setting::table() const {
  const auto dot = key.find('.');
  return dot == std::string::npos ? std::string() : key.substr(0, dot);
}

std::string Setting::name() const {
  const auto dot = key.find('.');
  return dot == std::string::npos ? key : key.substr(dot + 1);
}

Setting Setting::because(std::string why) const {
  Setting copy = *this;
  copy.reason = std::move(why);
  return copy;
}

Setting Setting::only_with(std::string other, std::vector<std::string> values) const {
  Setting copy = *this;
  copy.conditions.push_back({std::move(other), std::move(values)});
  return copy;
}

Setting Setting::not_beside(std::string other) const {
  Setting row = *this;
  row.conditions.push_back({std::move(other), {}, true});
  return row;
}

std::string type_name(SettingType type) {
  switch (type) {
    case SettingType::integer:
      return "integer";
    case SettingType::real:
      return "real";
    case SettingType::boolean:
      return "boolean";
    case SettingType::text:
      return "text";
    case SettingType::choice:
      return "choice";
    case SettingType::integers:
      return "list of integers";
    case SettingType::ranges:
      return "ranges of integers";
  }
  throw Bug("setting type without a name");
}

namespace {

/// "least..most", open at the top where the type itself is the limit.
std::string interval_text(const std::string& least, const std::string& most, bool open, const std::string& unit) {
  std::string text = open ? least + " or more" : least == most ? least : least + ".." + most;
  if (!unit.empty()) text += " " + unit;
  return text;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result + "\"";
}

}  // namespace

std::string range_text(const Setting& setting) {
  switch (setting.type) {
    case SettingType::integer:
    case SettingType::integers: {
      const auto [least, most] = setting.whole;
      const std::string text = interval_text(std::to_string(least), std::to_string(most),
                                             most == std::numeric_limits<i64>::max(), setting.unit);
      return setting.type == SettingType::integers ? "each " + text : text;
    }
    case SettingType::ranges:
      return fmt::format("\"all\", or numbers and ranges from {} to {}, as in \"0-15,20\"", setting.whole.least,
                         setting.whole.most);
    case SettingType::real: {
      const auto [least, most] = setting.real;
      return interval_text(real_text(least), real_text(most), most == std::numeric_limits<double>::max(), setting.unit);
    }
    case SettingType::boolean:
      return "true, false";
    case SettingType::text:
      return "any text";
    case SettingType::choice:
      return fmt::format("{}", fmt::join(setting.choices, ", "));
  }
  throw Bug("setting type without a range");
}

std::string real_text(double value) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  std::string text(buffer.data(), end);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string value_text(const SettingValue& value) {
  if (const auto* whole = std::get_if<i64>(&value)) return std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&value)) return real_text(*number);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* text = std::get_if<std::string>(&value)) return quoted(*text);
  if (const auto* list = std::get_if<std::vector<i64>>(&value)) return fmt::format("[{}]", fmt::join(*list, ", "));
  return "none";
}

namespace row {

Setting integer(std::string key, std::string unit, std::optional<i64> fallback, IntegerRange range, std::string help) {
  Setting setting;
  setting.key = std::move(key);
  setting.type = SettingType::integer;
  setting.unit = std::move(unit);
  if (fallback) setting.fallback = *fallback;
  setting.whole = range;
  setting.help = std::move(help);
  return setting;
}

Setting real(std::string key, std::string unit, std::optional<double> fallback, RealRange range, std::string help) {
  Setting setting;
  setting.key = std::move(key);
  setting.type = SettingType::real;
  setting.unit = std::move(unit);
  if (fallback) setting.fallback = *fallback;
  setting.real = range;
  setting.help = std::move(help);
  return setting;
}

Setting boolean(std::string key, bool fallback, std::string help) {
  Setting setting;
  setting.key = std::move(key);
  setting.type = SettingType::boolean;
  setting.fallback = fallback;
  setting.help = std::move(help);
  return setting;
}

Setting text(std::string key, std::optional<std::string> fallback, std::string help) {
  Setting setting;
  setting.key = std::move(key);
  setting.type = SettingType::text;
  if (fallback) setting.fallback = std::move(*fallback);
  setting.help = std::move(help);
  return setting;
}

Setting path(std::string key, std::string help) {
  Setting setting = text(std::move(key), std::nullopt, std::move(help));
  setting.is_path = true;
  return setting;
}

Setting choice(std::string key, std::string fallback, std::vector<std::string> choices, std::string help) {
  Setting setting;
  setting.key = std::move(key);
  setting.type = SettingType::choice;
  setting.fallback = std::move(fallback);
  setting.choices = std::move(choices);
  setting.help = std::move(help);
  return setting;
}

Setting integers(std::string key, std::string unit, IntegerRange range, std::string help) {
  Setting setting;
  setting.key = std::move(key);
  setting.type = SettingType::integers;
  setting.unit = std::move(unit);
  setting.whole = range;
  setting.help = std::move(help);
  return setting;
}

Setting ranges(std::string key, IntegerRange range, std::string help) {
  Setting setting = text(std::move(key), std::nullopt, std::move(help));
  setting.type = SettingType::ranges;
  setting.whole = range;
  return setting;
}

}  // namespace row

}  // namespace weft
