// Configs of INSEE's simulator FSIN (fsin.conf). What its options mean is in its own code and papers (Navaridas,
// Miguel-Alonso, Pascual, Ridruejo: Simulating and evaluating interconnection networks with INSEE, 2011).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/text/shown.hpp"
#include "tools/import/importer.hpp"
#include "tools/import/insee_conversion.hpp"

namespace weft::tools {
namespace insee {

void Conversion::note(const std::string& option, const std::string& what) {
  notes.push_back(fmt::format("{}: {}={}: {}", in.place(option), option, shown(in.text(option)), what));
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

ImportedConfig import_insee(std::string_view text, const std::string& file) {
  insee::Conversion all{.in = insee::Values(text, file)};
  all.out.set("", "format", 1);
  insee::convert_workload(all, insee::convert_machine(all));
  std::string head = fmt::format("# From {}, a config of INSEE's FSIN, by weft import.\n", shown(file));
  for (const std::string& note : all.notes) head += "# " + note + "\n";
  return {head + all.out.whole(), std::move(all.notes)};
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

[[maybe_unused]] const bool insee_registered = ImporterRegistry::instance().add(
    "insee", {.help = "INSEE: fsin.conf", .recognises = is_insee, .import = import_insee, .options = insee_options});

}  // namespace
}  // namespace weft::tools
