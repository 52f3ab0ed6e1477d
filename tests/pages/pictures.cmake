# The large figures of reports in a headless browser; how soon large ones are open is a benchmark.
add_test(NAME pages.pictures COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/pictures_test.py)
set_tests_properties(pages.pictures PROPERTIES LABELS house TIMEOUT 120 ENVIRONMENT "${WEFT_TEST_ENVIRONMENT}"
                                    SKIP_REGULAR_EXPRESSION "chromium is not installed")
if(WEFT_BENCH)
  add_test(NAME pages.large COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/large_test.py)
  set_tests_properties(pages.large PROPERTIES LABELS bench TIMEOUT 300 RUN_SERIAL TRUE ENVIRONMENT "${WEFT_TEST_ENVIRONMENT}")
endif()
