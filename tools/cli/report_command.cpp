// `weft report` and `weft describe`: commands that only hand on.
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/file/atomic_file.hpp"
#include "engine/base/file/output_path.hpp"
#include "engine/base/file/standard_output.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/table.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/report_of_files.hpp"
#include "tools/run/config/describe.hpp"
#include "tools/run/config/describe_json.hpp"
#include "tools/run/config/schema_json.hpp"

namespace weft::tools {

namespace {

/// Writes what `text` makes to a file or, if that is "-", to standard output; nothing without a file.
void write_description(const char* what, const std::string& path, std::string (*text)()) {
  if (path.empty()) return;
  if (path == "-") return files::print(text());
  files::write_file_atomically(path, text(), files::Streams::allowed);
  files::print(labelled(what, path));
}

}  // namespace

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

void make_report(const ReportOptions& options) {
  files::CommandFiles files;
  for (const std::string& result : options.results) files.reads("a result", result);
  files.writes("--out", options.out, files::page_format());
  const std::string what = write_report_of(options.results, options.out);
  files::print(fmt::format("wrote {}: {}\n", options.out, what));
}

}  // namespace weft::tools
