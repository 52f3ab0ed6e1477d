# Writes OUT with the version and a hash over the names and contents of all headers below ROOT in FOLDERS: plug-ins that
# were compiled with other headers are refused.
set(all)
foreach(folder ${FOLDERS})
  file(GLOB_RECURSE headers RELATIVE ${ROOT} ${ROOT}/${folder}/*.hpp)
  list(SORT headers)
  foreach(header ${headers})
    file(SHA256 ${ROOT}/${header} hash)
    string(APPEND all "${header} ${hash}\n")
  endforeach()
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
