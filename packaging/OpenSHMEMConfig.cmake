# find_package(OpenSHMEM) with this prefix in CMAKE_PREFIX_PATH: OpenSHMEM::OpenSHMEM is Atrium.
include(CMakeFindDependencyMacro)
find_dependency(Atrium HINTS ${CMAKE_CURRENT_LIST_DIR}/../Atrium)
set(OpenSHMEM_LIBRARIES OpenSHMEM::OpenSHMEM)
set(OpenSHMEM_VERSION 1.6)
set(OPENSHMEM_EXECUTABLE ${Atrium_OSHRUN})
