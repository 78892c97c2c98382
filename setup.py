"""What pyproject.toml cannot say: the version stands in Blender's manifest; every folder with code is a package."""

import tomllib
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

NOT_INSTALLED = ("benchmarks*", "build*", "docs*", "fuzz*", "tests*", "tools*")


class BuildPackages(build_py):
    """Leaves the developers' scripts at the top of the repository out of an installed `retro_anim`."""

    def find_package_modules(self, package: str, package_dir: str) -> list[tuple[str, str, str]]:
        modules = super().find_package_modules(package, package_dir)
        return [module for module in modules if package != "retro_anim" or module[1] == "__init__"]


setup(
    version=tomllib.loads(Path("blender_manifest.toml").read_text(encoding="utf-8"))["version"],
    packages=["retro_anim", *(f"retro_anim.{name}" for name in find_packages(exclude=NOT_INSTALLED))],
    cmdclass={"build_py": BuildPackages},
)
