# Debian packages: weft, weft-dev (what plug-ins are compiled with) and python3-weft. cpack in a build folder makes
# them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME weft)
set(CPACK_PACKAGE_CONTACT "the authors of weft <weft@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "parallel simulator of interconnection networks")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program development python)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME weft)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS openmpi-bin)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "python3-weft, weft-dev, slurm-client")
string(CONCAT CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "Simulates networks of parallel computers packet by packet, on any number of MPI\n"
    " ranks with one result; with manual pages, examples, and scripts for SLURM.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME weft-dev)
string(REGEX MATCH "^[0-9]+" compiler_version ${CMAKE_CXX_COMPILER_VERSION})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "weft (= ${PROJECT_VERSION}), g++, g++-${compiler_version}, libfmt-dev, nlohmann-json3-dev, librandom123-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS cmake)
string(CONCAT CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "Headers and CMake files for plug-ins of weft: topologies, routers, patterns,\n"
    " workloads of one's own as shared libraries.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-weft)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "weft (= ${PROJECT_VERSION}), python3 (>= 3.11), python3-numpy, python3-h5py")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-pandas, python3-matplotlib")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
    "Python package of weft: runs it, reads, sweeps and draws its results.")
include(CPack)
