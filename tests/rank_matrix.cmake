# One line registers a test that a config gives the same result for every rank count, partition and protocol.
# weft_rank_matrix(NAME name CONFIG file [ARGS ...] [LABELS ...] [RANKS 1 2 3 4]
#                  [VARIANTS windowed:metis windowed:block null-message:block])
#   CONFIG    relative to the repository's root, or absolute
#   ARGS      more arguments of `weft run`, e.g. --set simulation.seed=7
#   LABELS    besides `ranks`
#   RANKS     each is compared with one rank and the sequential protocol; each with one of the variants, all of which come up where
#             there are as many rank counts, or with WEFT_FULL_RANK_MATRIX=ON with every variant (three times as long)
#   VARIANTS  protocol:partition, as in the config's [parallel] table
function(weft_rank_matrix)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;CONFIG" "ARGS;LABELS;RANKS;VARIANTS")
  if(NOT arg_NAME OR NOT arg_CONFIG OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "weft_rank_matrix needs NAME and CONFIG (unknown here: '${arg_UNPARSED_ARGUMENTS}')")
  endif()
  if(NOT arg_RANKS)
    set(arg_RANKS 1 2 3 4)
  endif()
  if(NOT arg_VARIANTS)
    set(arg_VARIANTS windowed:metis windowed:block null-message:block)
  endif()
  set(pairs --one-each)
  list(LENGTH arg_RANKS rank_counts)
  list(LENGTH arg_VARIANTS variants)
  if(WEFT_FULL_RANK_MATRIX OR rank_counts LESS variants)
    set(pairs)
  endif()
  get_filename_component(config ${arg_CONFIG} ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
  set(labels ranks ${arg_LABELS})
  set(more)
  if(arg_ARGS)
    set(more -- ${arg_ARGS})
  endif()
  add_test(
    NAME ranks.${arg_NAME}
    COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/rank_matrix.py --weft $<TARGET_FILE:weft>
            --mpirun ${MPIEXEC_EXECUTABLE} --config ${config} --ranks ${arg_RANKS} --variants ${arg_VARIANTS} ${pairs} ${more}
    COMMAND_EXPAND_LISTS)
  # The script's own limit is shorter, so that it can say which run was slow and end its ranks.
  # Two at a time on two processors, though each has several ranks: most of it is starting them, which is waiting.
  set_tests_properties(ranks.${arg_NAME} PROPERTIES LABELS "${labels}" PROCESSORS 1 TIMEOUT 300)
endfunction()
