// What may be done with values; see the header.
#include "tests/text_cases/values.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <set>

namespace weft::text_cases {
namespace {

std::string shown(const Value& value) { return value.dump(-1, ' ', false, Value::error_handler_t::replace); }

/// The one list that is given, or all that is given.
Values all_of(const Values& given) { return given.size() == 1 && given[0].is_array() ? given[0].get<Values>() : given; }

double sum(const Values& values) {
  double total = 0;
  for (const Value& each : values) total += number(each);
  return total;
}

Value extreme(const Values& given, bool least) {
  const Values values = all_of(given);
  if (values.empty()) throw CaseError("the extreme of nothing");
  return least ? *std::ranges::min_element(values, less) : *std::ranges::max_element(values, less);
}

}  // namespace

double number(const Value& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  throw CaseError("no number: " + shown(value));
}

bool truth(const Value& value) {
  return value.is_boolean() ? value.get<bool>() : value.is_number() ? number(value) != 0 : !value.empty();
}

bool less(const Value& a, const Value& b) {
  return a.is_string() && b.is_string() ? a.get<std::string>() < b.get<std::string>() : number(a) < number(b);
}

bool equal(const Value& a, const Value& b) {
  if (a.is_array() && b.is_array()) return std::ranges::equal(a, b, equal);
  if (a.is_number() && b.is_number()) return number(a) == number(b);
  return a == b;
}

bool contains(const Value& whole, const Value& part) {
  if (whole.is_string()) return whole.get<std::string>().find(text_of(part)) != std::string::npos;
  if (whole.is_object()) return whole.contains(text_of(part));
  return std::ranges::any_of(whole, [&](const Value& each) { return equal(each, part); });
}

Value plus(const Value& a, const Value& b) {
  if (a.is_string() || b.is_string()) return text_of(a) + text_of(b);
  if (!a.is_array() || !b.is_array()) return number(a) + number(b);
  Value both = a;
  for (const Value& each : b) both.push_back(each);
  return both;
}

const Builtins& builtins() {
  const auto of_one = [](double (*f)(double)) { return [f](const Values& v) { return Value(f(number(v.at(0)))); }; };
  static const Builtins all = {
      {"ceil", of_one(std::ceil)},
      {"floor", of_one(std::floor)},
      {"abs", of_one(std::fabs)},
      {"sqrt", of_one(std::sqrt)},
      {"exp", of_one(std::exp)},
      {"log2", of_one(std::log2)},
      {"min", [](const Values& v) { return extreme(v, true); }},
      {"max", [](const Values& v) { return extreme(v, false); }},
      {"sum", [](const Values& v) { return sum(all_of(v)); }},
      {"mean", [](const Values& v) { return sum(all_of(v)) / static_cast<double>(all_of(v).size()); }},
      {"all", [](const Values& v) { return std::ranges::all_of(all_of(v), truth); }},
      {"any", [](const Values& v) { return std::ranges::any_of(all_of(v), truth); }},
      {"len",
       [](const Values& v) {
         return static_cast<double>(v.at(0).is_string() ? v[0].get<std::string>().size() : v[0].size());
       }},
      {"distinct",
       [](const Values& v) {
         const Values values = all_of(v);
         return std::set<Value>(values.begin(), values.end());
       }},
      {"sorted",
       [](const Values& v) {
         Values values = all_of(v);
         std::ranges::sort(values, less);
         return values;
       }},
      {"join",
       [](const Values& v) {
         std::string text;
         for (const Value& each : v.at(0)) text += text_of(each) + (v.size() > 1 ? text_of(v[1]) : "\n");
         return text;
       }},
      {"keys",
       [](const Values& v) {
         Value names = Value::array();
         for (const auto& [name, value] : v.at(0).items()) names.push_back(name);
         return names;
       }},
      {"value", [](const Values& v) { return std::strtod(text_of(v.at(0)).c_str(), nullptr); }},
      {"split",
       [](const Values& v) {
         const std::string whole = text_of(v.at(0)), by = text_of(v.at(1));
         Value parts = Value::array();
         for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + by.size()) {
           end = whole.find(by, at);
           parts.push_back(whole.substr(at, end - at));
         }
         return parts;
       }},
      {"replace",
       [](const Values& v) {
         std::string whole = text_of(v.at(0));
         const std::string part = text_of(v.at(1)), by = text_of(v.at(2));
         if (part.empty() || whole.find(part) == std::string::npos) throw CaseError("no '" + part + "' to replace");
         for (std::size_t at = 0; (at = whole.find(part, at)) != std::string::npos; at += by.size())
           whole.replace(at, part.size(), by);
         return whole;
       }},
      {"range",
       [](const Values& v) {
         Value values = Value::array();
         const double step = v.size() > 2 ? number(v[2]) : 1;
         for (double x = v.size() > 1 ? number(v[0]) : 0; x < number(v.at(v.size() > 1 ? 1 : 0)); x += step)
           values.push_back(x);
         return values;
       }},
  };
  return all;
}

Value element_of(const Value& whole, const Value& index) {
  if (whole.is_object()) {
    if (!whole.contains(text_of(index))) throw CaseError("no figure '" + text_of(index) + "'");
    return whole[text_of(index)];
  }
  if (!whole.is_array()) throw CaseError("no list: " + shown(whole));
  const double size = static_cast<double>(whole.size());
  const double at = number(index) < 0 ? size + number(index) : number(index);
  if (at < 0 || at >= size) throw CaseError(fmt::format("no element {} in a list of {}", number(index), size));
  return whole[static_cast<std::size_t>(at)];
}

Value slice_of(const Value& whole, double from, double to) {
  const auto size = static_cast<double>(whole.is_string() ? whole.get_ref<const std::string&>().size() : whole.size());
  const auto place = [&](double at) {
    return static_cast<std::size_t>(std::clamp(at < 0 ? size + at : at, 0.0, size));
  };
  const std::size_t first = place(from), last = std::max(first, place(to));
  if (whole.is_string()) return whole.get_ref<const std::string&>().substr(first, last - first);
  Value part = Value::array();
  for (std::size_t k = first; k < last; ++k) part.push_back(whole.at(k));
  return part;
}

std::string text_of(const Value& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) {
    const double number = value.get<double>();
    return number == std::floor(number) && std::fabs(number) < 9e15 ? fmt::format("{:.0f}", number)
                                                                    : fmt::format("{}", number);
  }
  if (!value.is_array()) return shown(value);
  std::string list;
  for (const Value& each : value) {
    if (!list.empty()) list += ",";
    list += each.is_string() ? shown(each) : text_of(each);
  }
  return "[" + list + "]";
}

}  // namespace weft::text_cases
