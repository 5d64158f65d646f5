# The page of `pliant export take.html`: page/ built by npm into one script, which the library embeds.
# Where npm is not installed, or its packages cannot be had, the build goes on without it and the program says so.
# Included by CMakeLists.txt after the target pliant exists.
find_program(PLIANT_NPM npm)
find_program(PLIANT_NODE node)

# The presets' trees, build/release and build/asan say, share what npm installs and builds.
set(pliant_page_dir ${PROJECT_BINARY_DIR}/page)
cmake_path(GET PROJECT_BINARY_DIR PARENT_PATH parent)
if(parent STREQUAL "${PROJECT_SOURCE_DIR}/build")
    set(pliant_page_dir ${parent}/page)
endif()

# Changes when npm comes or goes, so that the page is tried again.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/page_programs.txt
    CONTENT "page @PLIANT_PAGE@\nnpm @PLIANT_NPM@\nnode @PLIANT_NODE@\n" @ONLY)

file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS page/src/* page/*.json page/build.mjs)
set(page_script ${PROJECT_BINARY_DIR}/page_script.cpp)
set(build_page ${CMAKE_COMMAND} -DENABLED=${PLIANT_PAGE} -DNPM=${PLIANT_NPM} -DNODE=${PLIANT_NODE}
    -DSOURCE=${PROJECT_SOURCE_DIR}/page -DWORK=${pliant_page_dir} -DOUT=${page_script})
set(build_page_script ${PROJECT_SOURCE_DIR}/cmake/build_page.cmake)
add_custom_command(OUTPUT ${page_script}
    COMMAND ${build_page} -P ${build_page_script}
    DEPENDS ${page_sources} ${build_page_script} ${PROJECT_BINARY_DIR}/page_programs.txt
    COMMENT "Building the page" VERBATIM)
target_sources(pliant PRIVATE ${page_script})

# A failure is remembered, so that builds without a network are not slow each time; this target tries again.
add_custom_target(page COMMAND ${build_page} -DRETRY=ON -P ${build_page_script} VERBATIM)
