// What libraries lose when they give up on a file is not what is looked for.
#pragma once

extern "C" [[gnu::weak]] const char* __lsan_default_suppressions() {
  return "leak:libhdf5\nleak:libopen-trace-format2";
}
