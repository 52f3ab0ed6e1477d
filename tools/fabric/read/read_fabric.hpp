// Any fabric file, its form known from its content.
#pragma once

#include <memory>
#include <optional>

#include "engine/base/text/byte_source.hpp"
#include "tools/fabric/fabric.hpp"
#include "tools/fabric/read/not_hosts.hpp"

namespace weft::tools {

/// Nothing if it may be a config of weft: TOML without [fabric], or what is none of all. Throws InputError with file
/// and line.
[[nodiscard]] std::optional<Fabric> read_fabric(std::unique_ptr<ByteSource> source, const NotHosts& not_hosts = {});

}  // namespace weft::tools
