// Reads the lines of AICB's files.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.hpp"
#include "engine/base/nearest.hpp"
#include "engine/base/text/byte_source.hpp"
#include "engine/base/text/line_place.hpp"
#include "engine/base/text/parsed.hpp"
#include "engine/base/text/shown.hpp"
#include "engine/base/text/text_line.hpp"
#include "workloads/generator/accelerator/aicb.hpp"

namespace weft::workloads {
namespace {

constexpr std::size_t most_file_bytes = std::size_t{64} << 20;
constexpr u64 most_amount = u64{1} << 50;  ///< bytes, ns
constexpr u64 most_gpus = u64{1} << 24, most_layers = u64{1} << 20;
constexpr std::size_t layer_fields = 12;

/// Nothing is a comment there.
constexpr LineForm aicb_lines{.separators = " \t\r", .comment = '\0'};

using Operation = AicbOperation;

class AicbReader {
 public:
  AicbReader(std::string_view text, const std::string& file) : file_(file), lines_(text, file, aicb_lines) {}

  AicbModel read() {
    if (!lines_.next_with_words()) fail("the file is empty", "give a workload that AICB wrote");
    header();
    if (!lines_.next_with_words() || line().words() != 1)
      fail("there is no number of layers", "the second line is the number of lines that follow");
    const u64 layers = number(line().word(0), "number of layers", 1, most_layers);
    for (u64 k = 0; k < layers; ++k) {
      if (!lines_.next_with_words())
        fail(fmt::format("the file ends after {} of {} layers", k, layers), "check that it is whole");
      layer();
    }
    const u64 last = line().number();
    if (lines_.next_with_words())
      fail(fmt::format("there are more lines than layers ({}, which end at line {})", layers, last),
           "correct the number in the second line");
    mark_layers();
    return std::move(model_);
  }

 private:
  [[nodiscard]] const TextLine& line() const { return lines_.line(); }
  [[noreturn]] void fail(const std::string& problem, const std::string& advice) const {
    lines_.line().fail(fmt::format("{}; {}", problem, advice));
  }

  u64 number(std::string_view word, const std::string& what, u64 least, u64 most) const {
    const std::optional<u64> value = parsed<u64>(word);
    if (!value || *value < least || *value > most) {
      fail(fmt::format("'{}' is no {}", shown(word, 40), what),
           fmt::format("give a whole number from {} to {}", least, most));
    }
    return *value;
  }

  void header() {
    static const std::vector<std::string> kinds{"HYBRID_TRANSFORMER", "HYBRID_TRANSFORMER_FWD_IN_BCKWD"};
    const std::string kind(line().word(0));
    if (kind != kinds[0] && kind != kinds[1]) {
      fail(fmt::format("'{}' is no kind of workload that is read here", shown(kind, 40)),
           fmt::format("expected {}", fmt::join(kinds, " or ")));
    }
    u64 tensor = 1, expert = 1, pipeline = 1, gpus = 0, unused = 0;
    const std::vector<std::pair<std::string, u64*>> keys{{"model_parallel_NPU_group", &tensor},
                                                         {"ep", &expert},
                                                         {"pp", &pipeline},
                                                         {"vpp", &unused},
                                                         {"ga", &unused},
                                                         {"all_gpus", &gpus},
                                                         {"pp_comm", &unused}};
    for (at_ = 1; at_ < line().words();) {
      std::string key(line().word(at_++));
      if (key.ends_with(':')) key.pop_back();
      if (key == "checkpoints" || key == "checkpoint_initiates") {
        numbered(key, key == "checkpoints" ? checkpoints_ : initiators_);
        continue;
      }
      const auto found = std::ranges::find(keys, key, &std::pair<std::string, u64*>::first);
      if (found == keys.end()) unknown(key, keys);
      const bool counts_tasks = found->second != &unused;
      *found->second = number(value(key), key, counts_tasks ? 1 : 0, counts_tasks ? most_gpus : most_amount);
    }
    if (gpus == 0) fail("all_gpus is not given", "add all_gpus: and their number");
    set_groups(tensor, expert, pipeline, gpus);
  }
  std::string_view value(const std::string& key) {
    if (at_ == line().words()) fail(fmt::format("{} has no value", key), "add its number");
    return line().word(at_++);
  }
  /// How many there are, and each.
  void numbered(const std::string& key, std::vector<u64>& layers) {
    const u64 count = number(value(key), key, 0, most_layers);
    for (u64 k = 0; k < count; ++k) layers.push_back(number(value(key), "number of a layer", 0, most_layers));
  }
  [[noreturn]] void unknown(const std::string& key, const std::vector<std::pair<std::string, u64*>>& keys) const {
    std::vector<std::string> names{"checkpoints", "checkpoint_initiates"};
    for (const auto& [name, into] : keys) names.push_back(name);
    fail(fmt::format("'{}' is unknown in the first line (one of {})", shown(key, 40), fmt::join(names, ", ")),
         fmt::format("did you mean {}?", nearest(key, names)));
  }

  void set_groups(u64 tensor, u64 expert, u64 pipeline, u64 gpus) {
    if (gpus % (tensor * pipeline) != 0) {
      fail(fmt::format("all_gpus = {} cannot be shared out among model_parallel_NPU_group x pp = {} x {}", gpus, tensor,
                       pipeline),
           fmt::format("use a multiple of {}", tensor * pipeline));
    }
    const u64 data = gpus / (tensor * pipeline);
    if (data % expert != 0) {
      fail(fmt::format("ep = {} does not divide the {} groups of data parallelism (all_gpus / "
                       "(model_parallel_NPU_group x pp))",
                       expert, data),
           "use a divisor of them");
    }
    model_.tasks = static_cast<u32>(gpus);
    model_.layout.degrees = {static_cast<u32>(tensor), 1, static_cast<u32>(data), static_cast<u32>(pipeline)};
    model_.layout.expert = static_cast<u32>(expert);
    model_.layout.set_order("tensor-context-data-pipeline");
  }

  void layer() {
    if (line().words() != layer_fields) {
      fail(fmt::format("a layer has {} fields (found {})", layer_fields, line().words()),
           "expected name, dependency, then time, operation and bytes of the forward pass, of the gradients of inputs "
           "and of weights, and the time of the update");
    }
    if (line().word(1) != "-1")
      fail(fmt::format("dependency '{}' is not read here", shown(line().word(1), 40)),
           "expected -1: after the one before");
    AicbLayer made;
    made.forward = part(2, Operation::Group::tensor);
    made.input_gradient = part(5, Operation::Group::tensor);
    made.weight_gradient = part(8, Operation::Group::data);
    made.update_ns = number(line().word(11), "time of an update in ns", 0, most_amount);
    model_.layers.push_back(made);
  }
  AicbPart part(std::size_t from, Operation::Group usual) const {
    AicbPart made;
    made.compute_ns = number(line().word(from), "time in ns", 0, most_amount);
    made.operation = operation(line().word(from + 1), usual);
    made.operation.bytes = number(line().word(from + 2), "number of bytes", 0, most_amount);
    return made;
  }
  Operation operation(std::string_view word, Operation::Group usual) const {
    Operation made{.group = usual};
    std::string_view base = word;
    const auto cut = [&](std::string_view suffix, Operation::Group group) {
      if (!base.ends_with(suffix)) return false;
      base.remove_suffix(suffix.size());
      made.group = group;
      return true;
    };
    if (!cut("_DP_EP", Operation::Group::expert_data)) cut("_EP", Operation::Group::expert);
    static const std::vector<std::string> names{"NONE", "ALLREDUCE", "ALLGATHER", "REDUCESCATTER", "ALLTOALL"};
    const auto found = std::ranges::find(names, base);
    if (found == names.end()) {
      fail(fmt::format("'{}' is no operation (one of {}, with _EP or _DP_EP behind)", shown(word, 40),
                       fmt::join(names, ", ")),
           fmt::format("did you mean {}?", nearest(std::string(base.substr(0, 40)), names)));
    }
    made.kind = static_cast<Operation::Kind>(found - names.begin());
    return made;
  }

  void mark_layers() {
    for (const auto* list : {&checkpoints_, &initiators_}) {
      for (const u64 at : *list) {
        if (at >= model_.layers.size()) {
          fail_at_line(file_, 1, fmt::format("there is no layer {}; use 0 to {}", at, model_.layers.size() - 1));
        }
        (list == &checkpoints_ ? model_.layers[at].checkpoint : model_.layers[at].begins_again) = true;
      }
    }
    bool kept = false;
    for (std::size_t at = 0; at < model_.layers.size(); ++at) {
      if (model_.layers[at].begins_again && !kept)
        fail_at_line(file_, 1,
                     fmt::format("layer {} begins again, but no layer before it is a checkpoint; add one to "
                                 "checkpoints",
                                 at));
      kept = kept || model_.layers[at].checkpoint;
    }
  }

  const std::string& file_;
  TextLines lines_;
  std::size_t at_ = 0;  ///< word of the first line
  AicbModel model_;
  std::vector<u64> checkpoints_, initiators_;
};

}  // namespace

AicbModel read_aicb(std::string_view text, const std::string& file) { return AicbReader(text, file).read(); }

AicbModel read_aicb_file(const std::string& path) {
  const auto source = open_bytes(path);
  const std::string text = read_head(*source, most_file_bytes + 1);
  if (text.size() > most_file_bytes) {
    throw InputError(fmt::format("{}: more than {} MiB are no workload of AICB; check which file it is",
                                 shown(source->name()), most_file_bytes >> 20));
  }
  return read_aicb(text, source->name());
}

}  // namespace weft::workloads
