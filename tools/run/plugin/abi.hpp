// What a plug-in and the program must have in common: the same headers, compiled by the same compiler with flags of the
// same meaning. Both include this file, so that each says how it was compiled itself.
#pragma once

#include "plugin_headers.hpp"

#if defined(__clang__)
#define WEFT_ABI_COMPILER "clang " WEFT_ABI_TEXT(__clang_major__)
#elif defined(__GNUC__)
#define WEFT_ABI_COMPILER "gcc " WEFT_ABI_TEXT(__GNUC__)
#else
#define WEFT_ABI_COMPILER "unknown"
#endif
#define WEFT_ABI_TEXT(macro) WEFT_ABI_TEXT_OF(macro)
#define WEFT_ABI_TEXT_OF(text) #text

// How vectors are passed between functions, and whether some inline functions use them.
#if defined(__AVX512F__)
#define WEFT_ABI_INSTRUCTIONS "avx512"
#elif defined(__AVX2__)
#define WEFT_ABI_INSTRUCTIONS "avx2"
#elif defined(__AVX__)
#define WEFT_ABI_INSTRUCTIONS "avx"
#else
#define WEFT_ABI_INSTRUCTIONS "baseline"
#endif

#if defined(NDEBUG)
#define WEFT_ABI_ASSERTIONS "off"
#else
#define WEFT_ABI_ASSERTIONS "on"
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(_GLIBCXX_DEBUG)
#define WEFT_ABI_CHECKS "sanitizer"
#else
#define WEFT_ABI_CHECKS "none"
#endif

/// "name=value" for each thing, separated by "; ".
#define WEFT_ABI                                                                              \
  "weft=" WEFT_HEADERS_VERSION "; headers=" WEFT_HEADERS_HASH "; compiler=" WEFT_ABI_COMPILER \
  "; instructions=" WEFT_ABI_INSTRUCTIONS "; assertions=" WEFT_ABI_ASSERTIONS "; checks=" WEFT_ABI_CHECKS
