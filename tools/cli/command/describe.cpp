// `weft describe`: the keys of config files, and what they may be.
#include "tools/run/config/describe.hpp"

#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/table.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/run/config/describe_json.hpp"
#include "tools/run/config/schema_json.hpp"

namespace weft::tools {
namespace {

struct DescribeOptions {
  std::vector<std::string> words;
  std::string json;    ///< all of it as JSON; "-": standard output, which then holds nothing else; empty: text
  std::string schema;  ///< a JSON schema of config files, likewise
  ConfigChoice of;     ///< only what this config can make use of, unless its path is empty
};

/// Writes what `text` makes to a file or, if that is "-", to standard output; nothing without a file.
void write_description(const char* what, const std::string& path, std::string (*text)()) {
  if (path.empty()) return;
  if (path == "-") return files::print(text());
  files::write_file_atomically(path, text(), files::Streams::allowed);
  files::print(labelled(what, path));
}

/// Prints what `describe` knows about the words, or writes all of it as JSON, or as a schema.
void print_description(const DescribeOptions& options) {
  if (!options.of.path.empty()) {
    if (!options.json.empty() || !options.schema.empty()) {
      throw ConfigError(fmt::format("{} and --for are both given (it has everything); leave one of them out",
                                    options.json.empty() ? "--schema" : "--json"));
    }
    return files::print(describe_for(Config::load(options.of.path, options.of.overrides), options.words));
  }
  if (!options.of.overrides.empty()) throw ConfigError("--set needs --for CONFIG here; add it, or leave --set out");
  if (options.json.empty() && options.schema.empty()) return files::print(describe(options.words));
  if (!options.words.empty()) {
    throw ConfigError(fmt::format("{} and the word '{}' are both given (it has everything); leave one of them out",
                                  options.json.empty() ? "--schema" : "--json", shown(options.words.front())));
  }
  files::CommandFiles files;
  files.writes("--json", options.json, files::Streams::allowed);
  files.writes("--schema", options.schema, files::Streams::allowed);
  write_description("json", options.json, describe_json);
  write_description("schema", options.schema, schema_json);
}

void add_describe(CLI::App& app, Command& chosen) {
  const auto options = std::make_shared<DescribeOptions>();
  CLI::App* command = app.add_subcommand("describe", "explain the keys of a config file and the values they take");
  command->add_option("WORD", options->words,
                      "a key, a table, or topologies, routers, patterns, kernels, formats, collectives, exchanges, "
                      "schedulers, congestion, figures; a word of BookSim, SST, CODES, SimGrid or INSEE, or of a "
                      "description; none: all keys");
  command->add_option("--for", options->of.path, "only the keys that this config can make use of, with their values")
      ->type_name("CONFIG");
  add_overrides(command, options->of);
  command->add_option("--json", options->json, "write everything as JSON; - is standard output")->type_name("FILE|-");
  command
      ->add_option("--schema", options->schema,
                   "write a JSON schema of config files, for editors; - is standard output")
      ->type_name("FILE|-");
  command->footer(
      "Examples:\n"
      "  weft describe --for examples/torus-uniform.toml router\n"
      "  weft describe num_vcs flit\n"
      "  weft describe --schema weft.schema.json");
  command->callback([options, &chosen] { chosen = on_first_rank([options] { print_description(*options); }); });
}

[[maybe_unused]] const bool describe_registered =
    CommandRegistry::instance().add("describe", {.place = 30, .add = add_describe});

}  // namespace
}  // namespace weft::tools
