// The door "sockets": other simulators, by the protocol of weft_cosim.h.
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/error.hpp"
#include "engine/shown.hpp"
#include "tools/config/config.hpp"
#include "tools/cosim/sliced_cosimulation.hpp"
#include "tools/cosim/socket/socket_endpoint.hpp"

namespace weft::tools::cosim {
namespace {

/// The folder of the sockets, which goes with the run if it was made for it.
class SocketFolder {
 public:
  explicit SocketFolder(const std::string& given) : path_(given), own_(given.empty()) {
    if (own_) {
      std::string pattern = (std::filesystem::temp_directory_path() / "weft-cosim-XXXXXX").string();
      if (::mkdtemp(pattern.data()) == nullptr)
        throw SystemError(fmt::format("cannot make a folder for sockets in '{}'; set TMPDIR", shown(pattern)));
      path_ = pattern;
      return;
    }
    std::error_code error;
    std::filesystem::create_directories(path_, error);
    if (error) {
      throw SystemError(fmt::format("cannot make the folder '{}' ({}); give another one as cosim.sockets", shown(path_),
                                    error.message()));
    }
  }
  ~SocketFolder() {
    std::error_code ignored;
    if (own_) std::filesystem::remove_all(path_, ignored);
  }
  SocketFolder(const SocketFolder&) = delete;
  SocketFolder& operator=(const SocketFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool own_;
};

std::unique_ptr<Cosimulation> join_sockets(const Config& config, engine::Transport& transport) {
  SocketSpec spec;
  spec.command = config.text("cosim.command");
  spec.patience_s = config.real("cosim.patience_s");
  spec.slice_ns = slice_spec(config).slice_ns;
  std::string folder = config.text("cosim.sockets");
  if (folder.empty() && spec.command.empty()) {
    throw ConfigError(
        "no endpoint could find its socket (neither cosim.command nor cosim.sockets is given); give a command, or a "
        "folder in which others find the sockets");
  }
  if (!folder.empty()) folder = config.resolve_path(folder);
  const auto sockets = std::make_shared<SocketFolder>(folder);
  return sliced(config, transport, [spec, sockets](u32 number, u32 endpoints) -> std::unique_ptr<Endpoint> {
    SocketSpec own = spec;
    own.folder = sockets->path();
    return std::make_unique<SocketEndpoint>(own, number, endpoints);
  });
}

std::vector<Setting> rows_of_sockets() {
  std::vector<Setting> rows = rows_of_slices();
  rows.push_back(
      row::text("cosim.sockets", "",
                "folder of the sockets, NUMBER.sock for each endpoint; empty: one that is made for the run."));
  rows.push_back(row::text("cosim.command", "",
                           "command that is started for each endpoint, by a shell, with WEFT_COSIM_SOCKET, "
                           "WEFT_COSIM_ENDPOINT and WEFT_COSIM_ENDPOINTS in its environment; empty: somebody else "
                           "starts them."));
  return rows;
}

[[maybe_unused]] const bool sockets_registered = DoorRegistry::instance().add(
    "sockets",
    {.help = "other simulators, each joined by a Unix socket", .settings = rows_of_sockets(), .make = join_sockets});

}  // namespace
}  // namespace weft::tools::cosim
