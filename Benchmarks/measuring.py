"""What the benchmarks share: running the program and taking its time, memory and writes."""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MIB = 1024 * 1024


@dataclass
class Measurement:
    """Wall and CPU time in seconds, peak resident memory and bytes written of one command, its children included."""

    wall: float
    cpu: float
    peak: int
    written: int


def run(arguments, **options):
    """Runs a command; its failure ends the benchmark with its own output."""
    result = subprocess.run(
        [str(argument) for argument in arguments],
        cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments))}\nfailed with exit code {result.returncode}:\n{result.stdout}")
    return result.stdout


def measure(arguments, accepted=(0,)):
    """The measurement of a command that ends with an accepted exit code."""
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        process = subprocess.Popen(
            [str(argument) for argument in arguments],
            cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in accepted:
            output.seek(0)
            text = output.read().decode(errors="replace")
            sys.exit(f"{' '.join(map(str, arguments))}\nfailed with exit code {process.returncode}:\n{text}")
    unit = 1 if sys.platform == "darwin" else 1024
    # Blocks are of 512 bytes whatever the file system's are: getrusage(2).
    return Measurement(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit, usage.ru_oublock * 512)


def static_options(product):
    """The options of a release build, on Linux with Swift's libraries linked in, as scripts/release has them."""
    options = ["--configuration", "release", "--product", product]
    if sys.platform == "linux":
        options += ["--static-swift-stdlib", "--scratch-path", ROOT / ".build" / "static"]
        options += ["-Xswiftc", "-Xfrontend", "-Xswiftc", "-disable-concrete-type-metadata-mangled-name-accessors"]
    return options


def built_binary():
    """A release build, with the options of scripts/release on Linux."""
    options = static_options("modelctl")
    print("building the release binary", file=sys.stderr)
    run(["swift", "build", *options])
    return Path(run(["swift", "build", *options, "--show-bin-path"]).strip()) / "modelctl"


def python_with_peers():
    """The Python of a virtual environment in which the peers are installed, made when it is not there."""
    requirements = ROOT / "Benchmarks" / "Peers" / "requirements.txt"
    folder = ROOT / ".build" / "benchmark-peers"
    python, installed = folder / "bin" / "python", folder / "installed.txt"
    if not installed.exists() or installed.read_text() != requirements.read_text():
        print("installing the peers", file=sys.stderr)
        run([sys.executable, "-m", "venv", "--clear", folder])
        run([python, "-m", "pip", "install", "--quiet", "--requirement", requirements])
        installed.write_text(requirements.read_text())
    return python
