// Configs of BookSim 2 (Jiang et al., ISPASS 2013). What its options mean is in its manual and code.
#include <algorithm>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"
#include "tools/import/booksim/conversion.hpp"
#include "tools/import/importer.hpp"

namespace weft::tools {
namespace {

/// Lists with a value for each class are not the same where there are several: the first one is taken.
void say_first_class(const booksim::Values& in, std::vector<ImportedLine>& lines) {
  if (in.text("classes") == "1") return;
  for (ImportedLine& line : lines) {
    const std::string value = line.text.substr(line.text.find('=') + 1);
    if (line.state != OptionState::same || booksim::elements_of(value).size() < 2) continue;
    line.state = OptionState::nearest;
    line.becomes += ", of the first class";
  }
}

/// Options that nobody knows: of other versions, or misspelt.
void add_unknown(const booksim::Values& in, std::vector<ImportedLine>& lines) {
  std::vector<std::string> known;
  for (const NamedOption& option : booksim::options()) known.push_back(option.names.front());
  for (const booksim::Values::Unknown& option : in.unknown()) {
    lines.push_back({fmt::format("{}:{}", shown(in.file()), option.line), option.name + " = " + option.text,
                     OptionState::left_out,
                     fmt::format("no option of BookSim that is known here; is it {}?", nearest(option.name, known))});
  }
}

ImportedConfig import_booksim(const ImportTask& task) {
  if (task.files.size() > 1)
    throw ConfigError(
        fmt::format("{}: a config of BookSim is one file (those that it names are read by themselves); "
                    "import the others alone",
                    shown(task.files[1].path)));
  const ForeignFile& file = task.files.front();
  booksim::Conversion all(booksim::Values(file.text, file.path), task.stem);
  all.out.set("", "format", i64{1});
  booksim::Machine machine = booksim::convert_topology(all);
  booksim::convert_router(all, machine);
  booksim::convert_workload(all, machine);
  std::vector<ImportedLine> lines = all.lines(all.in, " = ");
  say_first_class(all.in, lines);
  add_unknown(all.in, lines);
  return {all.out.whole(), std::move(lines), std::move(all.companions)};
}

/// "NAME = VALUE;" with one of the options that nearly all of its configs have.
bool is_booksim(std::string_view text) {
  for (const char* const option : {"topology", "routing_function", "num_vcs", "injection_rate", "traffic"}) {
    const std::string_view name = option;
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
      if (at > 0 && text[at - 1] != '\n' && text[at - 1] != ';' && !is_line_blank(text[at - 1])) continue;
      const std::size_t equals = text.find_first_not_of(" \t", at + name.size());
      if (equals == std::string_view::npos || text[equals] != '=') continue;
      const std::size_t end = text.find_first_of(";\n\"", equals);
      if (end != std::string_view::npos && text[end] == ';') return true;
    }
  }
  return false;
}

std::vector<ForeignOption> booksim_options() { return listed(booksim::options()); }

[[maybe_unused]] const bool booksim_registered = add_importer("booksim", {.help = "BookSim 2: a config file",
                                                                          .recognises = is_booksim,
                                                                          .import = import_booksim,
                                                                          .options = booksim_options});

}  // namespace
}  // namespace weft::tools
