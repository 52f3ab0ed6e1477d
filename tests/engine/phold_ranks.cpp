// Runs PHOLD over the real transport and prints its digest and event count on rank 0: one cell of phold_ranks.py's
// matrix.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "tests/engine/phold.hpp"

int main(int argc, char** argv) {
  using weft::engine::testing::PholdSpec;
  try {
    const auto transport = weft::engine::open_transport(&argc, &argv);
    if (argc != 6) {
      if (transport->rank() == 0) {
        std::fputs("usage: phold_ranks ENTITIES LATENCY TICKS block|round-robin windowed|null-message\n", stderr);
      }
      return 2;
    }
    PholdSpec spec;
    spec.entities = static_cast<weft::u32>(std::strtoul(argv[1], nullptr, 10));
    spec.latency = std::strtoull(argv[2], nullptr, 10);
    if (std::string(argv[5]) == "null-message") spec.protocol = weft::engine::Protocol::null_message;
    const auto result = weft::engine::testing::run_phold(spec, *transport, std::string(argv[4]) == "block",
                                                         std::strtoull(argv[3], nullptr, 10));
    if (transport->rank() == 0) {
      std::printf("%s %llu %u\n", result.digest.hex().c_str(), static_cast<unsigned long long>(result.events),
                  transport->size());
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "phold_ranks: %s\n", error.what());
    return 1;
  }
  return 0;
}
