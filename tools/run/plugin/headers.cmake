# Generates plugin_headers.hpp, by which plug-ins that were compiled with other headers are known.
set(plugin_headers ${CMAKE_BINARY_DIR}/generated/plugin_headers.hpp)
set(installed_headers)
foreach(folder engine models workloads tools)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.hpp)
  list(APPEND installed_headers ${headers})
endforeach()
add_custom_command(
  OUTPUT ${plugin_headers}
  COMMAND ${CMAKE_COMMAND} -D ROOT=${CMAKE_SOURCE_DIR} "-DFOLDERS=engine;models;workloads;tools" -D VERSION=${PROJECT_VERSION}
          -D OUT=${plugin_headers} -P ${CMAKE_SOURCE_DIR}/tools/run/plugin/headers_hash.cmake
  DEPENDS ${installed_headers} tools/run/plugin/headers_hash.cmake
  VERBATIM)
add_custom_target(weft_plugin_headers DEPENDS ${plugin_headers})
add_dependencies(weft_tools weft_plugin_headers)
