// What hangs at the routers: NICs of merlin's tests, generators of traffic, and firefly's NICs with ember's motifs.
// Those of one job become a job, or the workload where there is one alone.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"
#include "tools/import/sst/conversion.hpp"

namespace weft::tools::sst {
namespace {

constexpr i64 most_packet_cells = 4096;

struct Job {
  std::string id;
  std::vector<std::pair<i64, u32>> tasks;  ///< number in the job, node
  const Component* nic = nullptr;
  const Component* engine = nullptr;  ///< of ember
  i64 cores = 1;                      ///< engines of a node
};

class EndpointConversion {
 public:
  EndpointConversion(Conversion& all, Network& network) : all_(all), network_(network) {}

  void all() {
    find_engines();
    find_jobs();
    const bool alone = jobs_.size() == 1 && covers(jobs_.front());
    std::string placement;
    const bool placed = !in_order();
    for (std::size_t k = 0; k < jobs_.size(); ++k) {
      Job& job = jobs_[k];
      const std::string name = fmt::format("job{}", job.id);
      const std::string table = alone ? "workload" : "[job.workload]";
      if (!alone) {
        all_.out.begin("[[job]]");
        all_.out.set("[[job]]", "name", name);
        if (is_source(job)) all_.out.set("[[job]]", "nodes", static_cast<i64>(job.tasks.size()));
        const i64 traffic_class = class_of(job);
        if (traffic_class > 0) all_.out.set("[[job]]", "traffic_class", traffic_class);
        all_.out.begin(table);
      }
      workload(job, table, name);
      if (alone || !placed) continue;
      all_.out.begin("[job.placement]");
      all_.out.set("[job.placement]", "policy", "file");
      all_.out.set("[job.placement]", "path", all_.task.stem + ".nodes");
      for (const auto& [task, node] : job.tasks) {
        for (i64 core = 0; core < job.cores; ++core)
          placement += fmt::format("{} {} {}\n", node, task * job.cores + core, name);
      }
    }
    if (placed && !alone)
      static_cast<void>(
          all_.add_companion("nodes", "# node, task, job: of a config of SST, by weft import.\n" + placement));
    i64 cores = 1;
    for (const Job& job : jobs_) cores = std::max(cores, job.cores);
    if (cores > 1) all_.out.set("node", "tasks", cores);
  }

 private:
  /// Engines hang at the ports "core0", "core1"... of NICs, or older ones at their processes.
  void find_engines() {
    engines_.resize(all_.model.components.size());
    for (const Link& link : all_.model.links) {
      const u32 a = link.left.component, b = link.right.component;
      if (is_engine(a)) engines_[b].push_back(a);
      if (is_engine(b)) engines_[a].push_back(b);
    }
  }
  bool is_engine(u32 component) const { return all_.model.components[component].type.starts_with("ember.EmberEngine"); }

  void find_jobs() {
    std::map<std::string, Job> jobs;
    for (const Endpoint& one : network_.endpoints) {
      const Component& nic = all_.model.components[one.component];
      const std::vector<u32>& engines = engines_[one.component];
      const Component* const engine = engines.empty() ? nullptr : &all_.model.components[engines.front()];
      std::string id = engine != nullptr ? Conversion::text(*engine, "jobId", "") : "";
      if (id.empty()) id = Conversion::text(nic, "job_id", "0");
      if (const std::optional<i64> number = parsed<i64>(id); !number || *number < 0)
        all_.model.fail(nic.line, fmt::format("{} is of job {}, which is no number from 0 on; write one",
                                              shown(nic.name), shown(id)));
      Job& job = jobs[fmt::format("{:0>12}", id)];
      job.id = id;
      if (job.nic == nullptr)
        job.nic = &nic, job.engine = engine, job.cores = std::max<i64>(1, static_cast<i64>(engines.size()));
      if (job.nic->type != nic.type) {
        all_.model.fail(nic.line,
                        fmt::format("{} is a {}, but others of its job {} are {}; give them jobs of their own",
                                    shown(nic.name), shown(nic.type), id, shown(job.nic->type)));
      }
      job.tasks.emplace_back(number_of(nic, engine, static_cast<i64>(job.tasks.size())), one.node);
    }
    for (auto& [key, job] : jobs) {
      std::ranges::sort(job.tasks);
      // Numbers that are none of the job's (ids of the whole network) become those of the order.
      for (std::size_t k = 0; k < job.tasks.size(); ++k) job.tasks[k].first = static_cast<i64>(k);
      if (job.cores > 64) all_.model.fail(job.nic->line, "has more than 64 cores of a node; use fewer");
      if (!is_idle(job)) jobs_.push_back(std::move(job));
    }
    if (jobs_.empty()) all_.model.fail(1, "has no endpoint that sends anything; check the motifs");
    if (jobs_.size() > 4096) all_.model.fail(1, "has more than 4096 jobs; use fewer");
  }

  i64 number_of(const Component& nic, const Component* engine, i64 fallback) const {
    if (engine != nullptr && engine->find("netMapId") != nullptr) return all_.integer(*engine, "netMapId", fallback);
    if (nic.find("logical_nid") != nullptr) return all_.integer(nic, "logical_nid", fallback);
    return all_.integer(nic, "id", fallback);
  }

  std::vector<Motif> motifs(const Component& engine) const {
    std::map<i64, Motif> found;
    for (const auto& [name, parameter] : engine.params) {
      if (!name.starts_with("motif") || name.size() == 5) continue;
      std::string_view rest = std::string_view(name).substr(5);
      const std::optional<i64> number = take_number<i64>(rest);
      if (!number) continue;
      Motif& motif = found[*number];
      if (motif.line == 0) motif.line = parameter.line;
      if (rest == ".name" || rest.empty()) {
        // "ember.Halo3DMotif", or a command line, "Halo3D nx=10".
        const std::vector<std::string> words = listed_words(parameter.value, " \t");
        motif.name = words.empty() ? "" : words.front();
        if (motif.name.starts_with("ember.")) motif.name.erase(0, 6);
        if (motif.name.ends_with("Motif")) motif.name.resize(motif.name.size() - 5);
        motif.line = parameter.line;
        for (std::size_t k = 1; k < words.size(); ++k) {
          const std::size_t equals = words[k].find('=');
          if (equals != std::string::npos)
            motif.args[words[k].substr(0, equals)] = {words[k].substr(equals + 1), parameter.line};
        }
      } else if (rest.starts_with(".arg.")) {
        motif.args[std::string(rest.substr(5))] = parameter;
      }
    }
    std::vector<Motif> all;
    for (auto& [number, motif] : found) {
      if (!motif.name.empty()) all.push_back(std::move(motif));
    }
    return all;
  }

  static bool says_nothing(const Motif& motif) {
    static const std::set<std::string> silent{"Init", "Fini", "Null", "Stop", "Comm"};
    return silent.contains(motif.name);
  }

  bool is_idle(const Job& job) const {
    if (job.nic->type == "merlin.simple_patterns.empty") return true;
    if (job.engine == nullptr) return false;
    return std::ranges::all_of(motifs(*job.engine), says_nothing);
  }

  /// Independent sources, which have nodes in place of tasks.
  static bool is_source(const Job& job) {
    return job.engine == nullptr && job.nic->type != "merlin.simple_patterns.incast";
  }

  bool covers(const Job& job) const {
    for (std::size_t k = 0; k < job.tasks.size(); ++k) {
      if (job.tasks[k].second != k) return false;
    }
    return !is_source(job) || static_cast<i64>(job.tasks.size()) == network_.nodes;
  }
  bool in_order() const {
    u32 next = 0;
    for (const Job& job : jobs_) {
      for (const auto& [task, node] : job.tasks) {
        if (node != next++) return false;
      }
    }
    return true;
  }

  /// The virtual network of a job: "[1]".
  i64 class_of(const Job& job) const {
    const std::vector<std::string> words = listed_words(Conversion::text(*job.nic, "vn_remap", ""), "[], ");
    if (words.empty()) return 0;
    const i64 number = parsed<i64>(words.front()).value_or(0);
    return number >= 0 && number < network_.classes ? number : 0;
  }

  void take_packet(double bytes, u64 line) {
    const i64 cells =
        std::max<i64>(1, std::llround(std::ceil(bytes / static_cast<double>(network_.flit_bytes) - 1e-9)));
    if (cells > most_packet_cells) {
      all_.model.fail(line,
                      fmt::format("has packets of {} flits, more than {}; use longer flits", cells, most_packet_cells));
    }
    network_.packet_cells = std::max(network_.packet_cells, cells);
  }

  void workload(const Job& job, const std::string& table, const std::string& name) {
    const std::string& type = job.nic->type;
    if (job.engine != nullptr) return ember(job, table, name);
    if (type == "merlin.test_nic" || type == "merlin.nic") return test_nic(job, table);
    if (type == "merlin.offered_load" || type == "merlin.background_traffic") return offered_load(job, table);
    if (type == "merlin.trafficgen") return traffic_generator(job, table);
    if (type == "merlin.simple_patterns.incast") return incast(job, table);
    if (type == "merlin.simple_patterns.shift") {
      take_packet(all_.bytes(*job.nic, "packet_size", 64), job.nic->line);
      burst(table, "shift", all_.integer(*job.nic, "packets_to_send", 32, 1));
      all_.out.set(table, "shift_nodes", std::max<i64>(1, all_.integer(*job.nic, "shift", 1)));
      return;
    }
    all_.model.fail(
        job.nic->line,
        fmt::format("{} is a {}, which weft has nothing near to; it has test_nic, offered_load, trafficgen and "
                    "simple_patterns of merlin, and ember on firefly.nic",
                    shown(job.nic->name), shown(type)));
  }

  void burst(const std::string& table, const char* pattern, i64 packets) {
    constexpr i64 most = 1000000000;
    all_.out.set(table, "kind", "burst");
    all_.out.set(table, "burst_packets", std::clamp<i64>(packets, 1, most));
    all_.out.set(table, "pattern", pattern);
  }

  /// Each sends to all others in turn, from the next one on, as fast as its NIC takes it.
  void test_nic(const Job& job, const std::string& table) {
    take_packet(all_.bytes(*job.nic, "message_size", 8), job.nic->line);
    const i64 messages = all_.integer(*job.nic, "num_messages", 10, 1);
    burst(table, "distribution", messages * static_cast<i64>(job.tasks.size()));
    all_.note("num_messages", "workload.burst_packets; those to itself go to the others");
  }

  void offered_load(const Job& job, const std::string& table) {
    take_packet(all_.bytes(*job.nic, "packet_size", 32), job.nic->line);
    const Component* const generator = job.nic->part_in_slot("pattern_gen");
    const std::string given =
        generator != nullptr ? generator->type : Conversion::text(*job.nic, "pattern", "merlin.targetgen.uniform");
    const std::string kind = given.substr(given.rfind('.') + 1);
    all_.out.set(table, "kind", "synthetic");
    all_.out.set(table, "source_queue", "unbounded");
    if (kind == "bit_complement") {
      all_.out.set(table, "pattern", "bit-complement");
    } else if (kind == "shift") {
      all_.out.set(table, "pattern", "shift");
      all_.out.set(table, "shift_nodes",
                   std::max<i64>(1, all_.integer(*job.nic, "shift", static_cast<i64>(job.tasks.size()) / 2)));
    } else {
      all_.out.set(table, "pattern", "uniform");
      if (kind != "uniform") all_.note("pattern", "workload.pattern = uniform, which comes nearest");
    }
    const Parameter* const load = job.nic->find("offered_load");
    if (load == nullptr) all_.model.fail(job.nic->line, "has no offered_load; write a number from 0 to 1");
    const std::vector<std::string> loads = listed_words(load->value, "[], ");
    const std::optional<double> first = loads.empty() ? std::nullopt : parsed<double>(loads.front());
    if (!first || *first <= 0 || *first > 1)
      all_.model.fail(load->line,
                      fmt::format("offered_load = {} is no number from 0 to 1; write one", shown(load->value)));
    all_.out.set(table, "offered_load", *first);
    if (loads.size() > 1)
      all_.note("offered_load", "workload.offered_load; of several the first, for the others: weft sweep");
    const auto cycles = [&](const char* name, double fallback) {
      return std::clamp<i64>(std::llround(all_.ns(*job.nic, name, fallback) / network_.cycle_ns), 1, 1000000000);
    };
    if (job.nic->type == "merlin.background_traffic") return;
    all_.out.set("measure", "warmup_cycles", cycles("warmup_time", 1000));
    all_.out.set("measure", "batches", i64{10});
    all_.out.set("measure", "batch_cycles", std::max<i64>(1, cycles("collect_time", 20000) / 10));
  }

  void traffic_generator(const Job& job, const std::string& table) {
    const auto quantity = [&](const std::string& name, double fallback) {
      for (const char* const between : {":", "."}) {
        std::string whole = name;
        std::ranges::replace(whole, '.', between[0]);
        if (job.nic->find(whole) != nullptr) return all_.bytes(*job.nic, whole, fallback);
      }
      return fallback;
    };
    const double least = quantity("PacketSize.RangeMin", 0), most = quantity("PacketSize.RangeMax", 0);
    take_packet(std::max({all_.bytes(*job.nic, "packet_size", 0), most, 1.0}), job.nic->line);
    burst(table, "uniform", all_.integer(*job.nic, "packets_to_send", 1000, 1));
    const i64 shortest = std::max<i64>(1, std::llround(std::ceil(least / static_cast<double>(network_.flit_bytes))));
    if (shortest < network_.packet_cells && most > least)
      all_.out.set(table, "packet_cells", std::vector<i64>{shortest, network_.packet_cells});
  }

  void incast(const Job& job, const std::string& table) {
    const double bytes = all_.bytes(*job.nic, "packet_size", 64);
    take_packet(bytes, job.nic->line);
    all_.out.set(table, "kind", "kernel");
    all_.out.set(table, "name", "incast");
    all_.out.set(table, "tasks", static_cast<i64>(job.tasks.size()));
    all_.out.set(table, "message_bytes", std::max<i64>(1, std::llround(bytes)));
    all_.out.set(table, "repetitions", all_.integer(*job.nic, "packets_to_send", 10, 1));
  }

  void ember(const Job& job, const std::string& table, const std::string& name) {
    take_packet(all_.bytes(*job.nic, "packetSize", 2048), job.nic->line);
    bool done = false;
    const i64 tasks = static_cast<i64>(job.tasks.size()) * job.cores;
    for (const Motif& motif : motifs(*job.engine)) {
      if (says_nothing(motif)) continue;
      if (done) {
        for (const auto& [key, parameter] : job.engine->params) {
          if (parameter.line == motif.line)
            all_.note(key, "a job has one motif that sends; import this one by itself", OptionState::left_out);
        }
        continue;
      }
      convert_motif(all_, motif, *job.engine, *job.nic, tasks, table, name);
      done = true;
    }
  }

  Conversion& all_;
  Network& network_;
  std::vector<std::vector<u32>> engines_;  ///< of each component
  std::vector<Job> jobs_;
};

}  // namespace

void convert_endpoints(Conversion& all, Network& network) { EndpointConversion(all, network).all(); }

}  // namespace weft::tools::sst
