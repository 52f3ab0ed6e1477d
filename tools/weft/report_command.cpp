// `weft report` and `weft describe`: commands that only hand on.
#include <fmt/format.h>

#include "engine/error.hpp"
#include "engine/shown.hpp"
#include "tools/config/describe.hpp"
#include "tools/config/describe_json.hpp"
#include "tools/files/atomic_file.hpp"
#include "tools/files/output_path.hpp"
#include "tools/files/standard_output.hpp"
#include "tools/text/table.hpp"
#include "tools/weft/commands.hpp"
#include "tools/weft/report_of_files.hpp"

namespace weft::tools {

void print_description(const DescribeOptions& options) {
  if (!options.of.path.empty()) {
    if (!options.json.empty())
      throw ConfigError("--json and --for are both given (JSON has everything); leave one of them out");
    return files::print(describe_for(Config::load(options.of.path, options.of.overrides), options.words));
  }
  if (!options.of.overrides.empty()) throw ConfigError("--set needs --for CONFIG here; add it, or leave --set out");
  if (options.json.empty()) return files::print(describe(options.words));
  if (!options.words.empty()) {
    throw ConfigError(
        fmt::format("--json and the word '{}' are both given (JSON has everything); leave one of them out",
                    shown(options.words.front())));
  }
  const std::string json = describe_json();
  if (options.json == "-") return files::print(json);
  files::CommandFiles().writes("--json", options.json, files::Streams::allowed);
  files::write_file_atomically(options.json, json, files::Streams::allowed);
  files::print(labelled("json", options.json));
}

void make_report(const ReportOptions& options) {
  files::CommandFiles files;
  for (const std::string& result : options.results) files.reads("a result", result);
  files.writes("--out", options.out);
  files::check_ending("--out", options.out, files::page_format());
  const std::string what = write_report_of(options.results, options.out);
  files::print(fmt::format("wrote {}: {}\n", options.out, what));
}

}  // namespace weft::tools
