# Generates plugin_headers.hpp, by which plug-ins that were compiled with other headers are known.
set(plugin_headers ${CMAKE_BINARY_DIR}/generated/plugin_headers.hpp)
set(all_headers)  # any of them may come to lead to another
foreach(folder engine models workloads tools)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.hpp)
  list(APPEND all_headers ${headers})
endforeach()
add_custom_command(
  OUTPUT ${plugin_headers}
  COMMAND ${CMAKE_COMMAND} -D ROOT=${CMAKE_SOURCE_DIR} -D VERSION=${PROJECT_VERSION} -D OUT=${plugin_headers}
          -P ${CMAKE_SOURCE_DIR}/tools/run/plugin/headers_hash.cmake
  DEPENDS ${all_headers} tools/run/plugin/headers_hash.cmake tools/run/plugin/public_headers.cmake
          tools/run/plugin/public_headers.txt
  VERBATIM)
add_custom_target(weft_plugin_headers DEPENDS ${plugin_headers})
add_dependencies(weft_tools weft_plugin_headers)
