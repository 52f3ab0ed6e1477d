// Fuzz target of the table readers: any bytes give tables that can be checked, or an InputError; twice, for a fabric
// with LIDs and one that learns them. A first byte of 's' makes them sl2vl tables.
#include <cstddef>
#include <string>

#include "engine/base/error.hpp"
#include "models/subnet/dependencies.hpp"
#include "models/subnet/routes.hpp"
#include "tools/fabric/read/read_fabric.hpp"
#include "tools/fabric/read/table_reader.hpp"

namespace {

using namespace weft;

/// Two switches with two cables between them and three hosts; GUIDs as in the inputs.
tools::Fabric small_fabric(bool lids) {
  std::string text = "[fabric]\n";
  const auto lid = [lids](int number) { return lids ? ", lid = " + std::to_string(number) : std::string(); };
  text += "switches = [{ name = \"a\", ports = 5, guid = \"0x200001\"" + lid(2) +
          " }, { name = \"b\", ports = 5, guid = \"0x200002\"" + lid(3) + " }]\n";
  text += "hosts = [{ name = \"h1\", port_guid = \"0x100001\"" + lid(1) + " }, { name = \"h2\"" + lid(4) +
          (lids ? ", lmc = 1" : "") + " }, { name = \"h3\", port_guid = \"0x100021\"" + lid(6) + " }]\n";
  text += "links = [[\"a\", \"b\", 2], [\"h1\", \"a\"], [\"h2\", \"b\"], [\"h3\", \"b\"]]\n";
  return *tools::read_fabric(bytes_in_memory(text, "fabric"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  const std::string text(data, data + bytes);
  const auto lines = [&text](std::size_t skip) {
    return tools::FabricLines(bytes_in_memory(text.substr(skip), "fuzz"));
  };
  for (const bool lids : {true, false}) {
    tools::Fabric fabric = small_fabric(lids);
    try {
      if (text.starts_with('s')) {
        tools::FabricLines read = lines(1);
        static_cast<void>(tools::read_sl_to_vl(read, fabric));
        continue;
      }
      if (!lids) {
        tools::FabricLines first = lines(0);
        tools::learn_lids(first, fabric);
      }
      tools::FabricLines read = lines(0);
      const models::ForwardingTables tables = tools::read_tables(read, fabric);
      const models::RouteSurvey survey = models::survey_routes(fabric.subnet, tables);
      u64 ends = 0;
      for (const u64 count : survey.ends) ends += count;
      WEFT_ASSERT(ends == survey.routes);
      static_cast<void>(models::find_credit_loops(fabric.subnet, tables));
    } catch (const InputError&) {
    }
  }
  return 0;
}
