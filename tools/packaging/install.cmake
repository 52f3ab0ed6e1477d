# What cmake --install puts where, and the packages that cpack makes of it; docs/installing.md describes both. Parts:
# the program with its pages, scripts and examples; what plug-ins are compiled against; the Python package.
include(CMakePackageConfigHelpers)
set(packaging ${CMAKE_SOURCE_DIR}/tools/packaging)
set(share ${CMAKE_BINARY_DIR}/share)
set(WEFT_ZSH_FOLDER share/zsh/site-functions CACHE STRING
    "Where the completion of zsh goes; share/zsh/vendor-completions on Debian")
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)

# Manual pages and completions are what the program says of itself.
add_custom_command(
  TARGET weft POST_BUILD
  COMMAND ${CMAKE_COMMAND} -D WEFT=$<TARGET_FILE:weft> -D OUT=${share} -P ${packaging}/pages.cmake
  VERBATIM)
install(TARGETS weft RUNTIME DESTINATION bin COMPONENT program)
install(DIRECTORY ${share}/man ${share}/bash-completion ${share}/fish DESTINATION share COMPONENT program)
install(FILES ${share}/zsh/_weft DESTINATION ${WEFT_ZSH_FOLDER} COMPONENT program)
install(FILES README.md CHANGELOG.md DESTINATION share/doc/weft COMPONENT program)
install(FILES LICENSE DESTINATION share/doc/weft RENAME copyright COMPONENT program)
install(DIRECTORY docs/ DESTINATION share/doc/weft/docs COMPONENT program FILES_MATCHING PATTERN "*.md")
install(DIRECTORY examples DESTINATION share/weft COMPONENT program PATTERN __pycache__ EXCLUDE)
# Studies find the configs that they are based on in ../examples, as in the source tree.
install(DIRECTORY studies DESTINATION share/weft COMPONENT program PATTERN __pycache__ EXCLUDE)
# Two of the examples are of this fabric.
install(DIRECTORY tests/data/fabrics/dfly-4-2-2 DESTINATION share/weft/tests/data/fabrics COMPONENT program)
install(FILES tools/mpi-env.sh DESTINATION share/weft COMPONENT program)
# What messages tell users to start.
install(PROGRAMS tools/install-packages tools/install-guest-kernel DESTINATION share/weft/tools COMPONENT program)
install(FILES tools/packages.txt DESTINATION share/weft/tools COMPONENT program)
install(FILES cluster-scripts/weft.sbatch cluster-scripts/README.md DESTINATION share/weft/cluster-scripts
    COMPONENT program)
install(PROGRAMS cluster-scripts/weft-submit DESTINATION share/weft/cluster-scripts COMPONENT program)
install(CODE "file(CREATE_LINK ../share/weft/cluster-scripts/weft-submit
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/weft-submit\" SYMBOLIC)" COMPONENT program)

# Headers, and how to compile with them. The flags are those that the program's own stamp speaks of
# (tools/run/plugin/abi.hpp).
set(plugin_flags ${exact_flags})
set(plugin_loop_flags -O2)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND plugin_flags -Wno-psabi)
  list(APPEND plugin_loop_flags ${one_function_flags} ${no_vector_flags})
endif()
if(CMAKE_BUILD_TYPE STREQUAL Release)
  list(APPEND plugin_flags ${instructions})
endif()
if(WEFT_SANITIZE)
  list(APPEND plugin_flags -fsanitize=address,undefined)
endif()
if(CMAKE_BUILD_TYPE STREQUAL Debug)
  list(APPEND plugin_flags -UNDEBUG)
else()
  list(APPEND plugin_flags -DNDEBUG)
endif()
list(JOIN plugin_flags " " plugin_flags_text)
configure_package_config_file(${packaging}/cmake/weftConfig.cmake.in ${CMAKE_BINARY_DIR}/generated/weftConfig.cmake
                              INSTALL_DESTINATION lib/cmake/weft)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/weftConfigVersion.cmake COMPATIBILITY ExactVersion)
configure_file(${packaging}/weft.pc.in ${CMAKE_BINARY_DIR}/generated/weft.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/generated/weftConfig.cmake ${CMAKE_BINARY_DIR}/generated/weftConfigVersion.cmake
        ${packaging}/cmake/weft_add_plugin.cmake DESTINATION lib/cmake/weft COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/generated/weft.pc DESTINATION lib/pkgconfig COMPONENT development)
# When it is installed, since a header may have come to lead to another since CMake ran.
install(CODE "include(\"${CMAKE_SOURCE_DIR}/tools/run/plugin/public_headers.cmake\")
  weft_public_headers(\"${CMAKE_SOURCE_DIR}\" headers)
  foreach(header IN LISTS headers)
    get_filename_component(folder \"\${header}\" DIRECTORY)
    file(INSTALL \"${CMAKE_SOURCE_DIR}/\${header}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/include/weft/\${folder}\")
  endforeach()" COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/generated/version.hpp ${CMAKE_BINARY_DIR}/generated/plugin_headers.hpp
        DESTINATION include/weft COMPONENT development)

# What other simulators join weft cosim with.
install(FILES tools/cosim/socket/weft_cosim.h DESTINATION include/weft COMPONENT development)

# Where Debian's /usr/bin/python3 looks with the prefix /usr; elsewhere PYTHONPATH says it.
install(DIRECTORY tools/python/weft DESTINATION lib/python3/dist-packages COMPONENT python FILES_MATCHING PATTERN "*.py"
        PATTERN "py.typed" PATTERN __pycache__ EXCLUDE)

include(${packaging}/debian.cmake)
