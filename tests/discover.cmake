# The unit tests of a program as ctest entries, asked of the program itself once it is built: one for each test, and one
# for all parameters of a test that has some. A start of a program with thousands of tests costs a tenth of a second, and
# most of its tests take less than that.

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
set(suite)
set(names)
foreach(line ${listed})
  if(line MATCHES "^  ([A-Za-z0-9_]+)(/?)")
    # gtest names the instances of a test with parameters name/parameter.
    set(name ${suite}.${CMAKE_MATCH_1})
    if(CMAKE_MATCH_2)
      string(APPEND name "/*")
    endif()
    list(APPEND names ${name})
  elseif(line MATCHES "^([A-Za-z0-9_/]+)\\. *$")
    set(suite ${CMAKE_MATCH_1})
  endif()
endforeach()
list(REMOVE_DUPLICATES names)
if(NOT names)
  message(FATAL_ERROR "${PROGRAM} lists no tests:\n${listed}")
endif()

set(script)
foreach(name ${names})
  string(REPLACE "/*" "" entry ${name})
  set(properties "LABELS unit")
  # One instance that is skipped must not hide another that fails.
  if(entry STREQUAL name)
    string(APPEND properties [[ SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]"]])
  endif()
  string(APPEND script "add_test(${entry} \"${PROGRAM}\" \"--gtest_filter=${name}\")\n"
                       "set_tests_properties(${entry} PROPERTIES ${properties})\n")
endforeach()
file(WRITE ${TESTS} "${script}")
