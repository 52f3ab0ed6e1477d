# The kernel alone, over MPI: PHOLD must have one history for every number of ranks and every partition.
add_executable(phold_ranks ${CMAKE_CURRENT_LIST_DIR}/phold_ranks.cpp)
target_link_libraries(phold_ranks PRIVATE weft_all)

# Latency 1 exchanges every tick, 16 every few, 500 lets the ranks run far on their own and has idle time to jump over.
foreach(case "1 400" "16 4000" "500 50000")
  separate_arguments(case)
  list(GET case 0 latency)
  list(GET case 1 ticks)
  add_test(
    NAME ranks.phold_latency_${latency}
    COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/phold_ranks.py --program $<TARGET_FILE:phold_ranks> --mpirun
            ${MPIEXEC_EXECUTABLE} --entities 50 --latency ${latency} --ticks ${ticks})
  set_tests_properties(ranks.phold_latency_${latency} PROPERTIES LABELS ranks PROCESSORS 1 TIMEOUT 120)
endforeach()
