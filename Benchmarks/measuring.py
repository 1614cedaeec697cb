"""What the benchmarks share: running the program and taking its time and memory."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MIB = 1024 * 1024


def run(arguments, **options):
    """Runs a command; its failure ends the benchmark with its own output."""
    result = subprocess.run(
        [str(argument) for argument in arguments],
        cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments))}\nfailed with exit code {result.returncode}:\n{result.stdout}")
    return result.stdout


def measure(arguments, accepted=(0,)):
    """The wall time in seconds and the peak resident memory in bytes of a command that ends with an accepted code."""
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
    return seconds, usage.ru_maxrss * unit


def built_binary():
    options = ["--configuration", "release", "--product", "modelctl"]
    print("building the release binary", file=sys.stderr)
    run(["swift", "build", *options])
    return Path(run(["swift", "build", *options, "--show-bin-path"]).strip()) / "modelctl"
