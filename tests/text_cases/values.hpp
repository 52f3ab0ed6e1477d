// Values of text cases, and what expressions do with them. A value is what JSON can say; all numbers are doubles.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace weft::text_cases {

using Value = nlohmann::json;
using Values = std::vector<Value>;
/// By name.
using Builtins = std::map<std::string, std::function<Value(const Values&)>>;

/// What is wrong with a case file, or with a value in it; said with file and line by who knows them.
struct CaseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A boolean is 0 or 1. Throws CaseError if it is none, as do all that need one.
[[nodiscard]] double number(const Value& value);
/// Whether it is true, not 0, or not empty.
[[nodiscard]] bool truth(const Value& value);
/// Texts by the alphabet, all else by number.
[[nodiscard]] bool less(const Value& a, const Value& b);
[[nodiscard]] bool equal(const Value& a, const Value& b);
/// Whether a text, an object (by name) or a list has it.
[[nodiscard]] bool contains(const Value& whole, const Value& part);
/// The sum of numbers, or two texts or lists one after the other.
[[nodiscard]] Value plus(const Value& a, const Value& b);
/// By name or place. Throws CaseError if there is none.
[[nodiscard]] Value element_of(const Value& whole, const Value& index);
/// [from:to] of a list or a text, where places below 0 count from the end.
[[nodiscard]] Value slice_of(const Value& whole, double from, double to);
/// ceil, max, join and the like.
[[nodiscard]] const Builtins& builtins();
/// As it stands in a config: whole numbers without a point, texts without quotation marks.
[[nodiscard]] std::string text_of(const Value& value);

}  // namespace weft::text_cases
