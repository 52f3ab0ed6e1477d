// One conversion of SST's JSON, as its parts share it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/import/importer.hpp"
#include "tools/import/sst/model.hpp"
#include "tools/import/toml_writer.hpp"

namespace weft::tools::sst {

struct Conversion {
  const ImportTask& task;
  Model model;
  TomlWriter out = {};
  std::vector<CompanionFile> companions = {};

  struct Note {
    OptionState state;
    std::string what;
  };
  std::map<std::string, Note> notes = {};  ///< by parameter; of the others the table of options says what they are here

  void note(const std::string& name, const std::string& what, OptionState state = OptionState::nearest) {
    notes[name] = {state, what};
  }
  [[nodiscard]] std::string add_companion(const std::string& ending, const std::string& text);
  /// What became of each parameter; of those that all components of a type have alike once.
  [[nodiscard]] std::vector<ImportedLine> lines() const;

  // Values of a component's parameters; throw ConfigError with file and line for those that are none.
  [[nodiscard]] i64 integer(const Component& of, std::string_view name, i64 fallback, i64 least = 0) const;
  [[nodiscard]] double gbps(const Component& of, std::string_view name, double fallback) const;
  [[nodiscard]] double bytes(const Component& of, std::string_view name, double fallback) const;
  [[nodiscard]] double ns(const Component& of, std::string_view name, double fallback) const;
  /// A number without a unit, or with one of time.
  [[nodiscard]] double real(const Component& of, std::string_view name, double fallback) const;
  [[nodiscard]] static std::string text(const Component& of, std::string_view name, const std::string& fallback);
  [[nodiscard]] i64 whole(std::string_view word, u64 line, std::string_view name, i64 least) const;
};

/// An endpoint that hangs at a router.
struct Endpoint {
  u32 component = 0;
  u32 router = 0, port = 0;
  u32 node = 0;  ///< as weft numbers it
};

struct Network {
  std::vector<Endpoint> endpoints;
  i64 nodes = 0;
  double cycle_ns = 1;
  i64 flit_bytes = 8;
  i64 classes = 1;
  i64 packet_cells = 1;  ///< of the longest packet
};

/// The routers, in two steps, between which the endpoints are converted.
class Networks {
 public:
  explicit Networks(Conversion& all);
  ~Networks();
  Networks(const Networks&) = delete;
  Networks& operator=(const Networks&) = delete;
  /// Where each endpoint is; writes [topology].
  [[nodiscard]] Network network();
  /// Writes [link], [packet] and [router], once the endpoints have said how long packets are.
  void router_of(const Network& network);

 private:
  std::unique_ptr<struct NetworkParts> parts_;
};

/// Writes [workload] or [[job]]s; sets the length of packets.
void convert_endpoints(Conversion& all, Network& network);

/// A motif of ember with its arguments.
struct Motif {
  std::string name;  ///< "Halo3D"
  std::map<std::string, Parameter> args;
  u64 line = 0;
};

/// Writes the keys of a workload into a table. `tasks`: of its job; `table`: "workload", or "[job.workload]".
void convert_motif(Conversion& all, const Motif& motif, const Component& engine, const Component& nic, i64 tasks,
                   const std::string& table, const std::string& job);

}  // namespace weft::tools::sst
