# The unit tests of a program as ctest entries, asked of the program itself once it is built: one for each suite. A
# start of a program with thousands of tests costs a tenth of a second, and most of its tests take less than that.

# weft_discover_tests(target): every entry has the label `unit`.
function(weft_discover_tests target)
  set(tests ${CMAKE_CURRENT_BINARY_DIR}/${target}_tests.cmake)
  add_custom_command(
    TARGET ${target} POST_BUILD
    BYPRODUCTS ${tests}
    COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:${target}> -D TESTS=${tests} -P
            ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    VERBATIM)
  set(included ${CMAKE_CURRENT_BINARY_DIR}/${target}_include.cmake)
  # A program that was not built is a test that fails, not one that is missing.
  file(WRITE ${included} "if(EXISTS \"${tests}\")\n  include(\"${tests}\")\nelse()\n"
                         "  add_test(${target}_NOT_BUILT ${target}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${included})
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE)
  return()
endif()

execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed RESULT_VARIABLE failed TIMEOUT 60)
if(failed)
  message(FATAL_ERROR "${PROGRAM} does not list its tests: ${failed}\n${listed}")
endif()
# What parameters are may hold anything; names are made of letters, digits, _ and /.
string(REGEX REPLACE "[^A-Za-z0-9_/. \n][^\n]*" "" listed "${listed}")
string(REPLACE "\n" ";" listed "${listed}")
set(suites)
foreach(line ${listed})
  if(line MATCHES "^([A-Za-z0-9_/]+)\\. *$")
    list(APPEND suites ${CMAKE_MATCH_1})
  endif()
endforeach()
if(NOT suites)
  message(FATAL_ERROR "${PROGRAM} lists no tests:\n${listed}")
endif()

cmake_path(GET PROGRAM STEM program)
string(REGEX REPLACE "_test$" "" folder ${program})
set(script)
foreach(suite ${suites})
  # The names of two programs may be the same.
  string(APPEND script "add_test(${folder}.${suite} \"${PROGRAM}\" \"--gtest_filter=${suite}.*\")\n"
                       "set_tests_properties(${folder}.${suite} PROPERTIES LABELS unit)\n")
endforeach()
file(WRITE ${TESTS} "${script}")
