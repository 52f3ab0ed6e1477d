# Writes OUT with the version and a hash over the names and contents of all public headers below ROOT: plug-ins that
# were compiled with other ones are refused.
include(${CMAKE_CURRENT_LIST_DIR}/public_headers.cmake)
weft_public_headers(${ROOT} headers)
set(all)
foreach(header ${headers})
  file(SHA256 ${ROOT}/${header} hash)
  string(APPEND all "${header} ${hash}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 16 hash)
file(WRITE ${OUT}.new "// Generated: which headers a plug-in was compiled with.
#pragma once
#define WEFT_HEADERS_VERSION \"${VERSION}\"
#define WEFT_HEADERS_HASH \"${hash}\"
")
file(COPY_FILE ${OUT}.new ${OUT} ONLY_IF_DIFFERENT)
file(REMOVE ${OUT}.new)
