"""The extension modules and the catalogs of words; all else is in pyproject.toml.

The environment variable BEGGAR_BUILD chooses the build:

    (unset)     optimised
    debug       no optimisation, assertions, debug symbols
    sanitize    debug with the address and undefined-behaviour sanitizers
    coverage    debug with gcov counters and Cython line tracing
"""

import glob
import os
import sys

import numpy
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_py import build_py

BUILDS = {
    "": (["-O2"], []),
    "debug": (["-O0", "-g", "-UNDEBUG"], []),
    "sanitize": (
        [
            *("-O1", "-g", "-UNDEBUG", "-fno-omit-frame-pointer"),
            *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
        ],
        ["-fsanitize=address,undefined"],
    ),
    "coverage": (["-O0", "-g", "--coverage", "-DCYTHON_TRACE_NOGIL=1"], ["--coverage"]),
}
build = os.environ.get("BEGGAR_BUILD", "")
if build not in BUILDS:
    sys.exit(f"BEGGAR_BUILD={build!r}: expected {', '.join(filter(None, BUILDS))} or nothing")
compile_args, link_args = BUILDS[build]
if sys.platform == "win32":
    compile_args, link_args = ["/O2"], []


def extension(name, sources, **more):
    """Make an extension module of the chosen build."""
    return Extension(
        name, sources, extra_compile_args=compile_args, extra_link_args=link_args, **more
    )


class BuildWithWords(build_py):
    """Compiles the catalogs before the package is gathered."""

    def run(self):
        """Write a .mo beside each .po."""
        for path in glob.glob("src/beggar/table/locale/*/LC_MESSAGES/*.po"):
            with open(path, "rb") as written, open(f"{path[:-3]}.mo", "wb") as compiled:
                write_mo(compiled, read_po(written, locale=path.split(os.sep)[-3]))
        super().run()


setup(
    cmdclass={"build_py": BuildWithWords},
    ext_modules=cythonize(
        [
            extension("beggar._core", ["src/_core.pyx"]),
            extension("beggar._states", ["src/_states.pyx"]),
            extension(
                "beggar._lanes",
                ["src/_lanes.pyx", *sorted(glob.glob("src/lanes/*.c"))],
                depends=glob.glob("src/lanes/*.h"),
                # Of NumPy, only the header that says what a bit generator is.
                include_dirs=["src", numpy.get_include()],
            ),
        ],
        build_dir=f"build/cython-{build or 'plain'}",
        include_path=["src"],
        compiler_directives={"linetrace": build == "coverage"},
    ),
)
