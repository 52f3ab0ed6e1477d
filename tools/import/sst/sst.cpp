// Configs of SST (sstsimulator/sst-elements: merlin, ember, firefly), as `sst --output-json` writes them; no Python
// runs.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "engine/base/error.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"
#include "tools/import/sst/conversion.hpp"
#include "tools/import/sst/options.hpp"
#include "tools/import/sst/units.hpp"

namespace weft::tools {
namespace sst {
namespace {

/// A parameter of a type of components, as lines of the result name it.
struct Seen {
  std::string type, name, value;
  u64 line = 0;
  u64 count = 0;
  bool differs = false;
};

void see(const Component& component, std::vector<Seen>& seen, std::map<std::string, std::size_t>& places) {
  for (const auto& [name, parameter] : component.params) {
    const auto [place, fresh] = places.emplace(fmt::format("{}\n{}", component.type, name), seen.size());
    if (fresh) seen.push_back({component.type, name, parameter.value, parameter.line, 0, false});
    Seen& one = seen[place->second];
    ++one.count;
    one.differs = one.differs || one.value != parameter.value;
  }
  for (const Component& part : component.parts) see(part, seen, places);
}

}  // namespace

std::string Conversion::add_companion(const std::string& ending, const std::string& text) {
  return tools::add_companion(companions, task.stem, model.file, ending, text);
}

std::vector<ImportedLine> Conversion::lines() const {
  std::vector<Seen> seen;
  std::map<std::string, std::size_t> places;
  for (const Component& component : model.components) see(component, seen, places);
  std::vector<ImportedLine> lines;
  for (const Seen& one : seen) {
    ImportedLine line{.place = fmt::format("{}:{}", shown(model.file), one.line),
                      .text = fmt::format("{} {} = {}{}", one.type, one.name, shown(one.value, 60),
                                          one.differs ? fmt::format(" and others, of {} components", one.count) : "")};
    const ForeignOption* const option = option_of(one.type, one.name);
    auto note = notes.find(fmt::format("{}:{}", one.type, one.name));
    if (note == notes.end()) note = notes.find(one.name);
    if (note != notes.end()) {
      line.state = note->second.state;
      line.becomes = note->second.what;
    } else {
      describe_by_table(line, option, option == nullptr ? option_near(one.name) : "");
    }
    lines.push_back(std::move(line));
  }
  std::set<std::string> latencies;
  for (const Link& link : model.links) latencies.insert({link.left.latency, link.right.latency});
  if (!model.links.empty()) {
    std::string all;
    for (const std::string& latency : latencies)
      all += fmt::format("{}{}", all.empty() ? "" : ", ", shown(latency, 20));
    lines.push_back({fmt::format("{}:{}", shown(model.file), model.links.front().line),
                     fmt::format("latency = {} of {} links", all, model.links.size()), OptionState::same,
                     "link.latency_cycles"});
  }
  return lines;
}

std::string Conversion::text(const Component& of, std::string_view name, const std::string& fallback) {
  const Parameter* const found = of.find(name);
  return found == nullptr ? fallback : std::string(trimmed(found->value));
}

i64 Conversion::whole(std::string_view word, u64 line, std::string_view name, i64 least) const {
  constexpr i64 most = i64{1} << 40;
  const std::optional<i64> value = parsed<i64>(trimmed(word));
  if (!value || *value < least || *value > most)
    model.fail(line, fmt::format("{} = {} is no whole number from {} on; write one", name, shown(word), least));
  return *value;
}

i64 Conversion::integer(const Component& of, std::string_view name, i64 fallback, i64 least) const {
  const Parameter* const found = of.find(name);
  return found == nullptr ? fallback : whole(found->value, found->line, name, least);
}

namespace {

double quantity(const Model& model, const Component& of, std::string_view name, double fallback,
                std::optional<double> (*read)(std::string_view), const char* example) {
  const Parameter* const found = of.find(name);
  if (found == nullptr) return fallback;
  const std::optional<double> value = read(found->value);
  if (!value || *value < 0 || *value > 1e15)
    model.fail(found->line,
               fmt::format("{} = {} is no such quantity; write for example {}", name, shown(found->value), example));
  return *value;
}

}  // namespace

double Conversion::gbps(const Component& of, std::string_view name, double fallback) const {
  return quantity(model, of, name, fallback, gbps_of, "4GB/s");
}
double Conversion::bytes(const Component& of, std::string_view name, double fallback) const {
  return quantity(model, of, name, fallback, bytes_of, "16kB");
}
double Conversion::ns(const Component& of, std::string_view name, double fallback) const {
  return quantity(model, of, name, fallback, ns_of, "20ns");
}
double Conversion::real(const Component& of, std::string_view name, double fallback) const {
  return quantity(
      model, of, name, fallback, [](std::string_view text) { return parsed<double>(trimmed(text)); }, "0.5");
}

}  // namespace sst

namespace {

bool is_sst(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && text[begin] == '{' &&
         text.find("\"components\"") != std::string_view::npos &&
         (text.find("\"merlin.") != std::string_view::npos || text.find("\"ember.") != std::string_view::npos ||
          text.find("\"firefly.") != std::string_view::npos);
}

ImportedConfig import_sst(const ImportTask& task) {
  if (task.files.size() > 1)
    throw ConfigError(fmt::format("{}: a file of sst --output-json is a whole config; import the others by themselves",
                                  shown(task.files[1].path)));
  sst::Conversion all{.task = task, .model = sst::read_model(task.files.front())};
  all.out.set("", "format", i64{1});
  sst::Networks networks(all);
  sst::Network network = networks.network();
  sst::convert_endpoints(all, network);
  networks.router_of(network);
  return {all.out.whole(), all.lines(), std::move(all.companions)};
}

std::vector<ForeignOption> sst_options() { return sst::options(); }

[[maybe_unused]] const bool sst_registered =
    add_importer("sst", {.help = "SST: what sst --output-json writes of merlin, ember and firefly",
                         .recognises = is_sst,
                         .import = import_sst,
                         .options = sst_options});

}  // namespace
}  // namespace weft::tools
