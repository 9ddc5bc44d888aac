"""conan create src/native"""

import os

from conan import ConanFile
from conan.tools.files import copy


class Footbridge(ConanFile):
    name = "footbridge"
    version = "0.1.0"
    description = "Client for the local RPC of chat clients in one header for C and C++"
    license = ("MIT", "0BSD")
    package_type = "header-library"
    exports_sources = "footbridge.h", "compat/*"
    no_copy_source = True

    def package(self):
        include = os.path.join(self.package_folder, "include", "footbridge")
        copy(self, "footbridge.h", self.source_folder, include)
        copy(self, "compat/*", self.source_folder, include)

    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "Footbridge")
        self.cpp_info.set_property("cmake_target_name", "footbridge::footbridge")
        self.cpp_info.set_property("pkg_config_name", "footbridge")
        self.cpp_info.includedirs = [os.path.join("include", "footbridge")]
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
