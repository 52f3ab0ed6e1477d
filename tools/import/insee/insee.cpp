// Configs of INSEE's simulator FSIN (fsin.conf). What its options mean is in its own code and papers (Navaridas,
// Miguel-Alonso, Pascual, Ridruejo: Simulating and evaluating interconnection networks with INSEE, 2011).
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/import/importer.hpp"
#include "tools/import/insee/conversion.hpp"

namespace weft::tools {
namespace insee {

namespace {

/// What an option is here that no note says anything about.
ImportedLine line_of(const Values& in, const Option& option) {
  const std::string& name = option.names.front();
  ImportedLine line{.place = in.place(name), .text = name + "=" + in.text(name), .state = option.state};
  if (option.state == OptionState::left_out &&
      (in.text(name) == option.fallback || name.starts_with("long") || name == "lng_msg_ratio")) {
    // What is not done here is not done there either. (Messages of one packet; those of several have a note.)
    line.state = OptionState::same;
    line.becomes = "as it is here";
    return line;
  }
  line.becomes = option.keys;
  if (option.state != OptionState::same && !option.comment.empty())
    line.becomes += (option.keys.empty() ? "" : "; ") + option.comment;
  return line;
}

}  // namespace

std::vector<ImportedLine> Conversion::lines() const {
  std::vector<ImportedLine> lines;
  const auto noted = [&](const std::string& name, const Note& note) {
    lines.push_back({in.place(name), name + "=" + in.text(name), note.state, note.what});
  };
  for (const std::string& name : in.given()) {
    const auto note = notes.find(name);
    if (note != notes.end())
      noted(name, note->second);
    else
      lines.push_back(
          line_of(in, *std::ranges::find(options(), name, [](const Option& o) { return o.names.front(); })));
  }
  for (const auto& [name, note] : notes) {
    if (!in.given(name)) noted(name, note);
  }
  return lines;
}

std::string Conversion::word_of(const std::string& option, const std::string& given,
                                const std::vector<std::pair<const char*, const char*>>& words) const {
  std::vector<const char*> known;
  for (const auto& [theirs, ours] : words) {
    if (given == theirs) return ours;
    known.push_back(theirs);
  }
  in.fail(option, fmt::format("{} is not known here; use one of {}", shown(given), fmt::join(known, ", ")));
}

i64 Conversion::at_least(const std::string& option, i64 value, i64 least) const {
  constexpr i64 most = 1 << 24;
  if (value >= least && value <= most) return value;
  in.fail(option, fmt::format("{} is out of range; use a number between {} and {}", value, least, most));
}

}  // namespace insee

namespace {

ImportedConfig import_insee(const ImportTask& task) {
  if (task.files.size() > 1)
    throw ConfigError(
        fmt::format("{}: one fsin.conf is one config; import the others by themselves", shown(task.files[1].path)));
  insee::Conversion all{.in = insee::Values(task.files.front().text, task.files.front().path)};
  all.out.set("", "format", 1);
  insee::convert_workload(all, insee::convert_machine(all));
  return {all.out.whole(), all.lines()};
}

bool is_insee(std::string_view text) {
  for (const char* const option : {"topo=", "tpattern=", "plength=", "rmode=", "nchan="}) {
    for (std::size_t at = text.find(option); at != std::string_view::npos; at = text.find(option, at + 1)) {
      if (at == 0 || text[at - 1] == '\n') return true;
    }
  }
  return false;
}

std::vector<ForeignOption> insee_options() {
  std::vector<ForeignOption> rows;
  for (const insee::Option& option : insee::options()) {
    rows.push_back({fmt::format("{}", fmt::join(option.names, ", ")), option.state, option.keys, option.comment});
  }
  return rows;
}

[[maybe_unused]] const bool insee_registered = add_importer(
    "insee", {.help = "INSEE: fsin.conf", .recognises = is_insee, .import = import_insee, .options = insee_options});

}  // namespace
}  // namespace weft::tools
