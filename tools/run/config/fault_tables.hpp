// [[faults.event]] and [[faults.process]]: tables in place of the text that their keys hold.
#pragma once

#include <functional>
#include <string>
#include <toml++/toml.h>

namespace weft::tools {

/// Whether a list of tables may stand in place of the text of a key.
[[nodiscard]] bool takes_tables(const std::string& key);
/// The text that a list of tables stands for: "20000ns link r0:2 down; ...". `place_of`: of a node in the file. Throws
/// ConfigError with the place of what is unknown or missing.
[[nodiscard]] std::string fault_tables_text(const std::string& key, const toml::array& tables,
                                            const std::function<std::string(const toml::node&)>& place_of);

}  // namespace weft::tools
