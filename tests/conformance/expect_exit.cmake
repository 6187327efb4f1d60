# Runs the global_exit program with several numbers of PEs: the job's status must be the one it was ended with,
# and what the caller has printed must be out.
# SPDX-License-Identifier: BSD-3-Clause
foreach(pes 1 2 3 7)
  execute_process(COMMAND ${OSHRUN} -n ${pes} ${PROGRAM} ${WHO} 37
    RESULT_VARIABLE status OUTPUT_VARIABLE output TIMEOUT 20)
  if(NOT status EQUAL 37)
    message(FATAL_ERROR "${pes} PEs, exit of ${WHO}: status ${status}, not 37\n${output}")
  endif()
  if(WHO STREQUAL all)
    continue()
  endif()
  math(EXPR caller "${WHO} % ${pes}")
  if(NOT output MATCHES "before the exit of ${caller}\n")
    message(FATAL_ERROR "${pes} PEs: what PE ${caller} had printed is lost\n${output}")
  endif()
endforeach()
