# vcpkg install footbridge --overlay-ports=src/native/vcpkg, which takes the sources from around this file.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
set(VCPKG_BUILD_TYPE release) # Nothing is compiled.

file(INSTALL "${SOURCE_PATH}/footbridge.h" "${SOURCE_PATH}/compat" DESTINATION "${CURRENT_PACKAGES_DIR}/include/footbridge")
file(INSTALL "${SOURCE_PATH}/cmake/FootbridgeConfig.cmake" DESTINATION "${CURRENT_PACKAGES_DIR}/share/cmake/Footbridge")
set(PROJECT_VERSION "${VERSION}")
configure_file("${SOURCE_PATH}/cmake/FootbridgeConfigVersion.cmake.in"
               "${CURRENT_PACKAGES_DIR}/share/cmake/Footbridge/FootbridgeConfigVersion.cmake" @ONLY)
configure_file("${SOURCE_PATH}/footbridge.pc.in" "${CURRENT_PACKAGES_DIR}/share/pkgconfig/footbridge.pc" @ONLY)
file(INSTALL "${SOURCE_PATH}/parts/licence.h" DESTINATION "${CURRENT_PACKAGES_DIR}/share/footbridge" RENAME copyright)
