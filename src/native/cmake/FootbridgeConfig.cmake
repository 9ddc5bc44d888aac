# footbridge::footbridge is the header; footbridge::discord-rpc compiles the functions of the archived library discord-rpc
# into what links with it, which needs the language C.
if(TARGET footbridge::footbridge)
  return()
endif()
if(NOT DEFINED FOOTBRIDGE_INCLUDE_DIR)
  get_filename_component(FOOTBRIDGE_INCLUDE_DIR "${CMAKE_CURRENT_LIST_DIR}/../../../include/footbridge" ABSOLUTE)
endif()

# Global, so that the project above a subdirectory has them.
add_library(footbridge::footbridge INTERFACE IMPORTED GLOBAL)
target_include_directories(footbridge::footbridge INTERFACE "${FOOTBRIDGE_INCLUDE_DIR}")

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
add_library(footbridge::discord-rpc INTERFACE IMPORTED GLOBAL)
target_include_directories(footbridge::discord-rpc INTERFACE "${FOOTBRIDGE_INCLUDE_DIR}/compat")
target_sources(footbridge::discord-rpc INTERFACE "${FOOTBRIDGE_INCLUDE_DIR}/compat/discord_rpc.c"
                                                 "${FOOTBRIDGE_INCLUDE_DIR}/compat/discord_register.c")
target_link_libraries(footbridge::discord-rpc INTERFACE ${CMAKE_THREAD_LIBS_INIT})
