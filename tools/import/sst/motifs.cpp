// Motifs of ember as kernels, collective operations and graphs of weft, and what firefly makes of a message as costs of
// its tasks. Defaults are those of the motifs (sst-elements, ember/mpi/motifs) and of firefly's platform.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <set>

#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/words.hpp"
#include "tools/import/sst/conversion.hpp"
#include "tools/import/sst/units.hpp"

namespace weft::tools::sst {
namespace {

/// The operations of ranks, each after the one before it, in the form of GOAL.
class OperationGraph {
 public:
  /// `register_ns`: what both sides do for a long message (ns).
  OperationGraph(i64 ranks, i64 rendezvous_bytes, i64 register_ns)
      : ranks_(ranks),
        rendezvous_bytes_(rendezvous_bytes),
        register_ns_(register_ns),
        text_(fmt::format("num_ranks {}\n", ranks)) {}

  void begin(i64 rank) {
    text_ += fmt::format("rank {} {{\n", rank);
    rank_ = rank;
    label_ = 0;
  }
  void calc(i64 ns) { add(fmt::format("calc {}", ns)); }
  /// A long message is fetched by its receiver, which then tells the sender, which waits for that.
  void send(i64 bytes, i64 to, i64 tag = 0) {
    const bool is_long = bytes > rendezvous_bytes_;
    if (is_long && register_ns_ > 0) calc(register_ns_);
    add(fmt::format("send {}b to {} tag {}", bytes, to, tag));
    if (is_long) add(fmt::format("recv 1b from {} tag {}", to, tag + acknowledged));
  }
  void receive(i64 bytes, i64 from, i64 tag = 0) {
    const bool is_long = bytes > rendezvous_bytes_;
    add(fmt::format("recv {}b from {} tag {}", bytes, from, tag));
    if (is_long && register_ns_ > 0) calc(register_ns_);
    if (is_long) add(fmt::format("send 1b to {} tag {}", from, tag + acknowledged));
  }
  void end() { text_ += "}\n"; }

  /// What firefly does in MPI_Finalize: up a binary tree to rank 0, and down.
  void barrier() {
    constexpr i64 tag = 9;
    for (const i64 child : {2 * rank_ + 1, 2 * rank_ + 2}) {
      if (child < ranks_) receive(1, child, tag);
    }
    if (rank_ > 0) send(1, (rank_ - 1) / 2, tag), receive(1, (rank_ - 1) / 2, tag);
    for (const i64 child : {2 * rank_ + 1, 2 * rank_ + 2}) {
      if (child < ranks_) send(1, child, tag);
    }
  }

  const std::string& text() const { return text_; }

 private:
  void add(const std::string& operation) {
    text_ += fmt::format("l{}: {}\n", ++label_, operation);
    if (label_ > 1) text_ += fmt::format("l{} requires l{}\n", label_, label_ - 1);
  }

  static constexpr i64 acknowledged = 10;

  i64 ranks_, rendezvous_bytes_, register_ns_, rank_ = 0, label_ = 0;
  std::string text_;
};

class MotifConversion {
 public:
  MotifConversion(Conversion& all, const Motif& motif, const Component& engine, const Component& nic, i64 tasks,
                  std::string table, std::string job)
      : all_(all),
        motif_(motif),
        engine_(engine),
        nic_(nic),
        tasks_(tasks),
        table_(std::move(table)),
        job_(std::move(job)) {}

  void whole() {
    const std::string& name = motif_.name;
    if (name == "PingPong" || name == "BiPingPong" || name == "AllPingPong" || name == "Ring" || name == "SendRecv")
      graph();
    else if (name == "Halo3D" || name == "Halo3DBlocking" || name == "Halo3D26" || name == "Halo3DSV")
      halo3d();
    else if (name == "Halo2D" || name == "Halo2DNBR" || name == "Halo1D")
      halo();
    else if (name == "Sweep3D")
      sweep3d();
    else if (name == "Sweep2D")
      sweep2d();
    else if (name == "FFT3D")
      fft();
    else if (name == "Incast")
      simple("kernel", "incast", number("messageSize", number("messagesize", 1024)));
    else if (name == "RandomGenerator" || name == "Random")
      simple("kernel", "random-exchange", number("messagesize", 1024));
    else if (name == "LQCD")
      simple("kernel", "milc", 0);
    else if (name == "Reduce" && rounds_fit(8))
      reduce();
    else
      collective();
    costs();
    leave_out_unused();
  }

 private:
  i64 number(const std::string& name, i64 fallback) const {
    used_.insert(name);
    const auto found = motif_.args.find(name);
    if (found == motif_.args.end()) return fallback;
    return all_.whole(found->second.value, found->second.line, fmt::format("{} {}", motif_.name, name), 0);
  }
  void set(const char* key, const SettingValue& value) { all_.out.set(table_, key, value); }

  void simple(const char* kind, const char* name, i64 bytes) {
    set("kind", kind);
    set("name", name);
    set("tasks", tasks_);
    if (bytes > 0) set("message_bytes", bytes);
    set("repetitions", std::max<i64>(1, number("iterations", 1)));
    longest_ = bytes;
  }

  /// Ranks in each dimension, where the motif says all of them.
  std::vector<i64> shape(const std::vector<const char*>& names) const {
    std::vector<i64> all;
    i64 product = 1;
    for (const char* const name : names) {
      const i64 side = number(name, 0);
      if (side < 1 || side > tasks_) return {};
      all.push_back(side);
      product *= side;
    }
    if (product != tasks_)
      all_.model.fail(motif_.line, fmt::format("{}: {} do not make the {} ranks of the job; make them so", motif_.name,
                                               fmt::join(names, " x "), tasks_));
    return all;
  }

  void halo3d() {
    set("kind", "kernel");
    set("name", "stencil");
    set("tasks", tasks_);
    set("dimensions", i64{3});
    const std::vector<i64> ranks = shape({"pex", "pey", "pez"});
    if (!ranks.empty()) set("shape", ranks);
    const i64 nx = at_least(number("nx", 100)), ny = at_least(number("ny", 100)), nz = at_least(number("nz", 100));
    const i64 bytes = at_least(number("fields_per_cell", 1)) * at_least(number("datatype_width", 8));
    set("block", std::vector<i64>{nx, ny, nz});
    set("element_bytes", bytes);
    set("repetitions", at_least(number("iterations", 10)));
    set("compute_ns", number("computetime", 10));
    if (motif_.name == "Halo3D26") set("corners", true);
    longest_ = std::max({nx * ny, ny * nz, nx * nz}) * bytes;
    used_.insert("doreduce");
    if (motif_.args.contains("doreduce") || motif_.name != "Halo3D26")
      nearest("the allreduce after each iteration is left out");
  }

  void halo() {
    const bool one = motif_.name == "Halo1D";
    const i64 bytes = at_least(one ? number("messagesize", 128) : number("messagesizex", 128));
    simple("kernel", "mesh", bytes);
    set("dimensions", i64{one ? 1 : 2});
    const std::vector<i64> ranks = one ? std::vector<i64>{} : shape({"sizex", "sizey"});
    if (!ranks.empty()) set("shape", ranks);
    set("compute_ns", number("computenano", 10));
    if (!one && number("messagesizey", 128) != bytes) nearest("messages in both dimensions are of messagesizex");
  }

  void sweep3d() {
    const i64 nx = at_least(number("nx", 50)), ny = at_least(number("ny", 50)), nz = at_least(number("nz", 50));
    const i64 kba = at_least(number("kba", 1)), fields = at_least(number("fields_per_cell", 8)),
              width = at_least(number("datatype_width", 8));
    const i64 compute = number("computetime", 10) * kba * fields, rounds = at_least(number("iterations", 1));
    const std::vector<i64> ranks = shape({"pex", "pey"});
    longest_ = std::max(nx, ny) * kba * fields * width;
    const i64 blocks = (nz + kba - 1) / kba;
    if (!ranks.empty() && blocks <= most_operations && rounds * 8 * blocks <= most_operations / (5 * tasks_))
      return sweeps(ranks[0], ranks[1], nx * kba * fields * width, ny * kba * fields * width, compute, rounds, blocks);
    set("kind", "kernel");
    set("name", "sweep3d");
    set("tasks", tasks_);
    if (!ranks.empty()) set("shape", ranks);
    set("block", std::vector<i64>{nx, ny, nz});
    set("k_block", kba);
    set("angles", i64{1});
    set("angle_block", i64{1});
    set("element_bytes", fields * width);
    set("repetitions", rounds);
    set("compute_ns", compute);
    nearest("sweeps go from each corner twice in a row, ember's from one corner to the next");
  }

  /// ember's sweeps: from (0, 0), (px, 0), (px, py) and (0, py), all twice.
  void sweeps(i64 px, i64 py, i64 x_bytes, i64 y_bytes, i64 compute, i64 rounds, i64 blocks) {
    OperationGraph graph = operations();
    for (i64 rank = 0; rank < tasks_; ++rank) {
      graph.begin(rank);
      const i64 x = rank % px, y = rank / px;
      for (i64 sweep = 0; sweep < 8 * rounds; ++sweep) {
        const i64 corner = sweep % 4, dx = corner == 0 || corner == 3 ? 1 : -1, dy = corner < 2 ? 1 : -1;
        for (i64 block = 0; block < blocks; ++block) {
          if (x - dx >= 0 && x - dx < px) graph.receive(x_bytes, rank - dx, corner);
          if (y - dy >= 0 && y - dy < py) graph.receive(y_bytes, rank - dy * px, corner);
          graph.calc(compute);
          if (x + dx >= 0 && x + dx < px) graph.send(x_bytes, rank + dx, corner);
          if (y + dy >= 0 && y + dy < py) graph.send(y_bytes, rank + dy * px, corner);
        }
      }
      if (finishes()) graph.barrier();
      graph.end();
    }
    replay(graph);
  }

  OperationGraph operations() const { return {tasks_, std::llround(rendezvous_bytes()), std::llround(register_ns())}; }
  double rendezvous_bytes() const { return plain("shortMsgLength", 12000); }
  /// Registering the memory of a message longer than that, at either side.
  double register_ns() const {
    const double longest = static_cast<double>(longest_);
    if (longest <= rendezvous_bytes()) return 0;
    const double pages = longest > plain("regRegionXoverLength", 4096) ? std::floor(longest / 4096) : 0;
    return std::min(1e9, plain("regRegionBaseDelay_ns", 3000) + pages * plain("regRegionPerPageDelay_ns", 100));
  }
  bool finishes() const {
    return std::ranges::any_of(engine_.params, [](const auto& one) {
      return one.first.starts_with("motif") && one.first.ends_with(".name") &&
             one.second.value.find("Fini") != std::string::npos;
    });
  }
  bool rounds_fit(i64 operations) const {
    return at_least(number("iterations", 1)) <= most_operations / (operations * std::max<i64>(1, tasks_));
  }
  /// Up a binary tree to the root, after 11 us of computing that ember has there.
  void reduce() {
    const i64 root = number("root", 0), rounds = at_least(number("iterations", 1));
    longest_ = at_least(number("count", 1)) * 8;
    if (root >= tasks_)
      all_.model.fail(motif_.line, fmt::format("{} has root {}, but the job has {} ranks; choose one of them",
                                               motif_.name, root, tasks_));
    OperationGraph graph = operations();
    for (i64 rank = 0; rank < tasks_; ++rank) {
      graph.begin(rank);
      const i64 place = (rank - root + tasks_) % tasks_;
      for (i64 round = 0; round < rounds; ++round) {
        graph.calc(11000);
        for (const i64 child : {2 * place + 1, 2 * place + 2}) {
          if (child < tasks_) graph.receive(longest_, (child + root) % tasks_);
        }
        if (place > 0) graph.send(longest_, ((place - 1) / 2 + root) % tasks_);
      }
      if (finishes()) graph.barrier();
      graph.end();
    }
    replay(graph);
  }
  void replay(const OperationGraph& graph) {
    set("kind", "trace");
    set("path", all_.add_companion(fmt::format("{}.goal", job_), graph.text()));
    set("cpu_scale", 1.0);
    is_graph_ = true;
  }

  void sweep2d() {
    const i64 nx = at_least(number("nx", 50)), width = at_least(number("datatype_width", 8));
    simple("kernel", "wavefront", nx * width);
    set("dimensions", i64{1});
    set("return_sweep", true);
    set("compute_ns", number("computetime", 10));
  }

  void fft() {
    set("kind", "kernel");
    set("name", "fft");
    set("tasks", tasks_);
    set("points",
        std::vector<i64>{at_least(number("nx", 128)), at_least(number("ny", 128)), at_least(number("nz", 128))});
    set("inverse", true);
    set("repetitions", at_least(number("iterations", 1)));
    const i64 rows = number("npRow", 0);
    if (rows > 0 && tasks_ % rows == 0) set("shape", std::vector<i64>{rows, tasks_ / rows});
  }

  void collective() {
    struct Known {
      const char *motif, *name;
      i64 count, bytes;
      const char* algorithm;
    };
    // firefly goes up and down a tree in allreduces, reduces, broadcasts and barriers.
    static constexpr Known known[] = {{"Allreduce", "allreduce", 1, 8, "reduce-broadcast"},
                                      {"Reduce", "reduce", 1, 8, ""},
                                      {"Bcast", "broadcast", 1, 8, ""},
                                      {"Barrier", "barrier", 0, 0, "tree"},
                                      {"Alltoall", "all-to-all", 1, 1, ""},
                                      {"Alltoallv", "all-to-all", 1, 1, ""},
                                      {"Allgather", "allgather", 1, 4, ""},
                                      {"Allgatherv", "allgather", 1, 4, ""},
                                      {"Gather", "gather", 1, 4, ""},
                                      {"Gatherv", "gather", 1, 4, ""},
                                      {"Scatter", "scatter", 1, 4, ""},
                                      {"Scatterv", "scatter", 1, 4, ""}};
    const auto* const found = std::ranges::find(known, motif_.name, &Known::motif);
    if (found == std::end(known)) {
      all_.model.fail(
          motif_.line,
          fmt::format("motif {} has nothing near to it in weft; it has PingPong, BiPingPong, AllPingPong, Ring, "
                      "Halo1D, Halo2D, Halo3D, Halo3D26, Sweep2D, Sweep3D, FFT3D, Incast, LQCD and the "
                      "collective operations",
                      shown(motif_.name)));
    }
    set("kind", "collective");
    set("name", found->name);
    set("tasks", tasks_);
    if (found->algorithm[0] != '\0') set("algorithm", found->algorithm);
    const i64 bytes =
        found->bytes == 0 ? 0 : std::max<i64>(number("bytes", 0), number("count", found->count) * found->bytes);
    if (bytes > 0) set("message_bytes", bytes);
    set("repetitions", at_least(number("iterations", 1)));
    if (motif_.name == "Reduce") nearest("the 11 us that ember computes before each are left out");
    longest_ = bytes;
  }

  /// Motifs of a few ranks as the graph of their operations, in the order of the motif.
  void graph() {
    const i64 bytes =
        std::max<i64>(1, number("messageSize", number("messagesize", motif_.name == "AllPingPong" ? 128 : 1024)));
    const i64 rounds = at_least(number("iterations", 1)), other = number("rank2", 1);
    if (!rounds_fit(4))
      all_.model.fail(
          motif_.line,
          fmt::format("{} with {} iterations on {} ranks has more operations than an import writes; use fewer",
                      motif_.name, rounds, tasks_));
    if (tasks_ < 2 || other >= tasks_ || other == 0)
      all_.model.fail(motif_.line,
                      fmt::format("{} needs two ranks of the {} of the job; use a larger one, or another rank2",
                                  motif_.name, tasks_));
    longest_ = bytes;
    OperationGraph graph = operations();
    for (i64 rank = 0; rank < tasks_; ++rank) {
      graph.begin(rank);
      const auto send = [&](i64 to) { graph.send(bytes, to); };
      const auto receive = [&](i64 from) { graph.receive(bytes, from); };
      for (i64 round = 0; round < rounds; ++round) {
        if (motif_.name == "Ring") {
          const i64 to = (rank + 1) % tasks_, from = (rank + tasks_ - 1) % tasks_;
          if (rank == 0)
            send(to), receive(from);
          else
            receive(from), send(to);
        } else if (motif_.name == "AllPingPong") {
          const i64 half = tasks_ / 2;
          if (rank >= 2 * half) continue;
          graph.calc(number("computetime", 1000));
          if (rank < half)
            send(rank + half), receive(rank + half);
          else
            receive(rank - half), send(rank - half);
        } else if (motif_.name == "PingPong" || motif_.name == "SendRecv") {
          if (rank == 0)
            send(other), receive(other);
          else if (rank == other)
            receive(0), send(0);
        } else if (rank == 0 || rank == other) {
          send(other - rank);
          receive(other - rank);
        }
      }
      if (finishes()) graph.barrier();
      graph.end();
    }
    replay(graph);
    if (number("messageSize", number("messagesize", 1)) == 0) nearest("messages of no bytes are of one");
  }

  /// A delay of a message of longest_ bytes: the range that it is in ("0-127:1100ns", "16-:330ns"), else the base.
  double delay_ns(const std::string& name, double fallback) const {
    for (u32 k = 0;; ++k) {
      const Parameter* const range = find(fmt::format("{}.range.{}", name, k));
      if (range == nullptr) break;
      const std::size_t colon = range->value.rfind(':'), dash = range->value.find('-');
      if (colon == std::string::npos)
        all_.model.fail(range->line, fmt::format("{} is no range; write for example 0-127:130ns", shown(range->value)));
      const std::string_view text = range->value;
      const std::optional<i64> least = parsed<i64>(trimmed(text.substr(0, std::min(dash, colon))));
      std::optional<i64> most = least;
      if (dash < colon) {
        const std::string_view end = trimmed(text.substr(dash + 1, colon - dash - 1));
        most = end.empty() ? std::optional(std::numeric_limits<i64>::max()) : parsed<i64>(end);
      }
      if (least && most && (longest_ < *least || longest_ > *most)) continue;
      // Of "450ps-80ps", which falls with the size, the first.
      const std::string_view first = text.substr(colon + 1);
      return time(*range, first.substr(0, first.find('-')));
    }
    const Parameter* const base = find(name + ".base");
    return base == nullptr ? fallback : time(*base, base->value);
  }
  double time(const Parameter& of, std::string_view text) const {
    if (const std::optional<double> ns = ns_of(text)) return *ns;
    all_.model.fail(of.line, fmt::format("{} is no time; write for example 130ns", shown(of.value)));
  }
  /// ns a byte of a copy: of a latency that is multiplied by the size ("Mult"); others do not grow with it.
  double copy_ns(const std::string& name, const std::string& usual) const {
    const Parameter* const op = find(name + "Params.op");
    const Parameter* const kind = find(name);
    const bool scales = kind != nullptr && kind->value.ends_with("ScaleLatMod");
    return scales || (op == nullptr ? usual : op->value) == "Mult" ? delay_ns(name + "Params", 0.344) : 0;
  }
  const Parameter* find(const std::string& name) const {
    for (const char* const prefix : {"", "hermesParams.ctrlMsg.", "hermesParams.functionSM.", "functionSM.", "ctrl."}) {
      if (const Parameter* const found = engine_.find(prefix + name)) return found;
    }
    return nic_.find(name);
  }
  double plain(const std::string& name, double fallback) const {
    const Parameter* const found = find(name);
    if (found == nullptr) return fallback;
    if (const std::optional<double> ns = ns_of(found->value)) return *ns;
    const std::optional<double> value = parsed<double>(trimmed(found->value));
    if (!value || *value < 0 || *value > 1e12)
      all_.model.fail(found->line, fmt::format("{} = {} is no number from 0 on; write one", name, shown(found->value)));
    return *value;
  }

  /// What sender and receiver wait for a message, besides the network: o of both alike, as their mean.
  void costs() {
    const double calls = (plain("defaultEnterLatency", 30000) + plain("defaultReturnLatency", 30000)) / 1000;
    const double host = plain("nic2host_lat", 150);
    const double sender = calls + delay_ns("txSetupModParams", 130) + plain("txDelay_ns", 50) + host +
                          plain("sendStateDelay_ps", 0) / 1000;
    const double receiver = calls + delay_ns("rxSetupModParams", 100) + plain("matchDelay_ns", 150) +
                            plain("rxMatchDelay_ns", 100) + host + plain("recvStateDelay_ps", 0) / 1000;
    double overhead = (sender + receiver) / 2, copy = 0;
    const double rendezvous = rendezvous_bytes();
    if (static_cast<double>(longest_) > rendezvous) {
      // Both sides register the memory, which a graph has as operations; and nobody copies.
      if (!is_graph_) overhead += register_ns();
    } else {
      copy = (copy_ns("txMemcpyMod", "Mult") + copy_ns("rxMemcpyMod", "None")) / 2;
    }
    set("overhead_ns", std::min(overhead, 1e9));
    if (copy > 0) set("byte_overhead_ns", std::min(copy, 1e6));
    if (rendezvous >= 1) set("rendezvous_bytes", static_cast<i64>(rendezvous));
  }

  void leave_out_unused() {
    for (const auto& [key, parameter] : engine_.params) {
      const std::size_t dot = key.find(".arg.");
      if (dot == std::string::npos) continue;
      const auto own = motif_.args.find(key.substr(dot + 5));
      if (own == motif_.args.end() || own->second.line != parameter.line || used_.contains(own->first)) continue;
      all_.note(key, fmt::format("nothing of the import of {} comes from it", motif_.name), OptionState::left_out);
    }
  }

  static i64 at_least(i64 value) { return std::max<i64>(1, value); }
  void nearest(const std::string& what) {
    // All arguments of the motif say it.
    for (const auto& [key, parameter] : engine_.params) {
      if (key.starts_with("motif") && key.ends_with(".name") && parameter.line == motif_.line)
        all_.note(key, "workload.kind; " + what);
    }
  }

  Conversion& all_;
  const Motif& motif_;
  const Component& engine_;
  const Component& nic_;
  static constexpr i64 most_operations = 2000000;

  i64 tasks_;
  std::string table_, job_;
  i64 longest_ = 0;  ///< bytes of a message
  bool is_graph_ = false;
  mutable std::set<std::string> used_;  ///< arguments of the motif that were asked for
};

}  // namespace

void convert_motif(Conversion& all, const Motif& motif, const Component& engine, const Component& nic, i64 tasks,
                   const std::string& table, const std::string& job) {
  MotifConversion(all, motif, engine, nic, tasks, table, job).whole();
}

}  // namespace weft::tools::sst
