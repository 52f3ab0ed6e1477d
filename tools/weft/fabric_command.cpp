// `weft fabric info`: what a fabric is made of.
#include <fmt/format.h>

#include "tools/fabric/load_fabric.hpp"
#include "tools/result/format.hpp"
#include "tools/weft/fabric_commands.hpp"
#include "tools/weft/output.hpp"

namespace weft::tools {

void print_fabric_info(const FabricInfoOptions& options) {
  const Fabric fabric = load_fabric(options.fabric.path, options.fabric.overrides);
  std::string text = fmt::format("{} ({})\n", fabric.name, form_name(fabric.form));
  text += labelled("hosts", grouped(fabric.subnet.hosts()));
  text += labelled("switches", grouped(fabric.subnet.switches()));
  print(text);
}

}  // namespace weft::tools
