// Checks of type and range; the messages say what to write instead.
#include "tools/run/config/convert.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <sstream>

#include "engine/base/error.hpp"
#include "engine/base/text/number_ranges.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/run/config/check/suggest.hpp"

namespace weft::tools {

namespace {

/// No more is taken of texts than a path can have.
constexpr std::size_t most_text_bytes = 4095;

/// The value as the file has it, on one line and cut to what can be read.
std::string node_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return shown(value_text(text->get()));
  if (const auto* number = node.as_floating_point()) return real_text(number->get());
  std::ostringstream text;
  node.visit([&text](const auto& value) { text << value; });
  std::string line = text.str();
  std::replace(line.begin(), line.end(), '\n', ' ');
  return shown(line);
}

std::string node_type_text(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a real number";
    case toml::node_type::boolean:
      return "a boolean";
    case toml::node_type::string:
      return "text";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::table:
      return "a table";
    default:
      return "a date or time";
  }
}

std::string wanted_text(const Setting& setting) {
  switch (setting.type) {
    case SettingType::integer:
      return "an integer, " + range_text(setting);
    case SettingType::real:
      return "a number, " + range_text(setting);
    case SettingType::boolean:
      return "true or false";
    case SettingType::text:
      return "text in quotes";
    case SettingType::choice:
      return "one of " + range_text(setting);
    case SettingType::integers:
      return "an integer or a list of them, " + range_text(setting);
    case SettingType::ranges:
      return range_text(setting);
  }
  throw Bug("setting type without a description");
}

bool is_number(const Setting& setting) {
  return setting.type == SettingType::integer || setting.type == SettingType::real;
}

/// For text such as "30%" or "100 ns" where a number is wanted: what number to write.
std::string text_for_number_advice(const Setting& setting, const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(number)) return "write a number without quotes";
  std::string rest(end);
  rest.erase(0, rest.find_first_not_of(' '));
  if (rest == "%") return fmt::format("write {} (ratios are 0..1, never percent)", real_text(number / 100));
  const std::string bare = number == std::floor(number) && std::abs(number) < 1e15
                               ? std::to_string(static_cast<i64>(number))
                               : real_text(number);
  if (rest.empty()) return fmt::format("write {} without quotes", bare);
  return fmt::format("write a bare number{}, without the unit \"{}\"",
                     setting.unit.empty() ? "" : " in " + setting.unit, shown(rest));
}

/// What to write instead of a value of the wrong type.
std::string type_advice(const Setting& setting, const toml::node& node) {
  if (const auto* text = node.as_string(); text != nullptr && is_number(setting)) {
    return text_for_number_advice(setting, text->get());
  }
  if (const auto* number = node.as_floating_point(); number != nullptr && setting.type == SettingType::integer) {
    if (std::isfinite(number->get()) && std::abs(number->get()) < 1e18) {
      const i64 whole = static_cast<i64>(std::llround(number->get()));
      return fmt::format("write {}", std::clamp(whole, setting.whole.least, setting.whole.most));
    }
  }
  if (const auto* list = node.as_array(); list != nullptr && is_number(setting)) {
    const auto* first = list->empty() ? nullptr : list->get(0);
    const bool holds_number = first != nullptr && first->is_number();
    return fmt::format("write one number{} (weft sweep runs several, as an axis)",
                       holds_number ? ", as " + node_text(*first) : "");
  }
  if (setting.type == SettingType::boolean) return "write true or false without quotes";
  if (setting.type == SettingType::integers) return "write a list such as [8, 8]";
  if (setting.type == SettingType::ranges) return "write a text such as \"0-15,20\", or a list";
  if (setting.type == SettingType::text && !node.is_table() && !node.is_array()) {
    return "write " + value_text(node_text(node));
  }
  if (setting.type == SettingType::choice) return "write " + value_text(setting.choices.front());
  return "write " +
         (std::holds_alternative<std::monostate>(setting.fallback) ? "a single value" : value_text(setting.fallback));
}

[[noreturn]] void fail_type(const Setting& setting, const toml::node& node, const std::string& place) {
  throw ConfigError(fmt::format("{}: {} = {} is {} (wanted {}); {}", place, setting.key, node_text(node),
                                node_type_text(node), wanted_text(setting), type_advice(setting, node)));
}

[[noreturn]] void fail_range(const Setting& setting, const std::string& value, const std::string& nearest_valid,
                             const std::string& place, const std::string& hint = {}) {
  const std::string why = setting.reason.empty() ? "" : ": " + setting.reason;
  throw ConfigError(fmt::format("{}: {} = {} is out of range ({}{}); the nearest valid value is {}{}", place,
                                setting.key, value, range_text(setting), why, nearest_valid, hint));
}

i64 checked_integer(const Setting& setting, i64 value, const std::string& place) {
  const auto [least, most] = setting.whole;
  if (value < least || value > most) {
    fail_range(setting, std::to_string(value), std::to_string(std::clamp(value, least, most)), place);
  }
  return value;
}

double checked_real(const Setting& setting, double value, const std::string& place) {
  const auto [least, most] = setting.real;
  if (!std::isfinite(value)) {
    throw ConfigError(fmt::format("{}: {} = {} is not a finite number (wanted {}); write a number such as {}", place,
                                  setting.key, real_text(value), range_text(setting), value_text(setting.fallback)));
  }
  if (value < least || value > most) {
    const bool percent = most == 1.0 && value > 1.0 && value <= 100.0;
    fail_range(setting, real_text(value), real_text(std::clamp(value, least, most)), place,
               percent ? fmt::format(", or {} if {} is in percent", real_text(value / 100), real_text(value)) : "");
  }
  return value;
}

std::vector<i64> checked_integers(const Setting& setting, const toml::node& node, const std::string& place) {
  if (const auto* whole = node.as_integer()) return {checked_integer(setting, whole->get(), place)};
  const toml::array* array = node.as_array();
  if (array == nullptr) fail_type(setting, node, place);
  std::vector<i64> values;
  for (const toml::node& element : *array) {
    const auto* whole = element.as_integer();
    if (whole == nullptr) fail_type(setting, node, place);
    values.push_back(checked_integer(setting, whole->get(), place));
  }
  if (values.empty()) {
    throw ConfigError(fmt::format("{}: {} = [] is empty (wanted {}); write a list such as [8, 8]", place, setting.key,
                                  wanted_text(setting)));
  }
  return values;
}

/// As text: what is written as a list is one, with commas.
std::string checked_ranges(const Setting& setting, const toml::node& node, const std::string& place) {
  std::string text;
  const auto add = [&](const toml::node& one) {
    text += text.empty() ? "" : ",";
    if (const auto* whole = one.as_integer()) {
      text += std::to_string(whole->get());
    } else if (const auto* words = one.as_string()) {
      text += words->get();
    } else {
      fail_type(setting, node, place);
    }
  };
  if (const auto* array = node.as_array()) {
    for (const toml::node& one : *array) add(one);
  } else {
    add(node);
  }
  if (!parse_number_ranges(text, static_cast<u64>(setting.whole.most))) {
    throw ConfigError(fmt::format("{}: {} = \"{}\" is no list (wanted {}); write one such as \"0-15,20\"", place,
                                  setting.key, shown(text), range_text(setting)));
  }
  return text;
}

/// Texts name things and files.
std::string checked_text(const Setting& setting, const std::string& text, const std::string& place) {
  if (text.size() > most_text_bytes) {
    throw ConfigError(fmt::format("{}: {} = \"{}\" is too long ({} bytes, at most {}); write a shorter one", place,
                                  setting.key, shown(text, 40), text.size(), most_text_bytes));
  }
  if (text.find('\0') != std::string::npos) {
    throw ConfigError(
        fmt::format("{}: {} = \"{}\" holds a NUL character (no name can); remove it", place, setting.key, shown(text)));
  }
  if (!is_utf8(text)) {
    throw ConfigError(fmt::format("{}: {} = \"{}\" is no UTF-8 (results hold it as text); rename what it names", place,
                                  setting.key, shown(text)));
  }
  return text;
}

std::string checked_choice(const Setting& setting, const std::string& word, const std::string& place) {
  if (std::ranges::find(setting.choices, word) != setting.choices.end()) return word;
  throw ConfigError(fmt::format("{}: {} = {} is not known (one of {}); {}", place, setting.key, shown(value_text(word)),
                                range_text(setting), word_suggestion(word, setting.choices)));
}

}  // namespace

SettingValue converted(const Setting& setting, const toml::node& node, const std::string& place) {
  switch (setting.type) {
    case SettingType::integer:
      if (const auto* whole = node.as_integer()) return checked_integer(setting, whole->get(), place);
      break;
    case SettingType::real:
      if (const auto* number = node.as_floating_point()) return checked_real(setting, number->get(), place);
      if (const auto* whole = node.as_integer()) {
        return checked_real(setting, static_cast<double>(whole->get()), place);
      }
      break;
    case SettingType::boolean:
      if (const auto* flag = node.as_boolean()) return flag->get();
      break;
    case SettingType::text:
      if (const auto* text = node.as_string()) return checked_text(setting, text->get(), place);
      break;
    case SettingType::choice:
      if (const auto* text = node.as_string()) return checked_choice(setting, text->get(), place);
      break;
    case SettingType::integers:
      return checked_integers(setting, node, place);
    case SettingType::ranges:
      return checked_ranges(setting, node, place);
  }
  fail_type(setting, node, place);
}

}  // namespace weft::tools
