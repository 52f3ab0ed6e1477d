// Workloads of SimAI: text files that AICB writes for ASTRA-sim, with a line for each part of a model of how long it
// computes and what is communicated then. docs/accelerator-traces.md has the rules.
// github.com/aliyun/aicb, github.com/aliyun/SimAI (Wang et al.: SimAI, NSDI 2025).
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/generator/training/parallel_layout.hpp"
#include "workloads/program/program.hpp"

namespace weft::workloads {

/// A collective operation of a line.
struct AicbOperation {
  enum class Kind : u8 { none, all_reduce, all_gather, reduce_scatter, all_to_all };
  enum class Group : u8 { tensor, data, expert, expert_data };
  Kind kind = Kind::none;
  Group group = Group::tensor;
  u64 bytes = 0;  ///< of all blocks together; of all-to-all: what a task sends to all, itself included

  [[nodiscard]] bool communicates() const { return kind != Kind::none && bytes > 0; }
};
inline constexpr u32 aicb_groups = 4;

/// Computing, and what follows it.
struct AicbPart {
  u64 compute_ns = 0;
  AicbOperation operation = {};
};

struct AicbLayer {
  AicbPart forward, input_gradient, weight_gradient;
  u64 update_ns = 0;          ///< after the operation of its weights' gradients
  bool checkpoint = false;    ///< its input is kept
  bool begins_again = false;  ///< before its gradients, the layers from the last checkpoint on are done again
};

struct AicbModel {
  ParallelLayout layout;
  u32 tasks = 1;
  std::vector<AicbLayer> layers;

  [[nodiscard]] GroupPlace place(u32 task, AicbOperation::Group group) const;
  /// Bytes of the largest message.
  [[nodiscard]] u64 longest_message() const;
};

/// Throws InputError "file:line: ..." for what is no such file.
[[nodiscard]] AicbModel read_aicb(std::string_view text, const std::string& file);
/// Reads a model from a file, which may be compressed. Throws InputError as read_aicb does.
[[nodiscard]] AicbModel read_aicb_file(const std::string& path);

/// Activities of a program, by their places in Program::activities; those of groups follow.
enum class AicbActivity : u8 { forward, backward, weights, update, tensor, data, expert, expert_data };

/// `passes`: how often forward and backward are done.
[[nodiscard]] std::unique_ptr<Program> make_aicb(AicbModel model, std::string name, u32 passes);

}  // namespace weft::workloads
