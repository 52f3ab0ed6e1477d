// Prints the settings table and the registries; the only text of its own explains routing algorithms and file formats.
#include "tools/run/config/describe.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <map>
#include <sstream>

#include "engine/base/error.hpp"
#include "engine/base/synonyms.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"
#include "models/arbiter/scheduler.hpp"
#include "models/nic/congestion_scheme.hpp"
#include "models/routing/router_kind.hpp"
#include "models/topology/topology.hpp"
#include "tools/result/figures.hpp"
#include "tools/run/config/check/effect.hpp"
#include "tools/run/config/check/suggest.hpp"
#include "tools/run/config/describe_plugins.hpp"
#include "tools/run/config/rows/kind_defaults.hpp"
#include "tools/run/config/rows/registered_rows.hpp"
#include "tools/run/config/settings.hpp"
#include "tools/run/plugin/plugins.hpp"
#include "workloads/generator/accelerator/nccl.hpp"
#include "workloads/generator/collective/collective.hpp"
#include "workloads/generator/collective/rules.hpp"
#include "workloads/generator/kernel/kernel.hpp"
#include "workloads/generator/kind/workload_kind.hpp"
#include "workloads/generator/patterns.hpp"
#include "workloads/program/matching/matching.hpp"
#include "workloads/program/nic_policy/nic_policy.hpp"
#include "workloads/program/placement/policy.hpp"
#include "workloads/trace/trace_source.hpp"
#include "workloads/traffic/arrival_law.hpp"
#include "workloads/traffic/length_law.hpp"
#include "workloads/traffic/pattern/pattern.hpp"

namespace weft::tools {

namespace {

constexpr std::size_t line_width = 100;

/// `text` broken at blanks into lines of at most line_width characters that start with `indent` blanks.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::istringstream words(text);
  std::string result;
  std::string line(indent, ' ');
  for (std::string word; words >> word;) {
    if (line.size() > indent && line.size() + 1 + word.size() > line_width) {
      result += line + "\n";
      line.assign(indent, ' ');
    }
    if (line.size() > indent) line += ' ';
    line += word;
  }
  return result + line + "\n";
}

/// [key][value and kind]: kinds that have that value by default.
using OtherDefaults = std::map<std::string, std::map<std::string, std::string>>;

void add_kind(std::string& list, const std::string& kind) { list += (list.empty() ? "" : ", ") + kind; }

void add_of_workloads(OtherDefaults& all) {
  for (const std::string& name : workloads::workload_kinds()) {
    for (const models::DefaultValue& one : defaults_of(*workloads::WorkloadRegistry::instance().find(name)))
      add_kind(all[one.key][value_text(one.value) + " with workload.kind = "], fmt::format("\"{}\"", name));
  }
}

void add_of_router(OtherDefaults& all, const std::string& name) {
  const models::RouterKind& kind = models::router_kind(name);
  if (!kind.defaults) return;
  std::map<std::string, std::map<std::string, std::vector<std::string>>> topologies;  // by key and value
  for (const std::string& topology : models::TopologyRegistry::instance().names()) {
    if (!fits_family(kind, models::TopologyRegistry::instance().find(topology)->family)) continue;
    for (const models::DefaultValue& one : kind.defaults(topology))
      topologies[one.key][value_text(one.value)].push_back(topology);
  }
  for (const auto& [key, values] : topologies) {
    for (const auto& [value, fitting] : values) {
      const std::string where = values.size() == 1 ? "" : fmt::format(" on {}", fmt::join(fitting, ", "));
      add_kind(all[key][value + " with router.kind = "], fmt::format("\"{}\"{}", name, where));
    }
  }
}

/// Other defaults of all kinds that are registered; looked up once, and again when plug-ins have added some.
const OtherDefaults& all_other_defaults() {
  static OtherDefaults all;
  static std::size_t known = 0;
  const std::vector<std::string> routers = models::RouterRegistry::instance().names();
  const std::size_t kinds =
      routers.size() + workloads::workload_kinds().size() + models::TopologyRegistry::instance().names().size();
  if (kinds == known) return all;
  known = kinds;
  all.clear();
  add_of_workloads(all);
  for (const std::string& name : routers) add_of_router(all, name);
  return all;
}

/// Defaults that kinds have in place of the setting's own: "; 1.0 with workload.kind = "aicb", "inference"".
std::string other_defaults(const Setting& setting) {
  const OtherDefaults& all = all_other_defaults();
  const auto found = all.find(setting.key);
  if (found == all.end()) return "";
  std::string text;
  for (const auto& [value, list] : found->second) text += fmt::format("; {}{}", value, list);
  return text;
}

/// `config`: one whose value is told, too, and whose default.
std::string setting_description(const Setting& setting, const Config* config = nullptr) {
  std::string facts = type_name(setting.type);
  if (setting.type != SettingType::text && setting.type != SettingType::boolean) facts += ", " + range_text(setting);
  if (config == nullptr) {
    facts += "; default " + value_text(setting.fallback) + other_defaults(setting);
  } else {
    const Config plain = config->without([&](const std::string& key) { return key == setting.key; });
    facts += "; default " + value_text(plain.value(setting.key));
  }
  const std::string value = config == nullptr ? "" : " = " + value_text(config->value(setting.key));
  return wrapped(setting.key + value, 2) + wrapped(facts, 6) + wrapped(setting.help, 6);
}

std::string table_description(const SettingTable& table) {
  std::string text = fmt::format("[{}]  {}\n", table.name, table.help);
  for (const Setting& setting : settings()) {
    if (setting.table() == table.name) text += setting_description(setting);
  }
  return text;
}

std::string jobs_description() {
  std::string text = "[[job]]  several jobs on one network, each with [job.workload] and [job.placement] of its own\n";
  for (const Setting& setting : job_settings()) text += setting_description(setting);
  return text;
}

std::string include_description() {
  return wrapped("include", 2) + wrapped("text or list of texts; none", 6) +
         wrapped(
             "Config files to be read first, relative to the file that includes them; what this file gives itself "
             "wins over what they give, and what a later one gives over an earlier one. They may include others. "
             "Relative paths in a file start at its own directory.",
             6);
}

std::string plugins_description() {
  return wrapped("plugins", 2) + wrapped("text or list of texts; none", 6) +
         wrapped(
             "Shared libraries that add topologies, routers, patterns... (docs/plugins.md): relative to the file that "
             "names them, or else in a folder of the environment variable WEFT_PLUGIN_PATH.",
             6);
}

const std::map<std::string, std::function<std::string()>>& subjects();

std::string all_settings() {
  std::string text = "settings of a config file (TOML): key, then type, range with unit, default, and meaning\n\n";
  for (const Setting& setting : settings()) {
    if (setting.table().empty()) text += setting_description(setting);
  }
  text += include_description() + plugins_description();
  for (const SettingTable& table : setting_tables()) text += "\n" + table_description(table);
  text += "\n" + jobs_description();
  std::vector<std::string> names;
  for (const auto& [name, subject] : subjects()) names.push_back(name);
  return text + fmt::format("\nmore: weft describe {}\n", fmt::join(names, " | "));
}

/// Names and help texts of a registry, one below the other.
template <class Entry>
std::string registered(const std::string& title) {
  const auto& registry = Registry<Entry>::instance();
  const std::vector<std::string> names = registry.names();
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name.size());
  std::string text = title + "\n";
  for (const std::string& name : names) {
    text += fmt::format("  {:<{}}  {}\n", name, width, registry.find(name)->help);
  }
  return text;
}

std::string topologies() { return registered<models::TopologyKind>("kinds of network (topology.kind)"); }
std::string workload_kinds() { return registered<workloads::WorkloadKind>("kinds of workloads (workload.kind)"); }
std::string patterns() { return registered<workloads::PatternKind>("traffic patterns (workload.pattern)"); }
std::string kernels() { return registered<workloads::KernelKind>("application kernels (workload.name)"); }

std::string exchanges() {
  return registered<workloads::FlowPattern>(
             "patterns of exchanges (workload.name) and of weft fabric ebb (--pattern)") +
         "  pairs: those of workload.pairs; neighbours is written with a number: neighbours:2, :4, :6\n";
}

/// `column`: where the text begins.
std::string mode_description(const models::RouterMode& mode, std::size_t column) {
  std::string text = wrapped(mode.help, column);
  return text.replace(2, mode.name.size(), mode.name);
}

/// Defaults of a kind, those that some topologies have otherwise with these.
std::string default_description(const models::RouterKind& router) {
  std::string text;
  std::map<std::string, std::string> shown;  // by key: what most have
  for (const models::DefaultValue& one : router.defaults("")) {
    shown[one.key] = value_text(one.value);
    text += fmt::format("{}{} = {}", text.empty() ? "defaults: " : ", ", one.key, shown[one.key]);
  }
  for (const std::string& topology : models::TopologyRegistry::instance().names()) {
    for (const models::DefaultValue& one : router.defaults(topology)) {
      const std::string value = value_text(one.value);
      if (shown[one.key] != value) text += fmt::format("; on {}: {} = {}", topology, one.key, value);
    }
  }
  return wrapped(text, 2);
}

std::string router_description(const std::string& name) {
  const models::RouterKind& router = models::router_kind(name);
  std::string text = wrapped(name + ": " + router.help, 2).substr(2);
  const std::vector<models::RouterMode> modes = router.takes_routes ? std::vector<models::RouterMode>{} : router.modes;
  std::size_t column = 13;
  for (const models::RouterMode& mode : modes) column = std::max(column, mode.name.size() + 4);
  for (const models::RouterMode& mode : modes) text += mode_description(mode, column);
  if (router.defaults) text += default_description(router);
  return text;
}

std::string routers() {
  std::string text = "router models (router.kind) and their routing algorithms (router.routing)\n";
  for (const std::string& name : models::RouterRegistry::instance().names()) text += router_description(name);
  return text;
}

std::string schedulers() {
  return registered<models::arbiter::SchedulerKind>("schedulers of switches (router.scheduling)");
}

std::string congestion() {
  using models::endpoint::CongestionKind;
  return registered<CongestionKind>(
      fmt::format("congestion control (congestion.kind); all but {} are for switches of cells",
                  fmt::join(kinds_that(&CongestionKind::of_all_routers), ", ")));
}

std::string lengths() { return registered<workloads::LengthLaw>("laws of packet lengths (workload.packet_length)"); }

std::string arrivals_of_sources() { return registered<workloads::ArrivalLaw>("laws of arrivals (workload.arrivals)"); }

std::string matchings() {
  return registered<workloads::MatchingKind>("rules by which receives find their messages (workload.matching)");
}

std::string nic_policies() {
  return registered<workloads::NicPolicyKind>("which NIC of its node a message leaves by (node.nic_policy)");
}

std::string placements() {
  return registered<workloads::PlacementKind>("orders in which tasks fill nodes (placement.policy)");
}

std::string formats() {
  std::string text =
      registered<workloads::TraceFormat>("trace formats (workload.trace_format); compressed files are recognised");
  return text +
         "other files\n"
         "  config  TOML with format = 1; weft describe lists its keys\n"
         "  result  HDF5 (--out), with the config, units and the digest inside; a JSON summary (--json)\n";
}

std::vector<std::string> default_collectives() {
  std::vector<std::string> usual;
  const auto& registry = workloads::CollectiveRegistry::instance();
  for (const std::string& name : registry.names()) {
    if (registry.find(name)->is_default) usual.push_back(name);
  }
  return usual;
}

std::string collectives() {
  return registered<workloads::CollectiveOperation>("collective operations (workload.name); task 0 is the root") +
         registered<workloads::CollectiveKind>("their algorithms (workload.algorithm); P tasks") +
         wrapped(fmt::format("algorithm = \"auto\": {}", fmt::join(default_collectives(), ", ")), 0) +
         registered<workloads::CollectiveRules>("or by the rules of an MPI library (workload.collectives)");
}

std::string accelerators() {
  return registered<workloads::NcclKind>(
      "operations of accelerators and their algorithms (workload.kind = \"nccl\": workload.name, workload.algorithm)");
}

std::string figures_of_results() {
  std::string text =
      "figures of a result: name in the JSON summary, unit, meaning, and where the HDF5 file has them; of several "
      "seeds "
      "that\nof the first, or what is said\n";
  for (const AnyFigure& figure : all_figures()) {
    text += fmt::format("  {}{}{}\n", figure.name, *figure.unit == '\0' ? "" : "  ", figure.unit);
    const std::string seeds = figure.merge == Merge::first ? "" : fmt::format("; seeds: {}", name_of(figure.merge));
    text +=
        wrapped(fmt::format("{} ({}{})", figure.help, figure.path.empty() ? "summary only" : figure.path, seeds), 6);
  }
  return text;
}

const std::map<std::string, std::function<std::string()>>& subjects() {
  static const std::map<std::string, std::function<std::string()>> all{
      {"topologies", topologies},    {"routers", routers},
      {"patterns", patterns},        {"kernels", kernels},
      {"formats", formats},          {"collectives", collectives},
      {"exchanges", exchanges},      {"figures", figures_of_results},
      {"schedulers", schedulers},    {"congestion", congestion},
      {"lengths", lengths},          {"arrivals", arrivals_of_sources},
      {"workloads", workload_kinds}, {"placements", placements},
      {"matchings", matchings},      {"nic-policies", nic_policies},
      {"accelerators", accelerators}};
  return all;
}

/// What a word can stand for beside subjects, tables and keys. Only what is asked for is described: all together take
/// as long as all settings many times.
struct Thing {
  std::string name;
  std::function<std::string()> description;
  std::string key = {};   ///< whose value it is: "topology.kind"
  std::string help = {};  ///< what words are looked for in
};

template <class Entry>
void add_registered(std::vector<Thing>& things, const std::string& what, const std::string& key) {
  for (const std::string& name : Registry<Entry>::instance().names()) {
    things.push_back({name,
                      [name, what, key] {
                        return fmt::format("{} = \"{}\": {}\n", key, name, what) +
                               wrapped(Registry<Entry>::instance().find(name)->help, 2);
                      },
                      key, Registry<Entry>::instance().find(name)->help});
  }
}

void add_collectives(std::vector<Thing>& things) {
  const auto& registry = workloads::CollectiveRegistry::instance();
  for (const std::string& operation : workloads::collective_operations()) {
    things.push_back({operation,
                      [operation] {
                        return fmt::format("workload.name = \"{}\": a collective operation: {}\n", operation,
                                           workloads::OperationRegistry::instance().find(operation)->help);
                      },
                      "workload.name", workloads::OperationRegistry::instance().find(operation)->help});
    for (const std::string& name : registry.names()) {
      const workloads::CollectiveKind& kind = *registry.find(name);
      if (kind.operation != operation) continue;
      const auto text = [operation, &kind] {
        return fmt::format("workload.algorithm = \"{}\": an algorithm of {}\n{}", kind.algorithm, operation,
                           wrapped(kind.help, 2));
      };
      things.push_back({kind.algorithm, text, "workload.algorithm", kind.help});
      things.push_back({operation, text});
    }
  }
}

/// Adds a kind with keys of its own: its help, and theirs.
template <class Entry>
void add_with_keys(std::vector<Thing>& things, const std::string& name, const std::string& key,
                   const std::string& what) {
  things.push_back({name,
                    [name, key, what] {
                      const Entry& kind = *Registry<Entry>::instance().find(name);
                      std::string text = fmt::format("{} = \"{}\": {}\n", key, name, what) + wrapped(kind.help, 2);
                      for (const Setting& setting : kind.settings)
                        text += setting_description(*find_setting(setting.key));
                      return text;
                    },
                    key, Registry<Entry>::instance().find(name)->help});
}

/// Everything that a setting can name, in the order in which it is shown: a word may stand for several.
std::vector<Thing> things() {
  std::vector<Thing> all;
  add_registered<models::TopologyKind>(all, "a kind of network", "topology.kind");
  for (const std::string& name : models::RouterRegistry::instance().names()) {
    all.push_back(
        {name,
         [name] { return fmt::format("router.kind = \"{}\": a router model\n{}", name, router_description(name)); },
         "router.kind", models::router_kind(name).help});
    const models::RouterKind& kind = models::router_kind(name);
    if (kind.takes_routes) continue;
    for (const models::RouterMode& mode : kind.modes) {
      for (const std::string& word : {mode.name, mode.also}) {
        if (word.empty()) continue;
        all.push_back({word,
                       [name, word, &mode] {
                         return fmt::format("router.routing = \"{}\": a routing algorithm of {} routers\n{}", word,
                                            name, wrapped(mode.help, 2));
                       },
                       "router.routing", mode.help});
      }
    }
  }
  for (const std::string& name : workloads::workload_kinds())
    add_with_keys<workloads::WorkloadKind>(all, name, "workload.kind", "a kind of workload");
  add_registered<workloads::PatternKind>(all, "a traffic pattern", "workload.pattern");
  add_registered<workloads::LengthLaw>(all, "a law of packet lengths", "workload.packet_length");
  add_registered<workloads::ArrivalLaw>(all, "a law of arrivals", "workload.arrivals");
  add_registered<workloads::MatchingKind>(all, "a rule by which receives find their messages", "workload.matching");
  add_registered<workloads::NicPolicyKind>(all, "which NIC a message leaves by", "node.nic_policy");
  add_registered<workloads::PlacementKind>(all, "an order in which tasks fill nodes", "placement.policy");
  add_registered<models::arbiter::SchedulerKind>(all, "a scheduler of switches", "router.scheduling");
  add_registered<models::endpoint::CongestionKind>(all, "congestion control of switches of cells", "congestion.kind");
  for (const std::string& name : workloads::KernelRegistry::instance().names())
    add_with_keys<workloads::KernelKind>(all, name, "workload.name", "an application kernel");
  add_registered<workloads::FlowPattern>(all, "a pattern of exchanges", "workload.name");
  add_collectives(all);
  add_registered<workloads::NcclKind>(all, "an operation of accelerators and its algorithm",
                                      "workload.kind = \"nccl\", workload.name and workload.algorithm");
  add_registered<workloads::TraceFormat>(all, "a trace format", "workload.trace_format");
  for (const Setting& setting : settings()) {
    if (setting.key == "router.kind" || setting.key == "workload.kind") continue;
    for (const std::string& choice : setting.choices) {
      all.push_back({choice,
                     [&setting, choice] {
                       return fmt::format("{} = \"{}\"\n{}", setting.key, choice, setting_description(setting));
                     },
                     setting.key});
    }
  }
  return all;
}

/// Description of one word: a subject, a table, the name of one or more keys, or what a setting can name; empty for
/// others. Adds to `known` what there is.
std::string named_description(const std::string& word, std::vector<std::string>& known) {
  if (const auto it = subjects().find(word); it != subjects().end()) {
    std::string text = it->second();
    for (const SettingTable& table : setting_tables()) {
      if (table.name == word) text += "\n" + table_description(table);
    }
    return text;
  }
  if (word == include_key) return include_description();
  if (word == plugins_key) return plugins_description() + describe_plugins();
  if (word == "job" || word == "jobs") return jobs_description();
  known = {include_key, plugins_key, "job"};
  for (const auto& [name, subject] : subjects()) known.push_back(name);
  std::string text;
  for (const SettingTable& table : setting_tables()) {
    if (table.name == word) text += table_description(table);
    known.push_back(table.name);
  }
  const bool is_table = !text.empty();  // shown alone
  for (const Setting& setting : settings()) {
    if (setting.key == word || setting.name() == word) text += setting_description(setting);
    known.push_back(setting.key);
    known.push_back(setting.name());
  }
  for (const Setting& setting : job_settings()) {
    if (setting.key == word) text += setting_description(setting);
    known.push_back(setting.key);
  }
  for (const Thing& thing : things()) {
    if (thing.name == word && !is_table) text += (text.empty() ? "" : "\n") + thing.description();
    known.push_back(thing.name);
  }
  return text;
}

/// A key of here, or a value of it, as a config has it.
std::string written(const Meaning& here) {
  return here.value.empty() ? here.key : fmt::format("{} = \"{}\"", here.key, here.value);
}

/// "num_vcs (BookSim, SST) is router.virtual_channels here".
std::string about(const Synonym& synonym, const std::string& word) {
  std::string here;
  for (const Meaning& meaning : synonym.here) here += (here.empty() ? "" : ", ") + written(meaning);
  return wrapped(fmt::format("{} ({}) is {} here{}{}", shown(word), synonym.whose, here.empty() ? "nothing" : here,
                             synonym.comment.empty() ? "" : ": ", synonym.comment),
                 0);
}

/// What others call so, where a description of the word does not have it.
std::string other_meanings(const std::string& word, const std::string& description) {
  std::string text;
  for (const Synonym& synonym : synonyms_of(word)) {
    const auto is_told = [&](const Meaning& here) { return description.find(written(here)) != std::string::npos; };
    if (!synonym.here.empty() && std::ranges::none_of(synonym.here, is_told)) text += "\n" + about(synonym, word);
  }
  return text;
}

std::string meaning_description(const Meaning& here) {
  if (here.value.empty()) {
    if (const Setting* const setting = find_setting(here.key)) return setting_description(*setting);
    const auto of_job = std::ranges::find(job_settings(), here.key, &Setting::key);
    return of_job == job_settings().end() ? "" : setting_description(*of_job);
  }
  std::string text;
  for (const Thing& thing : things()) {
    if (thing.key == here.key && thing.name == here.value) text += thing.description();
  }
  return text;
}

/// A word that another simulator has, or that differs from one of `known` by case and joints alone: what it is here.
std::string meant_description(const std::string& word, const std::vector<std::string>& known) {
  std::string heads, text;
  std::vector<std::string> described, none;
  const auto describe_once = [&](const std::string& name, const std::string& description) {
    if (std::ranges::find(described, name) != described.end()) return;
    described.push_back(name);
    text += description;
  };
  for (const Synonym& synonym : synonyms_of(word)) {
    const std::string head = about(synonym, word);
    if (heads.find(head) == std::string::npos) heads += head;
    for (const Meaning& meaning : synonym.here) describe_once(written(meaning), meaning_description(meaning));
  }
  const std::string plain = plain_word(word);
  for (const std::string& name : known) {
    if (!plain.empty() && plain_word(name) == plain) describe_once(name, named_description(name, none));
  }
  return heads + text;
}

/// Whether a text has `word`, or more than one of it, as a word of its own. Both in small letters.
bool speaks_of(const std::string& text, const std::string& word) {
  const auto is_part = [&](std::size_t at) {
    return at < text.size() && ((text[at] >= 'a' && text[at] <= 'z') || (text[at] >= '0' && text[at] <= '9'));
  };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part(at - 1)) && (!is_part(end) || (text[end] == 's' && !is_part(end + 1)))) return true;
  }
  return false;
}

/// "router.virtual_channels: queues of each link": the first sentence of what is said.
std::string mention(const std::string& name, const std::string& help) {
  return wrapped(fmt::format("{}: {}", name, help.substr(0, help.find(". "))), 2);
}

/// The keys and values whose descriptions have a word; empty if none does.
std::string mentions(const std::string& given) {
  constexpr std::size_t most = 25, least_letters = 3;
  const std::string word = lower(given);
  if (word.size() < least_letters) return "";
  std::vector<std::string> lines;
  for (const Setting& setting : settings()) {
    if (speaks_of(lower(setting.help), word) || speaks_of(lower(setting.name()), word))
      lines.push_back(mention(setting.key, setting.help));
  }
  for (const Thing& thing : things()) {
    if (thing.help.empty() || !speaks_of(lower(thing.help), word)) continue;
    std::string line = mention(fmt::format("{} = \"{}\"", thing.key, thing.name), thing.help);
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }
  std::string text;
  for (std::size_t n = 0; n < std::min(lines.size(), most); ++n) text += lines[n];
  if (lines.size() > most) text += fmt::format("  and {} more\n", lines.size() - most);
  return text;
}

/// Description of one word: what is named so here, else what others name so, and what is described with it.
std::string describe_word(const std::string& word) {
  std::vector<std::string> known;
  std::string text = named_description(word, known);
  if (!text.empty()) return text + other_meanings(word, text);
  constexpr std::size_t longest = 100;
  if (word.size() <= longest) {
    text = meant_description(word, known);
    if (const std::string found = mentions(word); !found.empty())
      text += fmt::format("{}{} is spoken of in\n{}", text.empty() ? "" : "\n", shown(word), found);
  }
  if (!text.empty()) return text;
  throw ConfigError(
      fmt::format("nothing known about \"{}\" (it is no key, table, subject or name of a choice, and in no "
                  "description); {}",
                  shown(word), word_suggestion(word, known)));
}

}  // namespace

std::string describe(const std::vector<std::string>& words) {
  if (words.empty()) return plugins().empty() ? all_settings() : describe_plugins();
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "\n") + describe_word(word);
  return text;
}

std::string describe_for(const Config& config, const std::vector<std::string>& tables) {
  std::vector<std::string> names;
  for (const SettingTable& table : setting_tables()) names.push_back(table.name);
  for (const std::string& word : tables) {
    if (std::ranges::find(names, word) != names.end()) continue;
    throw ConfigError(fmt::format("\"{}\" is no table of a config; {}", shown(word), word_suggestion(word, names)));
  }
  const std::vector<const Setting*> used = settings_in_use(config);
  std::string text = fmt::format("settings that {} can make use of, with their values\n", shown(config.path()));
  for (const SettingTable& table : setting_tables()) {
    if (!tables.empty() && std::ranges::find(tables, table.name) == tables.end()) continue;
    std::string rows;
    for (const Setting* const setting : used) {
      if (!config.jobs().empty() && is_table_of_jobs(table.name)) continue;
      if (setting->table() == table.name) rows += setting_description(*setting, &config);
    }
    if (!rows.empty()) text += fmt::format("\n[{}]  {}\n{}", table.name, table.help, rows);
  }
  for (const GivenJob& job : config.jobs()) {
    if (!tables.empty()) break;
    text += fmt::format("\n[[job]]  {}, in {}\n", job.name, job.place);
    const Config of_job = config.of_job(job.name);
    for (const Setting* const setting : settings_in_use(of_job)) {
      if (is_table_of_jobs(setting->table())) text += setting_description(*setting, &of_job);
    }
  }
  return text;
}

}  // namespace weft::tools
