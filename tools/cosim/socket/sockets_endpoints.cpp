// Endpoints "sockets": other simulators, by the protocol of weft_cosim.h.
#include <filesystem>
#include <fmt/format.h>

#include "engine/base/error.hpp"
#include "engine/base/file/temporary_folder.hpp"
#include "engine/base/text/shown.hpp"
#include "tools/cosim/sliced_cosimulation.hpp"
#include "tools/cosim/socket/socket_endpoint.hpp"
#include "tools/run/config/config.hpp"

namespace weft::tools::cosim {
namespace {

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    throw SystemError(fmt::format("cannot make the folder '{}' ({}); give another one as cosim.sockets", shown(path),
                                  error.message()));
  }
}

std::unique_ptr<Cosimulation> join_sockets(const Config& config, engine::Transport& transport) {
  SocketSpec spec;
  spec.command = config.text("cosim.command");
  spec.config_folder = std::filesystem::absolute(config.directory()).lexically_normal().string();
  spec.patience_s = config.real("cosim.patience_s");
  spec.slice_ns = slice_spec(config).slice_ns;
  const std::string given = config.text("cosim.sockets");
  if (given.empty() && spec.command.empty()) {
    throw ConfigError(
        "no endpoint could find its socket (neither cosim.command nor cosim.sockets is given); give a command, or a "
        "folder in which others find the sockets");
  }
  // One that is made for the run goes with it.
  const auto own = given.empty() ? std::make_shared<files::TemporaryFolder>("sockets") : nullptr;
  spec.folder = own ? own->path() : config.resolve_path(given);
  if (!own) make_folder(spec.folder);
  return sliced(config, transport, [spec, own](u32 number, u32 endpoints) -> std::unique_ptr<Endpoint> {
    return std::make_unique<SocketEndpoint>(spec, number, endpoints);
  });
}

std::vector<Setting> rows_of_sockets() {
  std::vector<Setting> rows = rows_of_slices();
  rows.push_back(
      row::text("cosim.sockets", "",
                "folder of the sockets, NUMBER.sock for each endpoint; empty: one that is made for the run."));
  rows.push_back(row::text("cosim.command", "",
                           "command that is started for each endpoint, by a shell, with WEFT_COSIM_SOCKET, "
                           "WEFT_COSIM_ENDPOINT, WEFT_COSIM_ENDPOINTS and WEFT_COSIM_FOLDER (that of the config) in "
                           "its environment; empty: somebody else starts them."));
  return rows;
}

[[maybe_unused]] const bool sockets_registered = EndpointRegistry::instance().add(
    "sockets",
    {.help = "other simulators, each joined by a Unix socket", .settings = rows_of_sockets(), .make = join_sockets});

}  // namespace
}  // namespace weft::tools::cosim
