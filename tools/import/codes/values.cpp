// Values of options as numbers and lists, each with an error that names its line.
#include "tools/import/codes/values.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"
#include "tools/import/codes/options.hpp"

namespace weft::tools::codes {
namespace {

constexpr i64 most = i64{1} << 40;
/// Networks of more nodes than this are beyond what weft takes.
constexpr i64 most_lps = i64{1} << 26;

constexpr std::array<const char*, 12> models{"simplenet",      "simplep2p",       "simplewan", "loggp",
                                             "torus",          "dragonfly",       "slimfly",   "dragonfly_custom",
                                             "dragonfly_plus", "dragonfly_dally", "fattree",   "express_mesh"};

bool is_router(std::string_view lp) { return lp.ends_with("_router") || lp == "fattree_switch"; }

}  // namespace

Values::Values(const ForeignFile& file) : file_(file.path), tree_(parse_conf(file.text, file.path)) {
  const Section* const groups = tree_.section("LPGROUPS");
  params_ = tree_.section("PARAMS");
  if (groups == nullptr || params_ == nullptr) {
    throw ConfigError(fmt::format("{}: has no section {} (the file may be cut off); give a whole config of model-net",
                                  shown(file_), groups == nullptr ? "LPGROUPS" : "PARAMS"));
  }
  read_groups(*groups);
}

void Values::read_groups(const Section& groups) {
  for (const Section& group : groups.sections) {
    for (const Entry& entry : group.entries) {
      if (!entry.name.starts_with("modelnet_") || is_router(entry.name)) continue;
      const std::string name = entry.name.substr(9);
      if (std::ranges::find(models, name) == models.end()) {
        fail_at(entry.line, fmt::format("{} is no network of model-net that is known here; use one of modelnet_{}",
                                        shown(entry.name), fmt::join(models, ", modelnet_")));
      }
      if (group_ != nullptr) {
        fail_at(entry.line,
                fmt::format("{} is a second network beside modelnet_{} of line {}; weft has one network in a "
                            "config: import a file for each",
                            shown(entry.name), model_, group_->line));
      }
      group_ = &group;
      model_ = name;
    }
  }
  if (group_ == nullptr)
    fail_at(groups.line, "LPGROUPS names no network; write for example modelnet_torus=\"1\"; into one of its groups");
  const auto found = std::ranges::find(group_->entries, "repetitions", &Entry::name);
  if (found == group_->entries.end())
    fail_at(group_->line, fmt::format("group {} has no repetitions; write repetitions=\"N\";", shown(group_->name)));
  repetitions_ = number(*found, found->values.empty() ? "" : found->values.front(), 1);
  if (repetitions_ > most_lps) fail_at(found->line, "repetitions are more than weft has nodes; use fewer");
}

i64 Values::lps(const std::string& name) const {
  const auto found = std::ranges::find(group_->entries, name, &Entry::name);
  if (found == group_->entries.end()) return 0;
  const i64 each = number(*found, found->values.empty() ? "" : found->values.front(), 0);
  if (each > most_lps / repetitions_)
    fail_at(found->line, fmt::format("{} are more than weft has nodes; use fewer", name));
  return each * repetitions_;
}

i64 Values::processes() const { return std::max(lps("nw-lp"), lps("server")); }

void Values::check_nodes(i64 nodes) const {
  const i64 here = terminals();
  if (here == nodes) return;
  const auto found = std::ranges::find(group_->entries, "modelnet_" + model_, &Entry::name);
  fail_at(found->line,
          fmt::format("repetitions=\"{}\" of {} make {} nodes, but PARAMS make a network of {}; make both say "
                      "the same",
                      repetitions_, found->text(), here, nodes));
}

const Entry* Values::find(const std::string& name) const {
  const auto found = std::ranges::find(params_->entries, name, &Entry::name);
  return found == params_->entries.end() ? nullptr : &*found;
}

std::string Values::text(const std::string& name, const std::string& fallback) const {
  const Entry* const entry = find(name);
  return entry == nullptr || entry->values.empty() ? fallback : std::string(trimmed(entry->values.front()));
}

i64 Values::number(const Entry& entry, const std::string& text, i64 least) const {
  const std::optional<i64> value = parsed<i64>(trimmed(text));
  if (!value || *value < least || *value > most)
    fail_at(entry.line, fmt::format("{} is no whole number from {} on; write one", shown(entry.text()), least));
  return *value;
}

i64 Values::integer(const std::string& name, i64 fallback, i64 least) const {
  const Entry* const entry = find(name);
  if (entry == nullptr) return fallback;
  return number(*entry, entry->values.empty() ? "" : entry->values.front(), least);
}

i64 Values::integer(const std::string& name) const {
  if (!given(name)) {
    fail_at(params_->line, fmt::format("PARAMS has no {}, which {} needs; write {}=\"N\";", name, model_, name));
  }
  return integer(name, 1);
}

double Values::real(const std::string& name, double fallback, double least) const {
  const Entry* const entry = find(name);
  if (entry == nullptr) return fallback;
  const std::optional<double> value = parsed<double>(trimmed(entry->values.empty() ? "" : entry->values.front()));
  if (!value || *value < least || *value > 1e15)
    fail_at(entry->line, fmt::format("{} is no number from {} on; write one", shown(entry->text()), least));
  return *value;
}

std::vector<i64> Values::integers(const std::string& name) const {
  const Entry* const entry = find(name);
  if (entry == nullptr) {
    fail_at(params_->line, fmt::format("PARAMS has no {}, which {} needs; write {}=\"A,B,C\";", name, model_, name));
  }
  std::vector<i64> all;
  for (const std::string& value : entry->values) {
    for (const std::string& word : listed_words(value)) all.push_back(number(*entry, word, 1));
  }
  if (all.empty()) fail_at(entry->line, fmt::format("{} is empty; write {}=\"A,B,C\";", name, name));
  return all;
}

std::string Values::one_of(const std::vector<std::string>& names) const {
  const auto found = std::ranges::find_if(names, [this](const std::string& name) { return given(name); });
  return found == names.end() ? names.front() : *found;
}

void Values::note(const std::string& name, const std::string& what, OptionState state) { notes_[name] = {state, what}; }

void Values::add_lines(const Section& section, std::vector<ImportedLine>& lines) const {
  std::vector<std::string> seen;
  for (const Entry& entry : section.entries) {
    ImportedLine line{.place = fmt::format("{}:{}", shown(file_), entry.line), .text = entry.text()};
    const auto note = notes_.find(entry.name);
    const ForeignOption* option = option_named(options(), entry.name);
    if (option == nullptr && entry.name.starts_with("modelnet_"))
      option = option_named(options(), is_router(entry.name) ? "modelnet_X_router" : "modelnet_X");
    if (option == nullptr && is_router(entry.name)) option = option_named(options(), "modelnet_X_router");
    if (std::ranges::find(seen, entry.name) != seen.end()) {
      line.state = OptionState::left_out;
      line.becomes = "given twice; the first one counts";
    } else if (note != notes_.end() && (&section == params_ || option == nullptr || &section == group_)) {
      line.state = note->second.state;
      line.becomes = note->second.what;
    } else {
      describe_by_table(line, option, option == nullptr ? option_near(entry.name) : "");
    }
    seen.push_back(entry.name);
    lines.push_back(std::move(line));
  }
  for (const Section& inner : section.sections) add_lines(inner, lines);
}

std::vector<ImportedLine> Values::lines() const {
  std::vector<ImportedLine> lines;
  add_lines(tree_, lines);
  return lines;
}

void Values::fail(const std::string& name, const std::string& problem) const {
  const Entry* const entry = find(name);
  if (entry == nullptr) fail_at(params_->line, fmt::format("{}: {}", name, problem));
  fail_at(entry->line, fmt::format("{}: {}", shown(entry->text()), problem));
}

void Values::fail_at(u64 line, const std::string& what) const {
  throw ConfigError(fmt::format("{}:{}: {}", shown(file_), line, what));
}

}  // namespace weft::tools::codes
