// Puts the rows of all tables together.
#include "tools/run/config/settings.hpp"

#include <algorithm>
#include <iterator>
#include <list>
#include <string_view>
#include <unordered_map>

#include "engine/base/error.hpp"
#include "engine/base/registration.hpp"

namespace weft::tools {

namespace {

/// The rows, with an index of keys.
struct SettingsTable {
  std::vector<Setting> rows;
  std::unordered_map<std::string_view, const Setting*> by_key;
};

std::vector<Setting> rows_of_all_tables() {
  std::vector<Setting> list{
      row::integer("format", "", std::nullopt, {1, 1}, "Version of the config language; every config states it.")};
  for (auto&& part : {rows::simulation(), rows::topology_and_link(), rows::faults(), rows::router_and_packet(),
                      rows::workload_and_placement(), rows::node(), rows::cosim(), rows::measure(), rows::statistics(),
                      rows::parallel_and_checkpoint()}) {
    list.insert(list.end(), part.begin(), part.end());
  }
  // Parts declare rows of several tables; in the list those of a table stand together.
  std::unordered_map<std::string, std::size_t> places;
  std::vector<std::vector<Setting>> tables;
  for (Setting& setting : list) {
    const std::size_t place = places.emplace(setting.table(), tables.size()).first->second;
    if (place == tables.size()) tables.emplace_back();
    tables[place].push_back(std::move(setting));
  }
  list.clear();
  for (std::vector<Setting>& table : tables) std::ranges::move(table, std::back_inserter(list));
  return list;
}

/// The table with what has been registered so far. Former ones are kept, since their rows are referred to.
const SettingsTable& settings_table() {
  static std::list<SettingsTable> all;
  static std::size_t registered = 0;
  if (all.empty() || registered != registrations().size()) {
    SettingsTable& table = all.emplace_back(SettingsTable{rows_of_all_tables(), {}});
    for (const Setting& setting : table.rows) table.by_key.emplace(setting.key, &setting);
    registered = registrations().size();
  }
  return all.back();
}

}  // namespace

const std::vector<Setting>& settings() { return settings_table().rows; }

const std::vector<SettingTable>& setting_tables() {
  static const std::vector<SettingTable> all{
      {"simulation", "seed, time scale, and when the run ends"},
      {"topology", "which network: its kind and its shape"},
      {"link", "latency and rate of every link"},
      {"faults", "links, routers and nodes that have failed before the run begins, or fail and come back during it"},
      {"router", "queues, routing, arbitration, injection and consumption"},
      {"nic", "how network interfaces choose the routes of their packets"},
      {"deadlock", "what is checked and allowed before a run begins"},
      {"ideal", "the network without contention: latency, overheads and gaps (LogGOPS)"},
      {"congestion", "how sources are kept from sending more than the network takes"},
      {"packet", "size of packets"},
      {"workload",
       "what the nodes send: synthetic traffic, bursts, an application kernel, a collective operation, or a trace"},
      {"placement", "which node runs which task"},
      {"node", "what nodes are made of: NICs, and the path through memory between their tasks"},
      {"cosim", "guests, processes or other simulators outside of weft, joined by the network (weft cosim)"},
      {"measure", "steady state: warm-up, convergence and samples"},
      {"statistics", "what is counted and written besides the summary; all of it off unless asked for"},
      {"parallel", "how the run is spread over MPI ranks; never changes a result"},
      {"checkpoint", "saving and resuming a run"},
  };
  return all;
}

const std::vector<Setting>& job_settings() {
  static const std::vector<Setting> all = rows::job();
  return all;
}

bool is_table_of_jobs(const std::string& table) { return table == "workload" || table == "placement"; }

std::optional<JobKey> job_key(const std::string& key) {
  constexpr std::string_view table = "job.";
  if (!key.starts_with(table)) return {};
  const auto dot = key.find('.', table.size());
  if (dot == std::string::npos || dot == table.size()) return {};
  JobKey found{key.substr(table.size(), dot - table.size()), key.substr(dot + 1)};
  if (found.key.find('.') == std::string::npos) found.key.insert(0, table);
  return found;
}

const Setting* find_setting(const std::string& key) {
  const auto& by_key = settings_table().by_key;
  if (const auto found = by_key.find(key); found != by_key.end()) return found->second;
  const std::optional<JobKey> of_job = job_key(key);
  if (!of_job) return nullptr;
  const auto own = std::ranges::find(job_settings(), of_job->key, &Setting::key);
  if (own != job_settings().end()) return &*own;
  const auto found = by_key.find(of_job->key);
  return found == by_key.end() || !is_table_of_jobs(found->second->table()) ? nullptr : found->second;
}

}  // namespace weft::tools
