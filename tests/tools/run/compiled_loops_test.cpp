// Which event loop a run takes: the one of its router, else the one for any router, and never by chance.
#include "tools/run/compiled_loops.hpp"

#include "tests/tools/run/config/config_file.hpp"
#include "workloads/program/host/program_host.hpp"
#include "workloads/program/host/synthetic_host.hpp"

namespace weft::tools::testing {
namespace {

/// Hosts whose loops are those of this file.
struct Nobody {};
struct Somebody {};

bool always(const Context&) { return true; }
bool in_rings(const Context& context) { return context.topology->nodes() == 16 && context.topology->diameter() == 8; }

/// A context of a config, ready to be simulated.
struct Prepared {
  explicit Prepared(const Config& c) : config(c), context(config, *transport, nullptr) { prepare(context); }
  Config config;
  std::unique_ptr<engine::Transport> transport = engine::single_process();
  Context context;
};

class TheLoopOfARun : public ConfigFile {};

TEST_F(TheLoopOfARun, EveryRouterHasOneForEveryWorkload) {
  for (const std::string topology :
       {"kind = \"torus\", dims = [16]", "kind = \"torus\", dims = [4, 4]", "kind = \"mesh\", dims = [4, 4, 4]",
        "kind = \"torus\", dims = [4, 4, 4, 4]", "kind = \"tree\", arity = 4, levels = 2",
        "kind = \"thin-tree\", down = 40, up = 20, levels = 2", "kind = \"crossbar\", nodes = 200"}) {
    for (const i64 channels : {2, 3}) {
      const Prepared run(
          load("topology = {" + topology + "}\nrouter = {virtual_channels = " + std::to_string(channels) + "}\n"));
      const std::string kind = resolved_router_kind(run.config);
      EXPECT_EQ(find_loop<workloads::SyntheticHost>(run.context, kind).router, kind) << topology;
      EXPECT_EQ(find_loop<workloads::ProgramHost>(run.context, kind).router, kind) << topology;
    }
  }
}

TEST_F(TheLoopOfARun, MayBeThatOfAnotherMachine) {
  for (const char* const mode : {"unicast", "multicast"}) {
    const Prepared run(
        load("topology = {kind = \"spinnaker\", dims = [4, 4]}\nrouter = {kind = \"spinnaker\", routing = \"" +
             std::string(mode) + "\", virtual_channels = 1}\nfaults = {links = [0, 0]}\n"));
    EXPECT_EQ(find_loop<workloads::SyntheticHost>(run.context, "spinnaker").router, "spinnaker");
    EXPECT_EQ(find_loop<workloads::ProgramHost>(run.context, "spinnaker").router, "spinnaker");
  }
}

TEST_F(TheLoopOfARun, OfItsKindComesBeforeOneForAnyRouter) {
  auto& loops = CompiledLoops<Nobody>::instance();
  loops.add("ring", {"test", in_rings, nullptr});
  const Prepared ring(load("topology = {kind = \"torus\", dims = [16]}\n"));
  const Prepared plane(load("topology = {kind = \"torus\", dims = [4, 4]}\n"));
  EXPECT_EQ(&find_loop<Nobody>(ring.context, "test"), loops.find("ring"));
  try {
    static_cast<void>(find_loop<Nobody>(plane.context, "test"));
    FAIL() << "took a loop that does not fit";
  } catch (const Bug& bug) {
    EXPECT_TRUE(contains(bug.what(), "no event loop is compiled for routers of kind \"test\" in a 4x4 torus"));
  }
  loops.add("plain", {any_router, nullptr, nullptr});
  EXPECT_EQ(&find_loop<Nobody>(ring.context, "test"), loops.find("ring"));
  EXPECT_EQ(&find_loop<Nobody>(plane.context, "test"), loops.find("plain"));
  EXPECT_EQ(&find_loop<Nobody>(ring.context, "other"), loops.find("plain"));
}

TEST_F(TheLoopOfARun, ThatIsNotTheOnlyOneToFitIsABug) {
  auto& loops = CompiledLoops<Somebody>::instance();
  loops.add("one", {"test", always, nullptr});
  loops.add("two", {"test", nullptr, nullptr});
  const Prepared run(load("topology = {kind = \"torus\", dims = [16]}\n"));
  try {
    static_cast<void>(find_loop<Somebody>(run.context, "test"));
    FAIL() << "took one of two at random";
  } catch (const Bug& bug) {
    EXPECT_TRUE(contains(bug.what(), "\"one\" and \"two\""));
  }
}

}  // namespace
}  // namespace weft::tools::testing
