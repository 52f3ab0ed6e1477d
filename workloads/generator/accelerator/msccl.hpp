// Algorithms of MSCCL: XML files in which each thread block of each GPU has its steps, as msccl-tools writes them and
// MSCCL's runtime runs them. docs/accelerator-traces.md has the rules.
// Cowan et al.: MSCCLang: Microsoft collective communication language (ASPLOS 2023); github.com/microsoft/msccl-tools.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/generator/accelerator/group.hpp"
#include "workloads/program/program.hpp"

namespace weft::workloads {

enum class MscclType : u8 {
  nop,
  send,
  receive,
  copy,
  reduce,
  receive_copy_send,
  receive_reduce_copy,
  receive_reduce_send,
  receive_reduce_copy_send
};
[[nodiscard]] constexpr bool msccl_sends(MscclType type) {
  return type == MscclType::send || type == MscclType::receive_copy_send || type == MscclType::receive_reduce_send ||
         type == MscclType::receive_reduce_copy_send;
}
[[nodiscard]] constexpr bool msccl_receives(MscclType type) {
  return type >= MscclType::receive_copy_send || type == MscclType::receive;
}

/// Chunks of a buffer of the GPU: of input, output or scratch.
struct MscclPlace {
  char buffer = 'i';  ///< i, o, s
  u32 chunk = 0;
};

/// Until a step of another thread block of the GPU is done.
struct MscclDependency {
  u32 block = 0, step = 0;
};

struct MscclStep {
  MscclType type = MscclType::nop;
  MscclPlace source, target;
  u32 chunks = 1;
  std::optional<MscclDependency> depends;
  bool awaited = false;  ///< others wait for it
  u64 line = 0;          ///< of the file
};

struct MscclBlock {
  std::optional<u32> send, receive;  ///< GPUs
  u32 channel = 0;
  std::vector<MscclStep> steps;
  u64 line = 0;
};

struct MscclGpu {
  u32 input_chunks = 0, output_chunks = 0, scratch_chunks = 0;
  std::vector<MscclBlock> blocks;
};

struct MscclAlgorithm {
  std::string name, collective, protocol;  ///< protocol: "simple", "ll", "ll128"
  u32 chunks = 1;                          ///< that the data is divided into
  bool in_place = false;                   ///< input and output are one buffer
  std::vector<MscclGpu> gpus;

  /// Most chunks of a step that sends.
  [[nodiscard]] u32 most_chunks() const;
};

/// Throws InputError "file:line: ..." for what is no algorithm.
[[nodiscard]] MscclAlgorithm read_msccl(std::string_view text, const std::string& file);
/// Reads an algorithm from a file, which may be compressed. Throws InputError as read_msccl does.
[[nodiscard]] MscclAlgorithm read_msccl_file(const std::string& path);

struct MscclSpec {
  u64 bytes = 0;  ///< of all chunks together; a chunk is a whole number of bytes, rounded up
  u32 repetitions = 1;
  Transport transport = {};  ///< a chunk of more bytes goes in several turns; the protocol is that of the algorithm
};

/// Thread blocks are lanes; a message for each step that sends.
[[nodiscard]] std::unique_ptr<Program> make_msccl(MscclAlgorithm algorithm, const MscclSpec& spec);

}  // namespace weft::workloads
