# Installs the library with its headers so that others may write
#     find_package(pliant REQUIRED)
#     target_link_libraries(their_program PRIVATE pliant::pliant)
# Included by CMakeLists.txt after the target pliant is complete.
include(CMakePackageConfigHelpers)

# Packs (base/simd.h) are passed in registers or in memory depending on -march: whoever includes the
# headers must use the library's. Users inside this build get it from add_compile_options.
if(PLIANT_ARCH AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(pliant INTERFACE $<INSTALL_INTERFACE:-march=${PLIANT_ARCH}>)
endif()

set(pliant_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
install(TARGETS pliant EXPORT pliantTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT pliantTargets NAMESPACE pliant:: DESTINATION ${pliant_package_dir})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/pliantConfig.cmake.in
    ${PROJECT_BINARY_DIR}/pliantConfig.cmake INSTALL_DESTINATION ${pliant_package_dir})
# Before 1.0 a minor version may break what uses it.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pliantConfigVersion.cmake
    VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pliantConfig.cmake ${PROJECT_BINARY_DIR}/pliantConfigVersion.cmake
    DESTINATION ${pliant_package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
