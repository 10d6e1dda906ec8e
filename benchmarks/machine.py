"""What the numbers were measured on."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path

DISTRIBUTION = "assay-eval"
"""The name under which the package is installed."""
PACKAGES = (DISTRIBUTION, "google-re2", "click", "rich", "numpy")


def machine() -> dict[str, str]:
    """Processor, system, Python and the packages that matter."""
    return {
        "Processor": _processor(),
        "Cores": str(os.cpu_count()),
        "System": f"{platform.system()} {platform.machine()}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "Packages": ", ".join(f"{name} {version(name)}" for name in PACKAGES),
    }


def _processor() -> str:
    """The processor's name; Linux keeps it in a file, others answer when asked."""
    listed = Path("/proc/cpuinfo")
    lines = listed.read_text(encoding="utf-8").splitlines() if listed.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"
