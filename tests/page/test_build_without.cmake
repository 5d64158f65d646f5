# Builds that cannot have the page go on, say why, and do not try npm at every build:
# cmake -DSCRIPT=cmake/build_page.cmake -DSOURCE=page -DSCRATCH=dir -P test_build_without.cmake
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH})
set(out ${SCRATCH}/page_script.cpp)

function(build)
    execute_process(
        COMMAND ${CMAKE_COMMAND} -DNODE=node -DSOURCE=${SOURCE} -DWORK=${SCRATCH}/work -DOUT=${out} ${ARGN} -P ${SCRIPT}
        RESULT_VARIABLE result OUTPUT_VARIABLE log ERROR_VARIABLE log)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "the build stopped: ${log}")
    endif()
endfunction()

function(expect_reason words)
    file(READ ${out} text)
    if(NOT text MATCHES "${words}")
        message(FATAL_ERROR "expected '${words}' in\n${text}")
    endif()
endfunction()

function(expect_calls count)
    file(STRINGS ${SCRATCH}/calls lines)
    list(LENGTH lines calls)
    if(NOT calls EQUAL count)
        message(FATAL_ERROR "npm was called ${calls} times, expected ${count}")
    endif()
endfunction()

build(-DENABLED=OFF -DNPM=npm)
expect_reason("PLIANT_PAGE is OFF")
build(-DENABLED=ON -DNPM=PLIANT_NPM-NOTFOUND)
expect_reason("npm was not there")

# A registry that cannot be reached.
file(WRITE ${SCRATCH}/npm "#!/bin/sh\necho $1 >>${SCRATCH}/calls\nexit 1\n")
file(CHMOD ${SCRATCH}/npm PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
build(-DENABLED=ON -DNPM=${SCRATCH}/npm)
expect_reason("npm packages could not be had")
expect_calls(1)
build(-DENABLED=ON -DNPM=${SCRATCH}/npm)
expect_reason("npm packages could not be had")
expect_calls(1)
build(-DENABLED=ON -DNPM=${SCRATCH}/npm -DRETRY=ON)
expect_calls(2)
