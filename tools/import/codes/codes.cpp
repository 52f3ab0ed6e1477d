// Configs of CODES (codes-org/codes): .conf files of model-net, and the files of connections, workloads and allocations
// that belong to them.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/import/codes/conversion.hpp"
#include "tools/import/codes/options.hpp"
#include "tools/import/importer.hpp"

namespace weft::tools {
namespace codes {
namespace {

std::string_view last_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

const ForeignFile* Conversion::file_named(std::string_view path) {
  if (path.empty()) return nullptr;
  const auto found = std::ranges::find_if(task.files, [&](const ForeignFile& file) {
    return file.path != in.file() && last_part(file.path) == last_part(path);
  });
  if (found == task.files.end()) return nullptr;
  used.push_back(found->path);
  return &*found;
}

std::string Conversion::add_companion(const std::string& ending, const std::string& text) {
  return tools::add_companion(companions, task.stem, in.file(), ending, text);
}

}  // namespace codes

namespace {

/// A word at the begin of a line with a brace behind it, or at the end of the line before one.
bool has_section(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t after = text.find_first_not_of(" \t\r\n", at + name.size());
    if ((at == 0 || text[at - 1] == '\n' || text[at - 1] == ' ' || text[at - 1] == '\t') &&
        after != std::string_view::npos && text[after] == '{')
      return true;
  }
  return false;
}

bool is_codes(std::string_view text) { return has_section(text, "LPGROUPS") || has_section(text, "MODELNET_GRP"); }

/// The form that CODES has besides since 2026.
bool is_yaml(std::string_view text) {
  return text.find("schema_version:") != std::string_view::npos && text.find('{') != 0;
}

const ForeignFile& conf_of(const ImportTask& task) {
  const ForeignFile* conf = nullptr;
  for (const ForeignFile& file : task.files) {
    if (!is_codes(file.text)) continue;
    if (conf != nullptr) {
      throw ConfigError(
          fmt::format("{}: is a second config beside {}; import them one by one", shown(file.path), shown(conf->path)));
    }
    conf = &file;
  }
  if (conf != nullptr) return *conf;
  const ForeignFile& first = task.files.front();
  if (is_yaml(first.text)) {
    throw ConfigError(
        fmt::format("{}: is a config of CODES in YAML (schema_version), of which weft reads the older form; "
                    "give the .conf beside it, with the same options",
                    shown(first.path)));
  }
  // A file that begins so, but is cut off, has its error with a line.
  return first;
}

ImportedConfig import_codes(const ImportTask& task) {
  codes::Conversion all(task, conf_of(task));
  all.out.set("", "format", i64{1});
  const std::string& model = all.in.model();
  const bool ideal = model == "simplenet" || model == "simplep2p" || model == "simplewan" || model == "loggp";
  const codes::Network network = ideal ? codes::convert_ideal(all) : codes::convert_network(all);
  codes::convert_workload(all, network);
  std::vector<ImportedLine> lines = all.in.lines();
  lines.insert(lines.end(), all.more.begin(), all.more.end());
  return {all.out.whole(), std::move(lines), std::move(all.companions)};
}

std::vector<ForeignOption> codes_options() { return codes::options(); }

[[maybe_unused]] const bool codes_registered =
    add_importer("codes", {.help = "CODES: a .conf of model-net, with its files of connections, workloads, allocations",
                           .recognises = is_codes,
                           .import = import_codes,
                           .options = codes_options});

}  // namespace
}  // namespace weft::tools
