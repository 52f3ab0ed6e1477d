// Traffic patterns of BookSim. Those that weft has not, or that go by other numbers of nodes, are written as a matrix.
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>

#include "engine/base/text/shown.hpp"
#include "tools/import/booksim/conversion.hpp"

namespace weft::tools::booksim {
namespace {

using Weights = std::vector<std::pair<i64, i64>>;  ///< destination, weight

i64 bits_of(i64 nodes) {
  i64 bits = 0;
  while (i64{1} << bits < nodes) ++bits;
  return bits;
}

class PatternConversion {
 public:
  PatternConversion(Conversion& all, const Machine& machine) : all_(all), in_(all.in), machine_(machine) {}

  void convert() {
    const Call call = call_of(in_.first("traffic"));
    const std::string& word = call.word;
    const bool in_plane = machine_.columns > 0;
    if (word == "uniform") {
      all_.out.set("workload", "pattern", "uniform");
      return all_.note("traffic",
                       fmt::format("workload.pattern = \"uniform\": never to the own node, where 1 of {} goes there",
                                   machine_.nodes));
    }
    if (word == "bitcomp" && power_of_two()) return pattern("bit-complement", "");
    if (word == "transpose" && !in_plane && power_of_two() && bits_of(machine_.nodes) % 2 == 0)
      return pattern("transpose", "");
    if (word == "bitrev" && !in_plane && power_of_two()) return pattern("bit-reversal", "");
    if (word == "shuffle" && !in_plane && power_of_two()) return pattern("shuffle", "");
    if (word == "tornado" && !in_plane && (in_.text("topology") == "torus" || in_.text("topology") == "mesh"))
      return pattern("tornado", "");
    if (word == "randperm") return pattern("random-permutation", "drawn otherwise, and nobody sends to itself");
    if (word == "bad_dragon" || word == "badperm_dfly") return pattern("next-group", "");
    matrix(call);
  }

 private:
  void pattern(const char* name, const char* differs) {
    all_.out.set("workload", "pattern", name);
    if (*differs != 0)
      all_.note("traffic", fmt::format("workload.pattern = \"{}\": {}", name, differs));
    else
      all_.same("traffic", fmt::format("workload.pattern = \"{}\"", name));
  }

  [[nodiscard]] bool power_of_two() const { return i64{1} << bits_of(machine_.nodes) == machine_.nodes; }

  /// A digit of each dimension moved by a function of its radix.
  [[nodiscard]] i64 moved(i64 source, i64 (*by)(i64 radix)) const {
    i64 offset = 1, to = 0;
    for (const i64 radix : machine_.digits) {
      to += offset * ((source / offset % radix + by(radix)) % radix);
      offset *= radix;
    }
    return to;
  }

  [[nodiscard]] i64 permuted_bits(i64 source, const std::function<i64(i64 bit, i64 bits)>& to) const {
    const i64 bits = bits_of(machine_.nodes);
    i64 all = 0;
    for (i64 bit = 0; bit < bits; ++bit) all |= (source >> bit & 1) << to(bit, bits);
    return all;
  }

  /// Where a node of BookSim sends, by its numbers of nodes.
  Weights weights_of(const Call& call, i64 source) const {
    const i64 nodes = machine_.nodes;
    const std::string& word = call.word;
    if (word == "tornado") return {{moved(source, [](i64 radix) { return (radix + 1) / 2 - 1; }), 1}};
    if (word == "neighbor") return {{moved(source, [](i64) { return i64{1}; }), 1}};
    if (word == "transpose")
      return {{permuted_bits(source, [](i64 bit, i64 bits) { return (bit + bits / 2) % bits; }), 1}};
    if (word == "bitrev") return {{permuted_bits(source, [](i64 bit, i64 bits) { return bits - 1 - bit; }), 1}};
    if (word == "shuffle") return {{permuted_bits(source, [](i64 bit, i64 bits) { return (bit + 1) % bits; }), 1}};
    if (word == "diagonal") return {{(source + 1) % nodes, 1}};
    if (word == "asymmetric") return {{source % (nodes / 2), 1}, {source % (nodes / 2) + nodes / 2, 1}};
    if (word == "taper64") {
      Weights all;
      for (i64 to = 0; to < nodes; ++to) all.emplace_back(to, 9);
      for (i64 x = -1; x <= 1; ++x)
        for (i64 y = -1; y <= 1; ++y)
          all[static_cast<std::size_t>((nodes + source + 8 * x + y) % nodes)].second += nodes;
      return all;
    }
    return hot_;
  }

  /// "hotspot({5,9},{1,2})": nodes, and how often they are drawn.
  void hot_spots(const Call& call) {
    std::vector<std::string> nodes, rates;
    if (!call.arguments.empty()) nodes = elements_of(call.arguments[0]);
    if (call.arguments.size() > 1) rates = elements_of(call.arguments[1]);
    if (nodes.empty() && !in_.text("hotspot_nodes").empty()) nodes = in_.each("hotspot_nodes");
    if (rates.empty() && !in_.text("hotspot_rates").empty()) rates = in_.each("hotspot_rates");
    if (nodes.empty()) nodes = {"0"};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const i64 node = in_.integer_of("traffic", nodes[i]);
      if (node < 0 || node >= machine_.nodes)
        in_.fail("traffic", fmt::format("has no node {}; there are {}", node, machine_.nodes));
      hot_.emplace_back(node, i < rates.size() ? in_.at_least("traffic", in_.integer_of("traffic", rates[i]), 0) : 1);
    }
  }

  void matrix(const Call& call) {
    static const char* const known[] = {"tornado",  "neighbor",   "transpose", "bitrev", "shuffle",
                                        "diagonal", "asymmetric", "taper64",   "hotspot"};
    if (std::ranges::find(known, call.word) == std::end(known)) {
      in_.fail("traffic", fmt::format("{} is not known here; use one of uniform, bitcomp, bitrev, shuffle, transpose, "
                                      "tornado, neighbor, randperm, diagonal, asymmetric, taper64, bad_dragon, hotspot",
                                      shown(call.word)));
    }
    const bool by_bits = call.word == "transpose" || call.word == "bitrev" || call.word == "shuffle";
    if (by_bits && !power_of_two()) in_.fail("traffic", "needs a power of two nodes (BookSim ends there, too)");
    if (call.word == "taper64" && machine_.nodes != 64) in_.fail("traffic", "needs 64 nodes (BookSim ends there, too)");
    if (call.word == "hotspot") hot_spots(call);
    constexpr i64 most_nodes = 1 << 16;
    if (machine_.nodes > most_nodes) in_.fail("traffic", "needs a matrix of more than 65,536 nodes here; use fewer");
    if (all_.stem.empty())
      in_.fail("traffic", "becomes a matrix in a file beside the config; say where that goes: --out CONFIG.toml");
    std::string text = fmt::format("# source destination weight: BookSim's {}\n", call.word);
    for (i64 source = 0; source < machine_.nodes; ++source) {
      for (const auto& [to, weight] : weights_of(call, source))
        if (to != source && weight > 0)
          text += fmt::format("{} {} {}\n", machine_.node(source), machine_.node(to), weight);
    }
    const std::string name = add_companion(all_.companions, all_.stem, in_.file(), "matrix", std::move(text));
    all_.out.set("workload", "pattern", "matrix");
    all_.out.set("workload", "matrix_path", name);
    const bool all_away = call.word == "neighbor" || call.word == "tornado";
    const std::string becomes = fmt::format("workload.matrix_path = \"{}\"", name);
    if (all_away)
      all_.same("traffic", becomes);
    else
      all_.note("traffic", becomes + ": what goes to the own node there is left out");
  }

  Conversion& all_;
  const Values& in_;
  const Machine& machine_;
  Weights hot_;
};

}  // namespace

void convert_pattern(Conversion& all, const Machine& machine) { PatternConversion(all, machine).convert(); }

}  // namespace weft::tools::booksim
