# Graphviz's C library: headers and the three libraries that laying out and rendering need. Target Graphviz::gvc.
include(FindPackageHandleStandardArgs)
find_path(Graphviz_INCLUDE_DIR gvc.h PATH_SUFFIXES graphviz)
find_library(Graphviz_GVC_LIBRARY gvc)
find_library(Graphviz_CGRAPH_LIBRARY cgraph)
find_library(Graphviz_CDT_LIBRARY cdt)
find_package_handle_standard_args(Graphviz REQUIRED_VARS Graphviz_GVC_LIBRARY Graphviz_CGRAPH_LIBRARY Graphviz_CDT_LIBRARY
                                  Graphviz_INCLUDE_DIR)
mark_as_advanced(Graphviz_INCLUDE_DIR Graphviz_GVC_LIBRARY Graphviz_CGRAPH_LIBRARY Graphviz_CDT_LIBRARY)
if(Graphviz_FOUND AND NOT TARGET Graphviz::gvc)
  add_library(Graphviz::gvc INTERFACE IMPORTED)
  target_link_libraries(Graphviz::gvc INTERFACE "${Graphviz_GVC_LIBRARY}" "${Graphviz_CGRAPH_LIBRARY}" "${Graphviz_CDT_LIBRARY}")
  target_include_directories(Graphviz::gvc SYSTEM INTERFACE "${Graphviz_INCLUDE_DIR}")
endif()
