// Expressions of text cases: what a figure of a run is expected to be.
//
// Numbers, "texts", [lists], names; + - * / // % ^, comparisons (a == b within c), in, and, or, not, a if b else c;
// figures by .name and [index]; [f(x) for x in list if condition]; ceil(x) and the like. Texts hold other expressions
// as $name or ${expression}.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/text_cases/values.hpp"

namespace weft::text_cases {

class Scope;
using Expression = std::function<Value(const Scope&)>;

/// `let name(parameters) = body`.
struct Function {
  std::vector<std::string> parameters;
  Expression body;
};

/// Names that expressions know, those of the scope around included.
class Scope {
 public:
  Scope() = default;
  explicit Scope(const Scope& around) : around_(&around) {}

  void set(const std::string& name, Value value) { values_[name] = std::move(value); }
  void set(const std::string& name, Function function) { functions_[name] = std::move(function); }
  /// Null if nobody knows it. A name that nothing else has is a figure of the last run without a name (""), or a key of
  /// its config.
  [[nodiscard]] const Value* find(const std::string& name) const;
  [[nodiscard]] const Function* function(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  const Scope* around_ = nullptr;
  std::map<std::string, Value> values_;
  std::map<std::string, Function> functions_;
};

/// An expression and, where it compares, both sides of it: for who wants to know why it does not hold.
struct Parsed {
  Expression value;
  std::vector<Expression> sides;
};

/// Throws CaseError for what is no expression.
[[nodiscard]] Parsed parse_expression(std::string_view text);
/// The expressions of "a, b, c".
[[nodiscard]] std::vector<Expression> parse_list(std::string_view text);
/// A text that holds others as $name or ${expression}.
[[nodiscard]] Expression parse_template(std::string_view text);

}  // namespace weft::text_cases
