// Transformer models by their shape: floating-point operations, parameters and sizes of activations. After Narayanan et
// al.: Efficient large-scale language model training on GPU clusters using Megatron-LM (SC 2021), and Korthikanti et
// al.: Reducing activation recomputation in large transformer models (MLSys 2023).
#pragma once

#include "engine/base/types.hpp"

namespace weft::workloads {

struct ModelShape {
  u64 layers = 1, hidden = 1, feed_forward = 4, sequence = 1, vocabulary = 1;
  u64 experts = 0;  ///< of a layer; 0: none, each token goes through the one feed-forward part
  u64 top_k = 1;    ///< experts of a token
  u64 element_bytes = 2;

  [[nodiscard]] u64 experts_of_token() const { return experts == 0 ? 1 : top_k; }

  /// Parameters of a layer: queries, keys, values and the projection behind; the feed-forward part, of one expert.
  [[nodiscard]] u64 attention_parameters() const { return 4 * hidden * hidden; }
  [[nodiscard]] u64 feed_forward_parameters() const { return 2 * hidden * feed_forward; }
  /// Parameters of the embedding, and of the logits again.
  [[nodiscard]] u64 embedding_parameters() const { return vocabulary * hidden; }

  /// Floating-point operations of the forward pass of so many tokens. Two for each parameter and token; scores and
  /// their products with values four for each token, token of its sequence and element.
  [[nodiscard]] double attention_flop(double tokens) const {
    return tokens * (2.0 * static_cast<double>(attention_parameters()) +
                     4.0 * static_cast<double>(sequence) * static_cast<double>(hidden));
  }
  [[nodiscard]] double feed_forward_flop(double tokens) const {
    return tokens * 2.0 * static_cast<double>(feed_forward_parameters() * experts_of_token());
  }
  [[nodiscard]] double logits_flop(double tokens) const {
    return tokens * 2.0 * static_cast<double>(embedding_parameters());
  }
  /// Bytes of the activations between layers, of so many tokens.
  [[nodiscard]] u64 activation_bytes(u64 tokens) const { return tokens * hidden * element_bytes; }
};

/// Times by a roofline: what takes longer, its operations or its way from and to memory.
struct Device {
  double flop_per_ns = 1, bytes_per_ns = 1;
  [[nodiscard]] u64 ns(double flop, double bytes) const {
    const double most = flop / flop_per_ns > bytes / bytes_per_ns ? flop / flop_per_ns : bytes / bytes_per_ns;
    return static_cast<u64>(most + 0.5);
  }
};

}  // namespace weft::workloads
