"""Would a test notice if a rule were different? `make mutants` changes the rules in small ways and runs the tests.

A mutant is the rules with one small change: a bound moved by one, a condition turned round, a payment left out. One
that no test notices, a survivor, is a rule that no test states. `.mutants/report.txt` shows the survivors as diffs.

A tool of our own, since neither kept library fits, as far as reading their sources tells (mutmut 3.8, cosmic-ray 8.7;
neither was tried on the rules). Neither has an option to draw a sample by a seed. mutmut leaves out functions with
decorators other than staticmethod and classmethod, so properties; cosmic-ray's local runner takes one mutant at a time,
and its parallel one sends them to workers over HTTP.
"""

import argparse
import os
import queue
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from tools.mutation import Module, Mutant, compiles

WORKERS = 2
FEW_GAMES = "10"  # for the conformance pass that follows the tests of the rules
NOT_COPIED = (".*", "__pycache__", "*.egg-info", "build", "dist", "docs", "bench", "clients", "deploy")
# A mutant may loop and eat memory: a limit of 4 GB of address space, where the system knows one.
LIMITED = ("sh", "-c", 'ulimit -v 4194304 2>/dev/null; exec "$@"', "sh")
PYTEST = (
    *LIMITED,
    sys.executable,
    "-m",
    "pytest",
    "-x",
    "-q",
    "--tb=no",
    "-p",
    "no:randomly",
    "-p",
    "no:cacheprovider",
)


def draw(root: Path, paths: list[str], sample: int, seed: int) -> list[Mutant]:
    """A random sample of all mutants below these paths, the same for the same seed and the same rules."""
    every: list[Mutant] = []
    sources: dict[str, bytes] = {}
    for given in paths:
        start = root / given
        for file in [start] if start.is_file() else sorted(start.rglob("*.py")):
            path = file.relative_to(root).as_posix()
            sources[path] = file.read_bytes()
            every += Module(path, sources[path]).mutants()
    random.Random(seed).shuffle(every)
    readable = (mutant for mutant in every if compiles(mutant.apply(sources[mutant.path])))
    chosen = [mutant for mutant, _ in zip(readable, range(sample), strict=False)]
    print(f"{len(chosen)} of {len(every)} mutants of {len(sources)} files", flush=True)
    return chosen


def stages(tree: Path, path: str) -> Iterator[tuple[str, list[str]]]:
    """Which tests a mutant must survive: those of the rules, likely killers first, then a short conformance pass."""
    module = Path(path)
    game = module.parent.name if len(module.parts) > 2 else ""
    tests = sorted(file.relative_to(tree).as_posix() for file in tree.glob("tests/domain/**/test_*.py"))
    yield "rule tests", sorted(tests, key=lambda test: (game not in test, module.stem not in test))
    if (tree / "tests/conformance").exists():
        yield "conformance", ["tests/conformance"]


def run(tree: Path, path: str, tests: list[str], seconds: float | None = None) -> int | None:
    """The exit code of pytest in a copy of the tree, nothing if it ran out of time; it leaves no process behind."""
    game = Path(path).parent.name if path.count("/") > 1 else ""
    env = {"PYTHONPATH": str(tree), "KONTOR_GAMES": FEW_GAMES, "KONTOR_GAME": game}
    if seconds:  # a limit means a mutant, whose bytecode must not be kept
        env["PYTHONDONTWRITEBYTECODE"] = "1"
    command = [*PYTEST, "--hypothesis-seed=0", *tests]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        command, cwd=tree, env=os.environ | env, stdout=quiet, stderr=quiet, start_new_session=True
    ) as process:
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None


def verdict(trees: queue.Queue[Path], mutant: Mutant, seconds: float) -> str:
    """What becomes of a mutant, in a copy of the tree that is as it was afterwards."""
    tree = trees.get()
    file = tree / mutant.path
    source, stat = file.read_bytes(), file.stat()
    try:
        file.write_bytes(mutant.apply(source))
        for stage, tests in stages(tree, mutant.path):
            code = run(tree, mutant.path, tests, seconds)
            if code != 0:
                return "timed out" if code is None else f"killed by {stage}"
        return "survived"
    finally:
        file.write_bytes(source)
        os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        trees.put(tree)


def copies(root: Path, folder: Path) -> tuple[queue.Queue[Path], float]:
    """Copies of the tree for the workers, once the tests pass in the first, and the seconds a mutant may take there."""
    first = folder / "0"
    shutil.copytree(root, first, ignore=shutil.ignore_patterns(*NOT_COPIED))
    longest = 0.0
    for stage, tests in stages(first, ""):
        begun = time.monotonic()
        if not tests or run(first, "", tests):
            sys.exit(f"The {stage} must pass before anything is changed: {' '.join(tests) or 'there are none'}")
        longest = max(longest, time.monotonic() - begun)
    trees: queue.Queue[Path] = queue.Queue()
    trees.put(first)
    for number in range(1, WORKERS):
        trees.put(Path(shutil.copytree(first, folder / str(number))))
    return trees, 10 + 3 * longest


def judge(mutants: list[Mutant], trees: queue.Queue[Path], seconds: float) -> dict[Mutant, str]:
    """The verdict on each mutant, with a line of progress; those reached so far if a person breaks off."""
    verdicts: dict[Mutant, str] = {}
    begun = time.monotonic()
    with ThreadPoolExecutor(WORKERS) as pool:
        tasks = {pool.submit(verdict, trees, mutant, seconds): mutant for mutant in mutants}
        try:
            for task in as_completed(tasks):
                verdicts[tasks[task]] = task.result()
                done, survived = len(verdicts), Counter(verdicts.values())["survived"]
                left = (time.monotonic() - begun) / done * (len(mutants) - done) / 60
                if sys.stdout.isatty() or done % 25 == 0 or done == len(mutants):
                    end = "\r" if sys.stdout.isatty() and done < len(mutants) else "\n"
                    print(f"{done}/{len(mutants)}, {survived} survived, {left:.0f} min left ", end=end, flush=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
    return verdicts


def report(root: Path, verdicts: dict[Mutant, str], settings: str) -> str:
    """The score, what became of the mutants of each file, and the survivors as diffs."""
    counts = Counter(verdicts.values())
    killed = len(verdicts) - counts["survived"]
    lines = [settings, f"score {killed / len(verdicts):.1%}: {killed} of {len(verdicts)} mutants were noticed"]
    lines += [f"  {count:>5} {name}" for name, count in counts.most_common()]
    lines += ["survivors by file:"]
    survivors = sorted(mutant for mutant, name in verdicts.items() if name == "survived")
    lines += [f"  {count:>5} {path}" for path, count in Counter(mutant.path for mutant in survivors).most_common()]
    summary = "\n".join(lines)
    file = root / ".mutants/report.txt"
    file.parent.mkdir(exist_ok=True)
    diffs = (mutant.diff((root / mutant.path).read_bytes()) for mutant in survivors)
    file.write_text("\n".join([summary, "", *diffs]), encoding="utf-8")
    return f"{summary}\nThe survivors stand in {file.relative_to(root).as_posix()}"


def main() -> None:
    """Draw, judge, report."""
    parser = argparse.ArgumentParser(prog="make mutants", description="Mutation testing of a sample of the rules.")
    parser.add_argument("--sample", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("paths", nargs="*", default=["domain"])
    given = parser.parse_args()
    mutants = draw(given.root, given.paths, given.sample, given.seed)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        trees, seconds = copies(given.root, Path(folder))
        verdicts = judge(mutants, trees, seconds)
    if not verdicts:
        sys.exit("No mutant was judged.")
    settings = f"sample {given.sample}, seed {given.seed}, paths {' '.join(given.paths)}, at most {seconds:.0f} s each"
    print(report(given.root, verdicts, settings))


if __name__ == "__main__":
    main()
