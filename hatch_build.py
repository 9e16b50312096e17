"""Compiles the hot part of ctxlint while a wheel is built, where that can be done (`docs/design/lint-compiled.md`).

`CTXLINT_COMPILE` decides: `0` never; `1` yes, and the build fails when it cannot. Unset: where a C compiler stands
ready, on the platform and Python where it was tried; whatever goes wrong then leaves a wheel of pure Python, which
does the same work more slowly. An editable install is never compiled: its code changes under it.
"""

from __future__ import annotations

import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCES = Path("lint", "ctxlint")
FOLDERS = ("ir", "taint", "models")
INTERPRETED = {"__init__.py", "breath.py"}
"""A package's `__init__` is not worth it; `breath` has to be run by the interpreter."""
GROUP = "ctxlint"
REQUIRES = ("mypy[mypyc]~=2.4.1",)
LEVEL = "1"
"""Of optimisation: 2 and 3 take up to twice as long to build, and no time that can be measured off a run."""
TRIED = ("linux", "x86_64", "glibc", (3, 11))
_ONCE = re.compile(r"^    @cached_property\n    def (\w+)\(self\) -> (.+):\n", re.MULTILINE)


def compilable(source: str) -> str:
    """A module as mypyc can take it: an object of a compiled class has no dict in which to keep a cached property."""
    return _ONCE.sub(
        r"    _held_\1: \2 | None = None\n\n"
        r"    @property\n    def \1(self) -> \2:\n"
        r"        if self._held_\1 is None:\n            self._held_\1 = self._find_\1()\n"
        r"        return self._held_\1\n\n"
        r"    def _find_\1(self) -> \2:\n",
        source,
    )


class CompileHook(BuildHookInterface[Any]):
    """Puts the compiled modules beside their sources, in the wheel only."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What the build needs on top, where it compiles: mypyc."""
        return list(REQUIRES) if self.target_name == "wheel" and not obstacle() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless it is not wanted or cannot be done."""
        if self.target_name != "wheel" or version != "standard":
            return
        wanted = os.environ.get("CTXLINT_COMPILE", "")
        trouble = obstacle()
        self._folder = Path(tempfile.mkdtemp(prefix="ctxlint-"))
        if not trouble:
            try:
                built = compile_into(self._folder, Path(self.root))
            except (OSError, subprocess.SubprocessError, RuntimeError) as error:
                trouble = str(error)
            else:
                build_data["force_include"].update({str(file): name for name, file in built.items()})
                build_data["pure_python"], build_data["infer_tag"] = False, True
        if trouble and wanted == "1":
            raise RuntimeError(f"CTXLINT_COMPILE=1, but ctxlint cannot be compiled: {trouble}")
        if trouble and wanted != "0":
            self.app.display_warning(f"ctxlint stays pure Python, which does the same, more slowly: {trouble}")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Leave nothing behind."""
        folder = getattr(self, "_folder", None)
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def obstacle() -> str:
    """Why ctxlint should not be compiled here; empty when it should."""
    wanted = os.environ.get("CTXLINT_COMPILE", "")
    if wanted == "0":
        return "CTXLINT_COMPILE=0"
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return "this Python is not served by mypyc"
    command = shlex.split(os.environ.get("CC", "") or sysconfig.get_config_var("CC") or "")
    if not command or shutil.which(command[0]) is None:
        return "there is no C compiler"
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return "the headers of this Python are not installed"
    here = (sys.platform, platform.machine(), platform.libc_ver()[0], sys.version_info[:2])
    if wanted != "1" and here != TRIED:
        return "it has not been tried on this platform and Python; CTXLINT_COMPILE=1 tries it"
    return ""


def compile_into(folder: Path, root: Path) -> dict[str, Path]:
    """Compile the hot modules of the checkout `root` in `folder`: the files made, by their names in the wheel.

    Raises:
        RuntimeError: when mypyc or the C compiler fails; the end of what they say is in it.
    """
    shutil.copytree(root / SOURCES, folder / GROUP, ignore=shutil.ignore_patterns("__pycache__"))
    modules: list[str] = []
    for path in sorted(file for name in FOLDERS for file in (folder / GROUP / name).rglob("*.py")):
        if path.name not in INTERPRETED:
            path.write_text(compilable(path.read_text("utf-8")), "utf-8")
            modules.append(str(path.relative_to(folder)))
    # mypyc ends the process when it finds a fault, so it gets one of its own.
    command = [sys.executable, str(Path(__file__).resolve()), *modules]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603 - ourselves
    if done.returncode:
        said = [line for line in (done.stdout + done.stderr).splitlines() if ": warning:" not in line]
        raise RuntimeError("\n".join(said).strip()[-2000:])
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    return {str(path.relative_to(folder / "out")): path for path in sorted((folder / "out").rglob(f"*{suffix}"))}


def _compile(modules: list[str]) -> None:
    """From Python to C to shared objects below `out`, in the current folder: the work of the process of its own."""
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - hatchling loads this module for metadata too

    from mypyc.build import mypycify  # noqa: PLC0415 - not there where nothing is compiled
    from setuptools._distutils.ccompiler import new_compiler  # noqa: PLC0415
    from setuptools._distutils.sysconfig import customize_compiler  # noqa: PLC0415

    # What is not compiled is read for its types only: some of it is about libraries that are not here.
    Path("mypy.ini").write_text("[mypy]\nignore_missing_imports = True\nfollow_imports = silent\n", "utf-8")
    extensions = mypycify(
        ["--config-file", "mypy.ini", *modules], opt_level=LEVEL, debug_level="0", multi_file=True, group_name=GROUP
    )
    compiler = new_compiler()
    customize_compiler(compiler)
    include = sysconfig.get_path("include")

    def compiled(job: tuple[Any, str]) -> list[str]:
        extension, source = job
        return list(
            compiler.compile(
                [source],
                output_dir="objects",
                include_dirs=[*extension.include_dirs, include],
                extra_postargs=[*extension.extra_compile_args, "-g0", "-w"],
            )
        )

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, jobs := [(made, source) for made in extensions for source in made.sources]))
        by_name: dict[str, list[str]] = {}
        for (extension, _), files in zip(jobs, objects, strict=True):
            by_name.setdefault(extension.name, []).extend(files)
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        for name, files in by_name.items():
            target = str(Path("out", *name.split("."))) + suffix
            pool.submit(compiler.link_shared_object, files, target, extra_postargs=["-s"])
    missing = [name for name in by_name if not Path(str(Path("out", *name.split("."))) + suffix).is_file()]
    if missing:
        raise RuntimeError(f"not linked: {', '.join(missing)}")


if __name__ == "__main__":
    _compile(sys.argv[1:])
