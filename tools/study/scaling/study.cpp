// From the TOML of a scaling study to checked values; see the header.
#include "tools/study/scaling/study.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "tools/run/config/check/validate.hpp"
#include "tools/run/config/study_table.hpp"
#include "tools/run/config/toml_text.hpp"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

constexpr i64 most_ranks = 1'000'000, most_repeats = 1000;

/// One table of the study file, read key by key; what is left over at the end is unknown.
class Reader {
 public:
  Reader(const toml::table& table, std::string path, std::string name, u32 line)
      : table_(table), path_(std::move(path)), name_(std::move(name)), line_(line) {}

  [[noreturn]] void fail(const std::string& key, const std::string& problem) const {
    const toml::node* node = table_.get(key);
    const u32 line = node == nullptr ? line_ : static_cast<u32>(node->source().begin.line);
    throw ConfigError(path_ + (line == 0 ? "" : ":" + std::to_string(line)) + ": " + problem);
  }

  [[nodiscard]] std::string full(const std::string& key) const { return name_.empty() ? key : name_ + "." + key; }

  const toml::node* node(const std::string& key) {
    known_.push_back(key);
    return table_.get(key);
  }

  std::string text(const std::string& key, const std::string& fallback, bool needed = false) {
    const toml::node* found = node(key);
    if (found == nullptr && needed) fail(key, full(key) + " is missing (it has no default); add " + key + " = \"...\"");
    if (found == nullptr) return fallback;
    const auto value = found->value_exact<std::string>();
    if (!value || value->empty()) fail(key, full(key) + " is not a text; write " + key + " = \"...\"");
    return *value;
  }

  i64 integer(const std::string& key, i64 fallback, i64 least, i64 most) {
    const toml::node* found = node(key);
    return found == nullptr ? fallback : integer_of(*found, key, least, most);
  }

  std::vector<i64> integers(const std::string& key, i64 least, i64 most) {
    std::vector<i64> values;
    for (const toml::node& one : list(key)) values.push_back(integer_of(one, key, least, most));
    return values;
  }

  std::vector<std::string> texts(const std::string& key) {
    std::vector<std::string> values;
    for (const toml::node& one : list(key)) {
      const auto value = one.value_exact<std::string>();
      if (!value) fail(key, full(key) + " is not a list of texts; write " + key + " = [\"...\"]");
      if (std::ranges::find(values, *value) != values.end()) {
        fail(key, full(key) + " has '" + *value + "' twice (each run is made once, see repeat); keep one of them");
      }
      values.push_back(*value);
    }
    return values;
  }

  /// Whatever has not been asked for is an error.
  void finish() const {
    for (const auto& [key, value] : table_) {
      const std::string word(key.str());
      if (std::ranges::find(known_, word) != known_.end()) continue;
      fail(word,
           "unknown key " + full(word) + " in a scaling study; did you mean " + full(nearest(word, known_)) + "?");
    }
  }

 private:
  i64 integer_of(const toml::node& found, const std::string& key, i64 least, i64 most) const {
    const auto value = found.value_exact<i64>();
    if (!value || *value < least || *value > most) {
      fail(key, full(key) + " is not what it should be; give whole numbers from " + std::to_string(least) + " to " +
                    std::to_string(most));
    }
    return *value;
  }

  const toml::array& list(const std::string& key) {
    const toml::node* found = node(key);
    if (found == nullptr) fail(key, full(key) + " is missing (it has no default); add " + key + " = [...]");
    if (!found->is_array() || found->as_array()->empty()) {
      fail(key, full(key) + " is not a list with at least one value; write " + key + " = [...]");
    }
    return *found->as_array();
  }

  const toml::table& table_;
  std::string path_, name_;
  u32 line_;
  std::vector<std::string> known_;
};

std::string from_folder(const std::string& study, const std::string& path) {
  return (fs::path(study).parent_path() / path).lexically_normal().string();
}

void read_sizes(Reader& reader, ScalingStudy& study) {
  const toml::node* node = reader.node("size");
  if (node == nullptr) {
    study.sizes.push_back({.name = "base", .settings = {}, .config_hash = 0});
    return;
  }
  if (!node->is_array() || !node->as_array()->is_array_of_tables()) {
    reader.fail("size", "scaling.size is no list of tables; write [[scaling.size]] and name, set below");
  }
  std::set<std::string> names;
  for (const toml::node& one : *node->as_array()) {
    Reader size(*one.as_table(), study.path, "scaling.size", static_cast<u32>(one.source().begin.line));
    StudySize read;
    read.name = size.text("name", "", true);
    if (size.node("set") != nullptr) read.settings = size.texts("set");
    size.finish();
    if (!names.insert(read.name).second) {
      size.fail("name", "two sizes are called '" + read.name + "' (results are told apart by name); rename one");
    }
    study.sizes.push_back(read);
  }
}

void read_ranks(Reader& reader, ScalingStudy& study) {
  for (const i64 ranks : reader.integers("ranks", 1, most_ranks)) study.ranks.push_back(static_cast<u32>(ranks));
  if (!std::ranges::is_sorted(study.ranks, std::less_equal<>())) {
    reader.fail("ranks", "scaling.ranks is not ascending (or has a number twice); sort it");
  }
}

/// Words that [parallel] knows, and that a matrix can have.
void read_words(Reader& reader, ScalingStudy& study) {
  if (reader.node("protocols") != nullptr) study.protocols = reader.texts("protocols");
  if (reader.node("partitions") != nullptr) study.partitions = reader.texts("partitions");
  const auto check = [&](const char* key, const std::vector<std::string>& words, const std::string& setting) {
    const std::vector<std::string>& known = find_setting(setting)->choices;
    for (const std::string& word : words) {
      if (word == "sequential") {
        reader.fail(key,
                    "scaling.protocols has 'sequential' (one rank is always sequential, more never); leave it out");
      }
      if (std::ranges::find(known, word) != known.end()) continue;
      reader.fail(key, "scaling." + std::string(key) + " has '" + word + "', which " + setting +
                           " does not know; did you mean '" + nearest(word, known) + "'?");
    }
  };
  check("protocols", study.protocols, "parallel.protocol");
  check("partitions", study.partitions, "parallel.partition");
}

/// A model is of one protocol: "auto" becomes for all rank counts what it is on the most.
void resolve_protocols(ScalingStudy& study) {
  std::vector<std::string> settled;
  for (const std::string& word : study.protocols) {
    const std::string protocol = word == "auto" ? automatic_protocol(study.ranks.back()) : word;
    if (std::ranges::find(settled, protocol) == settled.end()) settled.push_back(protocol);
  }
  study.protocols = std::move(settled);
}

/// What the matrix decides about itself is no setting of a size; the rest is checked as a config.
void check_settings(ScalingStudy& study) {
  for (StudySize& size : study.sizes) {
    for (const std::string& setting : size.settings) {
      if (!setting.starts_with("parallel.")) continue;
      throw ConfigError(study.path + ": size '" + size.name + "' sets " + setting +
                        " (the study does that); use scaling.protocols and scaling.partitions");
    }
    try {
      const Config config = study.config(size);
      validate(config);
      size.config_hash = config.hash();
    } catch (const ConfigError& error) {
      throw ConfigError(study.path + ": size '" + size.name + "': " + error.what(), error.detail());
    }
  }
}

}  // namespace

Config ScalingStudy::config(const StudySize& size, const std::vector<std::string>& more) const {
  std::vector<std::string> settings = size.settings;
  settings.insert(settings.end(), more.begin(), more.end());
  return Config::load(base, settings);
}

ScalingStudy load_scaling_study(const std::string& path) {
  ScalingStudy study = read_scaling_study(study_text(path), path);
  check_settings(study);
  return study;
}

ScalingStudy read_scaling_study(const std::string& text, const std::string& path) {
  const toml::table root = parse_toml(text, path);
  Reader top(root, path, "", 0);
  if (top.integer("format", 0, 1, 1) != 1) top.fail("format", "no format is given; begin the study with format = 1");
  const toml::node* node = top.node("scaling");
  if (node == nullptr || !node->is_table()) {
    top.fail("scaling", "there is no table [scaling] (it says what to run); see weft scaling --help");
  }
  top.finish();

  Reader reader(*node->as_table(), path, "scaling", static_cast<u32>(node->source().begin.line));
  ScalingStudy study;
  study.path = path;
  study.name = reader.text("name", fs::path(path).stem().string());
  study.base = from_folder(path, reader.text("base", "", true));
  study.out = from_folder(path, reader.text("out", study.name + "-scaling"));
  const std::string kind = reader.text("kind", "strong");
  if (kind != "strong" && kind != "weak") {
    reader.fail("kind", "scaling.kind is '" + kind + "'; give \"strong\" or \"weak\"");
  }
  study.kind = kind == "weak" ? ScalingKind::weak : ScalingKind::strong;
  read_ranks(reader, study);
  study.repeats = static_cast<u32>(reader.integer("repeat", 3, 1, most_repeats));
  read_words(reader, study);
  resolve_protocols(study);
  study.cores = static_cast<u32>(reader.integer("cores", 0, 0, most_ranks));
  study.cache_bytes = static_cast<u64>(reader.integer("cache_bytes", 0, 0, i64{1} << 40));
  read_sizes(reader, study);
  reader.finish();
  if (study.kind == ScalingKind::weak && study.sizes.size() != study.ranks.size()) {
    reader.fail("size", "a weak study has a size for each rank count (there are " + std::to_string(study.sizes.size()) +
                            " sizes and " + std::to_string(study.ranks.size()) +
                            " rank counts); give as many [[scaling.size]] as scaling.ranks");
  }
  return study;
}

std::vector<Cell> study_cells(const ScalingStudy& study) {
  std::vector<Cell> cells;
  const auto add = [&](std::size_t size_ix, u32 ranks) {
    if (ranks == 1) {
      cells.push_back({size_ix, 1, "sequential", "none"});
      return;
    }
    for (const std::string& protocol : study.protocols) {
      for (const std::string& partition : study.partitions) cells.push_back({size_ix, ranks, protocol, partition});
    }
  };
  if (study.kind == ScalingKind::weak) {
    for (std::size_t ix = 0; ix < study.sizes.size(); ++ix) add(ix, study.ranks[ix]);
    return cells;
  }
  for (std::size_t ix = 0; ix < study.sizes.size(); ++ix) {
    for (const u32 ranks : study.ranks) add(ix, ranks);
  }
  return cells;
}

}  // namespace weft::tools
