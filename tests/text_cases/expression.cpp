// A recursive descent that makes functions of what it reads.
#include "tests/text_cases/expression.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "engine/base/nearest.hpp"
#include "tests/text_cases/files.hpp"

namespace weft::text_cases {
namespace {

bool is_name(char c, bool first = false) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         (!first && std::isdigit(static_cast<unsigned char>(c)) != 0);
}

Value call(const std::string& name, const std::vector<Expression>& arguments, const Scope& scope) {
  Values values;
  for (const Expression& each : arguments) values.push_back(each(scope));
  if (const Function* const own = scope.function(name)) {
    if (own->parameters.size() != values.size()) {
      throw CaseError(fmt::format("{} takes {} values, not {}", name, own->parameters.size(), values.size()));
    }
    Scope inside(scope);
    for (std::size_t k = 0; k < values.size(); ++k) inside.set(own->parameters[k], values[k]);
    return own->body(inside);
  }
  if (values.empty()) throw CaseError(name + " takes a value");
  for (const auto* const known : {&builtins(), &file_functions()})
    if (const auto found = known->find(name); found != known->end()) return found->second(values);
  throw CaseError("no function '" + name + "'");
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Parsed whole() {
    Parsed parsed;
    parsed.value = choice(&parsed.sides);
    end();
    return parsed;
  }
  std::vector<Expression> list() {
    std::vector<Expression> all{choice()};
    while (accept(",")) all.push_back(choice());
    end();
    return all;
  }

 private:
  void end() {
    skip();
    if (at_ != text_.size()) throw CaseError("not understood: '" + std::string(text_.substr(at_)) + "'");
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  /// Takes `word` if it comes next; one of letters only as a whole.
  bool accept(std::string_view word) {
    skip();
    if (!text_.substr(at_).starts_with(word)) return false;
    const std::size_t behind = at_ + word.size();
    if (is_name(word[0], true) && behind < text_.size() && is_name(text_[behind])) return false;
    at_ = behind;
    return true;
  }
  void expect(std::string_view word) {
    if (!accept(word)) {
      throw CaseError(fmt::format("'{}' is missing before '{}'", word, text_.substr(std::min(at_, text_.size()))));
    }
  }
  std::string name() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name(text_[at_], at_ == begin)) ++at_;
    if (at_ == begin) throw CaseError("a name is missing before '" + std::string(text_.substr(at_)) + "'");
    return std::string(text_.substr(begin, at_ - begin));
  }

  Expression choice(std::vector<Expression>* sides = nullptr) {
    const Expression first = either(sides);
    if (!accept("if")) return first;
    const Expression condition = either(nullptr);
    expect("else");
    const Expression second = choice();
    if (sides != nullptr) sides->clear();
    return [=](const Scope& scope) { return truth(condition(scope)) ? first(scope) : second(scope); };
  }
  Expression either(std::vector<Expression>* sides) {
    Expression left = both(sides);
    while (accept("or")) {
      const Expression right = both(nullptr);
      left = [=](const Scope& scope) { return truth(left(scope)) || truth(right(scope)); };
    }
    return left;
  }
  Expression both(std::vector<Expression>* sides) {
    Expression left = inverse(sides);
    while (accept("and")) {
      const Expression right = inverse(nullptr);
      left = [=](const Scope& scope) { return truth(left(scope)) && truth(right(scope)); };
    }
    return left;
  }
  Expression inverse(std::vector<Expression>* sides) {
    if (!accept("not")) return comparison(sides);
    const Expression inner = inverse(nullptr);
    return [=](const Scope& scope) { return !truth(inner(scope)); };
  }

  Expression comparison(std::vector<Expression>* sides) {
    std::vector<Expression> values{sums()};
    std::vector<std::string> signs;
    while (true) {
      static const std::vector<std::string> all = {"==", "!=", "<=", ">=", "<", ">", "in"};
      const auto sign = std::ranges::find_if(all, [this](const std::string& each) { return accept(each); });
      if (sign == all.end()) break;
      signs.push_back(*sign);
      values.push_back(sums());
    }
    if (signs.empty()) return values[0];
    Expression tolerance;
    if (accept("within")) tolerance = sums();
    if (sides != nullptr) *sides = values;
    return [=](const Scope& scope) {
      Values found;
      for (const Expression& each : values) found.push_back(each(scope));
      for (std::size_t k = 0; k < signs.size(); ++k) {
        const Value &a = found[k], &b = found[k + 1];
        const bool holds = tolerance          ? std::fabs(number(a) - number(b)) <= number(tolerance(scope))
                           : signs[k] == "==" ? equal(a, b)
                           : signs[k] == "!=" ? !equal(a, b)
                           : signs[k] == "<"  ? less(a, b)
                           : signs[k] == ">"  ? less(b, a)
                           : signs[k] == "<=" ? !less(b, a)
                           : signs[k] == ">=" ? !less(a, b)
                                              : contains(b, a);
        if (!holds) return false;
      }
      return true;
    };
  }

  Expression sums() {
    Expression left = products();
    while (true) {
      if (accept("+")) {
        left = [left, right = products()](const Scope& scope) { return plus(left(scope), right(scope)); };
      } else if (accept("-")) {
        left = [left, right = products()](const Scope& scope) { return number(left(scope)) - number(right(scope)); };
      } else {
        return left;
      }
    }
  }
  Expression products() {
    Expression left = signed_one();
    while (true) {
      double (*apply)(double, double) = nullptr;
      if (accept("//")) {
        apply = [](double a, double b) { return std::floor(a / b); };
      } else if (accept("*")) {
        apply = [](double a, double b) { return a * b; };
      } else if (accept("/")) {
        apply = [](double a, double b) { return a / b; };
      } else if (accept("%")) {
        apply = [](double a, double b) { return a - b * std::floor(a / b); };
      } else {
        return left;
      }
      left = [left, apply, right = signed_one()](const Scope& scope) -> Value {
        const Value value = left(scope);
        const double by = number(right(scope));
        if (!value.is_array()) return apply(number(value), by);
        Value repeated = Value::array();  // only [...] * n means anything
        for (double k = 0; k < by; ++k) repeated = plus(repeated, value);
        return repeated;
      };
    }
  }
  Expression signed_one() {
    if (accept("-")) return [inner = signed_one()](const Scope& scope) { return -number(inner(scope)); };
    const Expression base = part();
    if (!accept("^")) return base;
    return [base, to = signed_one()](const Scope& scope) { return std::pow(number(base(scope)), number(to(scope))); };
  }

  /// A value and what is taken of it: a.b[0][1:3].
  Expression part() {
    Expression whole = atom();
    while (true) {
      if (at_ < text_.size() && text_[at_] == '.') {
        ++at_;
        whole = [whole, key = Value(name())](const Scope& scope) { return element_of(whole(scope), key); };
      } else if (at_ < text_.size() && text_[at_] == '[') {
        ++at_;
        skip();
        const Expression from = text_[at_] == ':' ? [](const Scope&) { return Value(0); } : choice();
        if (accept(":")) {
          const Expression to = accept("]") ? Expression() : choice();
          if (to) expect("]");
          whole = [=](const Scope& scope) {
            return slice_of(whole(scope), number(from(scope)), to ? number(to(scope)) : 1e18);
          };
        } else {
          expect("]");
          whole = [=](const Scope& scope) { return element_of(whole(scope), from(scope)); };
        }
      } else {
        return whole;
      }
    }
  }

  Expression atom() {
    skip();
    if (accept("(")) {
      Expression inner = choice();
      expect(")");
      return inner;
    }
    if (accept("[")) return list_of();
    if (at_ < text_.size() && text_[at_] == '"') return quoted();
    if (at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '.'))
      return number_here();
    for (const auto& [word, value] : {std::pair{"true", Value(true)}, {"false", Value(false)}, {"null", Value()}})
      if (accept(word)) return [value = value](const Scope&) { return value; };
    const std::string word = name();
    if (at_ < text_.size() && text_[at_] == '(') {
      ++at_;
      std::vector<Expression> arguments;
      if (!accept(")")) {
        do arguments.push_back(choice());
        while (accept(","));
        expect(")");
      }
      return [=](const Scope& scope) { return call(word, arguments, scope); };
    }
    return [word](const Scope& scope) {
      const Value* const value = scope.find(word);
      if (value != nullptr) return *value;
      const std::string near = nearest(word, scope.names(), 2);
      throw CaseError("no name or figure '" + word + "'" + (near.empty() ? "" : "; did you mean " + near + "?"));
    };
  }
  Expression number_here() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) throw CaseError("no number: '" + std::string(text_.substr(at_)) + "'");
    at_ = static_cast<std::size_t>(end - text_.data());
    return [value](const Scope&) { return Value(value); };
  }
  Expression quoted() {
    std::string inner;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        ++at_;
        if (text_[at_] == 'x' && at_ + 2 < text_.size()) {
          inner += static_cast<char>(std::stoi(std::string(text_.substr(at_ + 1, 2)), nullptr, 16));
          at_ += 2;
        } else {
          inner += text_[at_] == 'n' ? '\n' : text_[at_];
        }
      } else {
        inner += text_[at_];
      }
    }
    if (at_ >= text_.size()) throw CaseError("a text does not end (\" is missing)");
    ++at_;
    return parse_template(inner);
  }

  struct Loop {
    std::vector<std::string> names;
    Expression over, condition;
  };
  /// Elements of [a, b] and of [f(x) for x in list if condition for ...], behind the bracket.
  Expression list_of() {
    std::vector<Expression> elements;
    if (accept("]")) return [](const Scope&) { return Value(Value::array()); };
    do elements.push_back(choice());
    while (accept(","));
    std::vector<Loop> loops;
    while (accept("for")) {
      Loop loop;
      do loop.names.push_back(name());
      while (accept(","));
      expect("in");
      loop.over = either(nullptr);
      if (accept("if")) loop.condition = either(nullptr);
      loops.push_back(loop);
    }
    expect("]");
    if (loops.empty()) {
      return [elements](const Scope& scope) {
        Value all = Value::array();
        for (const Expression& each : elements) all.push_back(each(scope));
        return all;
      };
    }
    return [loops, body = elements[0]](const Scope& scope) {
      Value all = Value::array();
      go_through(loops, 0, scope, body, all);
      return all;
    };
  }
  static void go_through(const std::vector<Loop>& loops, std::size_t depth, const Scope& scope, const Expression& body,
                         Value& all) {
    if (depth == loops.size()) {
      all.push_back(body(scope));
      return;
    }
    const Loop& loop = loops[depth];
    for (const Value& each : loop.over(scope)) {
      Scope inside(scope);
      for (std::size_t k = 0; k < loop.names.size(); ++k)
        inside.set(loop.names[k], loop.names.size() == 1 ? each : each.at(k));
      if (!loop.condition || truth(loop.condition(inside))) go_through(loops, depth + 1, inside, body, all);
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Where the brace that was opened before `at` is closed; those in quotation marks do not count.
std::size_t end_of_braces(std::string_view text, std::size_t at) {
  bool quoted = false;
  for (int depth = 1; at < text.size(); ++at) {
    if (text[at] == '"' && text[at - 1] != '\\') quoted = !quoted;
    if (quoted) continue;
    depth += (text[at] == '{' ? 1 : 0) - (text[at] == '}' ? 1 : 0);
    if (depth == 0) return at;
  }
  return std::string_view::npos;
}

}  // namespace

const Value* Scope::find(const std::string& name) const {
  const Value* run = nullptr;
  for (const Scope* scope = this; scope != nullptr; scope = scope->around_) {
    if (const auto found = scope->values_.find(name); found != scope->values_.end()) return &found->second;
    if (const auto found = scope->values_.find(""); run == nullptr && found != scope->values_.end())
      run = &found->second;
  }
  if (run == nullptr) return nullptr;
  if (run->contains(name)) return &run->at(name);
  return run->contains("config") && run->at("config").contains(name) ? &run->at("config").at(name) : nullptr;
}

const Function* Scope::function(const std::string& name) const {
  const auto found = functions_.find(name);
  if (found != functions_.end()) return &found->second;
  return around_ != nullptr ? around_->function(name) : nullptr;
}

std::vector<std::string> Scope::names() const {
  std::vector<std::string> all = around_ != nullptr ? around_->names() : std::vector<std::string>();
  for (const auto& [name, value] : values_) all.push_back(name);
  if (const auto run = values_.find(""); run != values_.end() && run->second.is_object())
    for (const auto& [name, value] : run->second.items()) all.push_back(name);
  return all;
}

Parsed parse_expression(std::string_view text) { return Parser(text).whole(); }

std::vector<Expression> parse_list(std::string_view text) { return Parser(text).list(); }

Expression parse_template(std::string_view text) {
  std::vector<Expression> parts;
  std::string plain;
  const auto take = [&] {
    if (!plain.empty()) parts.push_back([plain](const Scope&) { return Value(plain); });
    plain.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (text[at] != '$' || !(next == '{' || is_name(next, true))) {
      plain += text[at++];
      continue;
    }
    take();
    std::size_t end = at + 1;
    if (next == '{') {
      end = end_of_braces(text, at + 2);
      if (end == std::string_view::npos) throw CaseError("'${' without '}' in '" + std::string(text) + "'");
      parts.push_back(parse_expression(text.substr(at + 2, end - at - 2)).value);
      at = end + 1;
      continue;
    }
    while (end < text.size() && is_name(text[end])) ++end;
    parts.push_back(parse_expression(text.substr(at + 1, end - at - 1)).value);
    at = end;
  }
  take();
  return [parts](const Scope& scope) {
    std::string whole;
    for (const Expression& each : parts) whole += text_of(each(scope));
    return Value(whole);
  };
}

}  // namespace weft::text_cases
