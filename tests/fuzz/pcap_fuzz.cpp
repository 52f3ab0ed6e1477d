// Any bytes as a capture of a network sniffer.
#include "tests/fuzz/trace_formats.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  weft::fuzz::read_as("pcap", data, size, {.of_event = [](const weft::workloads::TraceEvent& event, std::uint32_t) {
                        WEFT_ASSERT(event.bytes > 0 && event.tag <= 0xffff);
                      }});
  return 0;
}
