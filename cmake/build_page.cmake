# Builds page/ and writes it as C++ to embed: cmake -DNPM= -DNODE= -DSOURCE= -DWORK= -DOUT= -P build_page.cmake
# WORK keeps npm's packages and what was built last; nothing is done twice for the same sources, and what failed is not
# tried again unless RETRY. Whatever goes wrong, OUT is written: then it says why there is no page.
cmake_minimum_required(VERSION 3.25)

set(seconds_for_npm 180)

function(end_without_page reason)
    string(REGEX REPLACE "[\"\\\\\n]" " " reason "${reason}")
    file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT [[
// Written by cmake/build_page.cmake.
#include <pliant/record/page_script.h>

namespace pliant {

PageScript page_script()
{
    return {{}, "@reason@"};
}

}  // namespace pliant
]])
    file(TOUCH ${OUT})
    message("note: no page for 'pliant export take.html': ${reason}")
endfunction()

function(fail reason)
    file(WRITE ${WORK}/failed.key "${key}")
    file(WRITE ${WORK}/failed.txt "${reason}")
    end_without_page("${reason}")
endfunction()

# Of the contents and names of files.
function(key_of out)
    set(text "${NPM} ${NODE}")
    foreach(file ${ARGN})
        file(SHA256 ${file} hash)
        string(APPEND text "\n${file} ${hash}")
    endforeach()
    string(SHA256 hash "${text}")
    set(${out} ${hash} PARENT_SCOPE)
endfunction()

function(read_key out file)
    set(text "")
    if(EXISTS ${file})
        file(READ ${file} text)
    endif()
    set(${out} "${text}" PARENT_SCOPE)
endfunction()

if(NOT ENABLED)
    end_without_page("PLIANT_PAGE is OFF in this build")
    return()
elseif(NOT NPM OR NOT NODE)
    end_without_page("npm was not there when it was built")
    return()
endif()

# Two trees may be built at once.
file(MAKE_DIRECTORY ${WORK})
file(LOCK ${WORK} DIRECTORY GUARD PROCESS TIMEOUT 600)

set(package_files ${SOURCE}/package.json ${SOURCE}/package-lock.json)
file(GLOB_RECURSE sources ${SOURCE}/src/*)
list(SORT sources)
key_of(install_key ${package_files})
key_of(key ${package_files} ${SOURCE}/build.mjs ${SOURCE}/tsconfig.json ${sources})
read_key(installed ${WORK}/installed.key)
read_key(built ${WORK}/built.key)
read_key(failed ${WORK}/failed.key)

if(built STREQUAL key AND EXISTS ${WORK}/page_script.cpp)
    file(COPY_FILE ${WORK}/page_script.cpp ${OUT} ONLY_IF_DIFFERENT)
    file(TOUCH ${OUT})
    return()
endif()
if(failed STREQUAL key AND NOT RETRY)
    file(READ ${WORK}/failed.txt reason)
    end_without_page("${reason}")
    return()
endif()

if(NOT installed STREQUAL install_key)
    file(REMOVE ${WORK}/installed.key)
    file(COPY ${package_files} DESTINATION ${WORK})
    execute_process(
        COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1
            --fetch-timeout=20000 --loglevel=error
        WORKING_DIRECTORY ${WORK} TIMEOUT ${seconds_for_npm}
        RESULT_VARIABLE result OUTPUT_FILE ${WORK}/npm.log ERROR_FILE ${WORK}/npm.log)
    if(NOT result EQUAL 0)
        fail("its npm packages could not be had (npm ci: ${result}; ${WORK}/npm.log)")
        return()
    endif()
    file(WRITE ${WORK}/installed.key "${install_key}")
endif()

file(REMOVE_RECURSE ${WORK}/src)
file(COPY ${SOURCE}/src ${SOURCE}/build.mjs ${SOURCE}/tsconfig.json DESTINATION ${WORK})
execute_process(COMMAND ${NODE} build.mjs ${WORK}/page_script.cpp WORKING_DIRECTORY ${WORK}
    RESULT_VARIABLE result OUTPUT_VARIABLE log ERROR_VARIABLE log)
if(NOT result EQUAL 0)
    file(WRITE ${WORK}/build.log "${log}")
    message("${log}")
    fail("its sources did not build (${WORK}/build.log)")
    return()
endif()
file(WRITE ${WORK}/built.key "${key}")
file(REMOVE ${WORK}/failed.key)
file(COPY_FILE ${WORK}/page_script.cpp ${OUT} ONLY_IF_DIFFERENT)
file(TOUCH ${OUT})
