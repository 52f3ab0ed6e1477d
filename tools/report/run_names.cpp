// Configs and marks of runs; see the header.
#include "tools/report/run_names.hpp"

#include <functional>

namespace weft::tools {

std::map<std::string, std::string> flat_config(const RunResult& result) {
  std::map<std::string, std::string> flat;
  const nlohmann::json config = nlohmann::json::parse(result.config_json, nullptr, false);
  const std::function<void(const nlohmann::json&, const std::string&)> visit = [&](const nlohmann::json& value,
                                                                                   const std::string& key) {
    if (!value.is_object()) {
      flat[key] = value.is_string() ? value.get<std::string>()
                                    : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
      return;
    }
    for (const auto& [name, inner] : value.items()) {
      // Where checkpoints go is nothing that tells runs apart.
      if (!key.empty() || name != "checkpoint") visit(inner, key.empty() ? name : key + "." + name);
    }
  };
  if (config.is_object()) visit(config, "");
  return flat;
}

double config_number(const RunResult& result, const char* table, const char* key) {
  const nlohmann::json config = nlohmann::json::parse(result.config_json, nullptr, false);
  if (!config.is_object() || !config.contains(table) || !config[table].is_object()) return 0;
  const nlohmann::json& of_table = config[table];
  return of_table.contains(key) && of_table[key].is_number() ? of_table[key].get<double>() : 0;
}

u8 marks_of(const RunResult& result) {
  return static_cast<u8>((result.saturated() ? 1 : 0) | (result.measured && !result.converged ? 2 : 0));
}

std::string marks_text(u8 marks) {
  if (marks == 3) return "saturated, not converged";
  return marks == 1 ? "saturated" : marks == 2 ? "not converged" : "";
}

u32 clock_of(page::Page& page, const RunResult& result) {
  return page.clock(result.cycle_ns, config_number(result, "packet", "phit_bytes"));
}

}  // namespace weft::tools
