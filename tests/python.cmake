# The interpreter of the Python tests: one that has the modules of tools/packages.txt. On Debian they belong to
# /usr/bin/python3, which need not be the first python3 in PATH. -DPython3_EXECUTABLE=... chooses another.
if(NOT Python3_EXECUTABLE)
  find_program(first_python python3 NO_CACHE)
  foreach(candidate ${first_python} /usr/bin/python3)
    execute_process(COMMAND ${candidate} -c "import h5py, numpy" RESULT_VARIABLE lacks OUTPUT_QUIET ERROR_QUIET)
    if(lacks EQUAL 0)
      # In the cache, since it is asked once; the tests of modules that are not there fail and say so.
      set(Python3_EXECUTABLE ${candidate} CACHE FILEPATH "Python interpreter of the tests")
      break()
    endif()
  endforeach()
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)
# Starts a Python test: -B, and the modules that tests of several folders share can be imported by their names.
set(path ${CMAKE_CURRENT_LIST_DIR})
set(WEFT_PYTHON env PYTHONPATH=${path}:${path}/cases:${path}/random:${path}/reference ${Python3_EXECUTABLE} -B)
