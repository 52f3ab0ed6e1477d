// Makes the library that one of whose files includes it a plug-in of this weft: an ELF note with what it was compiled
// with, which the program reads before it loads the library (readelf -n shows it). weft_add_plugin() adds it.
#pragma once

#include <cstdint>

#include "tools/run/plugin/abi.hpp"

namespace weft::plugin {
namespace {

struct Note {
  std::uint32_t name_bytes = sizeof name, text_bytes = sizeof text, type = 1;
  char name[8] = "weft";  // and padding
  alignas(4) char text[sizeof WEFT_ABI] = WEFT_ABI;
};
[[gnu::section(".note.weft"), gnu::used]] const Note stamp{};

}  // namespace
}  // namespace weft::plugin
