// A table to the words of fault_text.cpp, which says what is wrong with their values.
#include "tools/run/config/fault_tables.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/setting.hpp"
#include "engine/base/text/shown.hpp"

namespace weft::tools {
namespace {

/// The values of one table.
class FaultTable {
 public:
  using PlaceOf = std::function<std::string(const toml::node&)>;

  FaultTable(const toml::table& table, const PlaceOf& place_of) : table_(table), place_of_(place_of) {}

  void allow(const std::string& name, const std::vector<std::string>& known) const {
    for (const auto& [key, node] : table_) {
      const std::string word(key.str());
      if (std::ranges::find(known, word) != known.end()) continue;
      throw ConfigError(fmt::format("{}: unknown key {} in [[{}]]; did you mean {}?", place_of_(node), shown(word),
                                    name, nearest(word, known)));
    }
  }
  [[nodiscard]] bool has(const char* key) const { return table_.contains(key); }
  [[noreturn]] void fail(const std::string& why) const { throw ConfigError(place_of_(table_) + ": " + why); }

  /// One word: a text without blanks or ;.
  [[nodiscard]] std::string word(const char* key) const {
    const auto text = table_[key].value_exact<std::string>();
    if (text && !text->empty() && text->find_first_of(" \t\r\n,;") == std::string::npos) return *text;
    wrong(key, "one word in quotes");
  }
  [[nodiscard]] std::string number(const char* key, const char* wanted = "a number that is not negative") const {
    if (const auto whole = table_[key].value_exact<i64>(); whole && *whole >= 0) return std::to_string(*whole);
    if (const auto real = table_[key].value_exact<double>(); real && *real >= 0) return real_text(*real);
    wrong(key, wanted);
  }
  [[nodiscard]] std::string whole(const char* key) const {
    if (const auto value = table_[key].value_exact<i64>(); value && *value >= 0) return std::to_string(*value);
    wrong(key, "a whole number that is not negative");
  }
  [[nodiscard]] bool flag(const char* key) const {
    if (!has(key)) return false;
    if (const auto value = table_[key].value_exact<bool>()) return *value;
    wrong(key, "true or false");
  }
  /// "r3:2", or the routers at both ends.
  [[nodiscard]] std::string link() const {
    const toml::array* const ends = table_["link"].as_array();
    if (ends == nullptr) return word("link");
    const auto end = [&](std::size_t ix) { return ends->get(ix)->value_exact<i64>(); };
    if (ends->size() == 2 && end(0) && end(1) && *end(0) >= 0 && *end(1) >= 0)
      return fmt::format("{}-{}", *end(0), *end(1));
    wrong("link", "\"r3:2\", a router and its port, or [3, 7], two routers");
  }

 private:
  [[noreturn]] void wrong(const char* key, const std::string& wanted) const {
    const toml::node* const node = table_.get(key);
    throw ConfigError(fmt::format("{}: {} is {}; write {}", place_of_(node == nullptr ? table_ : *node), key,
                                  node == nullptr ? "missing" : "something else", wanted));
  }

  const toml::table& table_;
  const PlaceOf& place_of_;
};

std::string event_text(const FaultTable& table) {
  table.allow("faults.event", {"at_ns", "at_cycle", "link", "router", "switch", "node", "nic", "state", "error_rate",
                               "rate_factor", "one_way"});
  if (table.has("at_ns") == table.has("at_cycle")) table.fail("an event has one time; give at_ns or at_cycle");
  std::string text = table.has("at_ns") ? table.number("at_ns") + "ns" : table.number("at_cycle") + "cycles";
  int parts = 0;
  for (const char* const part : {"link", "router", "switch", "node", "nic"}) {
    if (!table.has(part)) continue;
    ++parts;
    text += fmt::format(" {} {}", part, std::string(part) == "link" ? table.link() : table.whole(part));
  }
  if (parts != 1) table.fail("an event is about one part; give link, router or node");
  const int changes = int{table.has("state")} + int{table.has("error_rate")} + int{table.has("rate_factor")};
  if (changes != 1) table.fail("an event is one change; give state, error_rate or rate_factor");
  if (table.has("state")) text += " " + table.word("state");
  if (table.has("error_rate")) text += " error " + table.number("error_rate");
  if (table.has("rate_factor")) text += " rate " + table.number("rate_factor", "a number above 0, up to 1");
  return table.flag("one_way") ? text + " one-way" : text;
}

std::string process_text(const FaultTable& table) {
  table.allow("faults.process", {"part", "law", "mtbf_ns", "mttr_ns", "shape"});
  const std::string law = table.has("law") ? table.word("law") : "exponential";
  if (law != "exponential" && law != "weibull")
    table.fail(fmt::format("law = {} is no law of failures; use \"exponential\" or \"weibull\"", shown(law)));
  if (table.has("shape") && law != "weibull") table.fail("shape is that of law = \"weibull\"; remove it");
  const std::string text =
      fmt::format("{} mtbf {}ns mttr {}ns", table.word("part"), table.number("mtbf_ns"), table.number("mttr_ns"));
  return law == "weibull" ? text + " weibull " + table.number("shape") : text;
}

}  // namespace

bool takes_tables(const std::string& key) { return key == "faults.event" || key == "faults.process"; }

std::string fault_tables_text(const std::string& key, const toml::array& tables,
                              const std::function<std::string(const toml::node&)>& place_of) {
  std::string text;
  for (const toml::node& node : tables) {
    const FaultTable table(*node.as_table(), place_of);
    if (!text.empty()) text += "; ";
    text += key == "faults.event" ? event_text(table) : process_text(table);
  }
  return text;
}

}  // namespace weft::tools
