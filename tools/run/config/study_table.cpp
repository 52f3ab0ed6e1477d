// A table of a study file, read key by key.
#include "tools/run/config/study_table.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_file.hpp"
#include "tools/run/config/settings.hpp"
#include "tools/run/config/toml_text.hpp"

namespace weft::tools {

std::string study_text(const std::string& path) {
  return read_text_file<ConfigError>(path, most_toml_bytes, "study file");
}

std::string toml_value(const toml::node& node, const std::string& place) {
  if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
  if (const auto* number = node.as_floating_point(); number != nullptr && std::isfinite(number->get())) {
    return real_text(number->get());
  }
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* text = node.as_string()) return value_text(text->get());
  if (const auto* array = node.as_array()) {
    std::vector<i64> values;
    for (const toml::node& element : *array) {
      if (const auto* whole = element.as_integer()) values.push_back(whole->get());
    }
    if (values.size() == array->size()) return value_text(values);
  }
  throw ConfigError(place + ": a value is neither a number, text, true or false, nor a list of integers (no setting " +
                    "takes anything else); write for example 0.3, \"shortest\" or [8, 8]");
}

StudyTable::StudyTable(const toml::table& table, std::string name, std::string path)
    : table_(table), name_(std::move(name)), path_(std::move(path)) {}

void StudyTable::allow_only(const std::vector<std::string>& known) const {
  for (const auto& [key, node] : table_) {
    const std::string word(key.str());
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    throw ConfigError(at_line(path_, key.source()) + ": unknown key " + shown(word) +
                      (name_.empty() ? "" : " in [" + name_ + "]") + "; did you mean " + nearest(word, known) + "?");
  }
}

bool StudyTable::has(const std::string& key) const { return table_.contains(key); }

std::string StudyTable::place(const std::string& key) const {
  for (const auto& [name, node] : table_) {
    if (name.str() == key) return at_line(path_, name.source());
  }
  return at_line(path_, table_.source());
}

void StudyTable::fail(const std::string& key, const std::string& problem) const {
  throw ConfigError(place(key) + ": " + (name_.empty() ? "" : "[" + name_ + "] ") + key + " " + problem);
}

const toml::node& StudyTable::node(const std::string& key) const {
  const toml::node* found = table_.get(key);
  if (found == nullptr) fail(key, "is missing; add it");
  return *found;
}

std::string StudyTable::text(const std::string& key, const std::string& fallback) const {
  if (!has(key)) return fallback;
  const auto* found = node(key).as_string();
  if (found == nullptr || found->get().empty())
    fail(key, "is no text (wanted text in quotes); write " + key + " = \"...\"");
  return found->get();
}

u32 StudyTable::number(const std::string& key, u32 fallback, u32 least, u32 most) const {
  if (!has(key)) return fallback;
  const auto* found = node(key).as_integer();
  if (found == nullptr || found->get() < i64{least} || found->get() > i64{most}) {
    fail(key, "is not possible (wanted an integer, " + std::to_string(least) + ".." + std::to_string(most) +
                  "); write for example " + key + " = " + std::to_string(std::max(fallback, least)));
  }
  return static_cast<u32>(found->get());
}

double StudyTable::real(const std::string& key, double fallback) const {
  if (!has(key)) return fallback;
  const double number = real(key);
  if (number < 0) fail(key, fmt::format("= {} is below 0; write for example {} = 0", number, key));
  return number;
}

double StudyTable::real(const std::string& key) const {
  const toml::node& found = node(key);
  const double number = found.is_number() ? found.value<double>().value_or(NAN) : NAN;
  if (!std::isfinite(number)) fail(key, fmt::format("is no number; write for example {} = 0.1", key));
  return number;
}

std::vector<std::string> StudyTable::texts(const std::string& key) const {
  if (!has(key)) return {};
  const toml::array* array = node(key).as_array();
  std::vector<std::string> words;
  if (array != nullptr) {
    for (const toml::node& element : *array) {
      if (const auto* text = element.as_string()) words.push_back(text->get());
    }
  }
  if (array == nullptr || words.size() != array->size()) {
    fail(key, "is no list of texts; write for example " + key + " = [\"...\"]");
  }
  return words;
}

const toml::array& StudyTable::list(const std::string& key) const {
  const toml::array* array = node(key).as_array();
  if (array == nullptr || array->empty())
    fail(key, "is no list with something in it; write for example " + key + " = [1, 2]");
  return *array;
}

const toml::table* StudyTable::table(const std::string& key) const {
  if (!has(key)) return nullptr;
  const toml::table* found = node(key).as_table();
  if (found == nullptr) fail(key, fmt::format("is a table; write [{}] and its keys below", below(key)));
  return found;
}

std::vector<const toml::table*> StudyTable::tables(const std::string& key) const {
  if (!has(key)) return {};
  const toml::array* array = node(key).as_array();
  if (array == nullptr || !array->is_array_of_tables())
    fail(key, fmt::format("is a list of tables; write [[{}]] and its keys below", below(key)));
  std::vector<const toml::table*> found;
  for (const toml::node& one : *array) found.push_back(one.as_table());
  return found;
}

std::string StudyTable::below(const std::string& key) const { return name_.empty() ? key : name_ + "." + key; }

}  // namespace weft::tools
