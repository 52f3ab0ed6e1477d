# The kernel alone, over MPI: PHOLD must have one history for every number of ranks and every partition.
add_executable(phold_ranks ${CMAKE_CURRENT_LIST_DIR}/phold_ranks.cpp)
target_link_libraries(phold_ranks PRIVATE weft_all)

# Latency 1 exchanges every tick, 16 every few, 500 lets the ranks run far on their own and has idle time to jump over.
# Of 20,000 entities, batches are larger than what goes through shared memory.
foreach(case "50 1 400" "50 16 4000" "50 500 50000" "20000 16 200")
  separate_arguments(case)
  list(GET case 0 entities)
  list(GET case 1 latency)
  list(GET case 2 ticks)
  set(name ranks.phold_${entities}_latency_${latency})
  add_test(
    NAME ${name}
    COMMAND ${WEFT_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/phold_ranks.py --program $<TARGET_FILE:phold_ranks> --mpirun
            ${MPIEXEC_EXECUTABLE} --entities ${entities} --latency ${latency} --ticks ${ticks})
  set_tests_properties(${name} PROPERTIES LABELS ranks PROCESSORS 4 TIMEOUT 120)
endforeach()
