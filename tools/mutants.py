"""Would a test notice if it were different? `make mutants` changes the code in small ways and runs the tests.

A mutant is the code with one small change: a bound moved by one, a condition turned round, a payment left out. One that
no test notices, a survivor, is something that no test states. `.mutants/report.txt` shows the survivors as diffs.

All tests are run once over the unchanged tree, to learn which of them run which lines. A mutant is judged by the tests
that run its lines, quickest first, until one fails; one that no test runs has survived. Tests in other processes than
pytest's own are not seen, and so do not count.

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
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path

from tools.mutation import Module, Mutant, compiles
from tools.reached import NOTES, Reached

WORKERS = 2
LONGEST = 1800.0  # seconds for all tests over the unchanged tree
BOUND = 90.0  # seconds that the tests of one mutant may take, as they took unchanged: the slowest beyond are not run
NOT_COPIED = (".*", "__pycache__", "*.egg-info", "build", "dist", "bench", "node_modules")
SUITES = {
    "domain": ("tests/domain", "tests/conformance"),
    "service": ("tests/service", "tests/system/test_sim.py"),
}
AREAS = {
    "views": ("domain/*/views.py", "service/present.py"),
    "show": ("domain/course.py::show", "domain/*/state.py::show", "domain/*/events.py::show", "domain/*/shown.py"),
    "options": ("domain/options.py", "domain/ways.py"),
    "commands": (
        *(f"service/{name}.py" for name in ("host", "life", "calls", "entry")),
        *(f"service/{name}.py" for name in ("handlers/playing", "log/script", "log/lane")),
    ),
}
# A mutant may loop and eat memory: a limit of 4 GB of address space, where the system knows one.
LIMITED = ("sh", "-c", 'ulimit -v 4194304 2>/dev/null; exec "$@"', "sh")
PYTEST = (sys.executable, "-m", "pytest", "-q", "--tb=no", "-p", "no:randomly", "-p", "no:cacheprovider")
MISSED = ("survived", "not reached")


def draw(root: Path, paths: Sequence[str], sample: int, seed: int) -> list[Mutant]:
    """A random sample of all mutants below these paths, the same for the same seed and the same code."""
    every: list[Mutant] = []
    sources: dict[str, bytes] = {}
    for given in paths:
        pattern, _, functions = given.partition("::")
        for start in sorted(root.glob(pattern)):
            for file in [start] if start.is_file() else sorted(start.rglob("*.py")):
                path = file.relative_to(root).as_posix()
                sources[path] = file.read_bytes()
                every += Module(path, sources[path]).mutants(functions.split(",") if functions else ())
    random.Random(seed).shuffle(every)
    readable = (mutant for mutant in every if compiles(mutant.apply(sources[mutant.path])))
    chosen = [mutant for mutant, _ in zip(readable, range(sample), strict=False)]
    print(f"{len(chosen)} of {len(every)} mutants of {len(sources)} files", flush=True)
    return chosen


def run(tree: Path, arguments: Sequence[str], env: dict[str, str], seconds: float) -> tuple[int | None, str]:
    """The exit code of pytest in a copy of the tree, nothing if it ran out of time, and the tests that it says failed.

    Nothing of its process group is left behind.
    """
    paths = [str(tree), str(tree / "clients/python"), str(Path(__file__).parents[1])]
    command = [*LIMITED, *PYTEST, "--hypothesis-seed=0", *arguments]
    env = os.environ | env | {"PYTHONPATH": os.pathsep.join(paths)}
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as said,
        subprocess.Popen(
            command, cwd=tree, env=env, stdout=said, stderr=subprocess.DEVNULL, start_new_session=True
        ) as process,
    ):
        code = None
        with suppress(subprocess.TimeoutExpired):
            code = process.wait(seconds)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        said.seek(0)
        return code, "\n".join(line for line in said if line.startswith(("FAILED ", "ERROR ")))


def survey(tree: Path, paths: set[str], notes: Path) -> Reached:
    """Run all tests that could judge these files over the unchanged tree. One that fails there judges nothing."""
    suites = [
        test for name, tests in SUITES.items() if any(Path(path).parts[0] == name for path in paths) for test in tests
    ]
    there = [test for test in suites if (tree / test).exists()]
    notes.mkdir()
    code, failed = run(tree, [f"-n{WORKERS}", "-ptools.reached", *there], {NOTES: str(notes)}, LONGEST)
    if code not in {0, 1}:
        sys.exit(f"The tests can't be run before anything is changed: {' '.join(there) or 'there are none'}")
    if failed:
        print(f"These fail in the unchanged tree, and judge nothing:\n{failed}", flush=True)
    return Reached(tree, notes)


class Court:
    """Copies of the tree, in each of which one mutant at a time is judged."""

    def __init__(self, root: Path, folder: Path, paths: set[str]) -> None:
        first = Path(shutil.copytree(root, folder / "0", ignore=shutil.ignore_patterns(*NOT_COPIED)))
        self.reached = survey(first, paths, folder / "notes")
        self.trees: queue.Queue[Path] = queue.Queue()
        self.trees.put(first)
        for number in range(1, WORKERS):
            self.trees.put(Path(shutil.copytree(first, folder / str(number))))

    def verdict(self, mutant: Mutant) -> str:
        """What becomes of a mutant, in a copy of the tree that is as it was afterwards."""
        tests = self.reached.by(mutant.path, mutant.lines, BOUND)
        if not tests:
            return "not reached"
        tree = self.trees.get()
        file = tree / mutant.path
        source, stat = file.read_bytes(), file.stat()
        try:
            file.write_bytes(mutant.apply(source))
            return self._tried(tree, tests)
        finally:
            file.write_bytes(source)
            os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
            self.trees.put(tree)

    def _tried(self, tree: Path, tests: list[str]) -> str:
        listed = tree / ".tests"
        listed.write_text("\n".join(tests), encoding="utf-8")
        seconds = [self.reached.seconds[test] for test in tests]
        hung = f"faulthandler_timeout={20 + 5 * seconds[-1]:.0f}"  # else a test that waits for ever takes all the time
        options = ["-x", "-o", hung, "-o", "faulthandler_exit_on_timeout=true", f"@{listed}"]
        code, failed = run(tree, options, {"PYTHONDONTWRITEBYTECODE": "1"}, 60 + 5 * sum(seconds))
        if code == 0:
            return "survived"
        if code == 1 and failed:
            return f"killed by {'/'.join(failed.split()[1].split('/')[:2])}"
        return "timed out" if code in {None, 1} else "did not load"


def judge(mutants: list[Mutant], court: Court) -> dict[Mutant, str]:
    """The verdict on each mutant, with a line of progress; those reached so far if a person breaks off."""
    verdicts: dict[Mutant, str] = {}
    begun = time.monotonic()
    with ThreadPoolExecutor(WORKERS) as pool:
        tasks = {pool.submit(court.verdict, mutant): mutant for mutant in mutants}
        try:
            for task in as_completed(tasks):
                mutant = tasks[task]
                verdicts[mutant] = task.result()
                if verdicts[mutant] in MISSED:
                    print(
                        f"{verdicts[mutant]}: {mutant.path}:{mutant.lines[0]} {mutant.kind} {mutant.text!r}", flush=True
                    )
                done, missed = len(verdicts), sum(name in MISSED for name in verdicts.values())
                left = (time.monotonic() - begun) / done * (len(mutants) - done) / 60
                if sys.stdout.isatty() or done % 25 == 0 or done == len(mutants):
                    end = "\r" if sys.stdout.isatty() and done < len(mutants) else "\n"
                    print(f"{done}/{len(mutants)}, {missed} survived, {left:.0f} min left ", end=end, flush=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
    return verdicts


def summary(name: str, verdicts: dict[Mutant, str]) -> str:
    """The score, and what became of the mutants of each file."""
    counts = Counter(verdicts.values())
    missed = Counter(mutant.path for mutant, verdict in verdicts.items() if verdict in MISSED)
    killed = len(verdicts) - missed.total()
    lines = [f"{name}: score {killed / len(verdicts):.1%}: {killed} of {len(verdicts)} mutants were noticed"]
    lines += [f"  {count:>5} {verdict}" for verdict, count in counts.most_common()]
    lines += ["survivors by file:"]
    lines += [f"  {count:>5} {path}" for path, count in missed.most_common()]
    return "\n".join(lines)


def report(root: Path, settings: str, areas: dict[str, list[Mutant]], verdicts: dict[Mutant, str]) -> str:
    """The score of each area, and in a file the survivors as diffs."""
    judged = {
        name: {mutant: verdicts[mutant] for mutant in drawn if mutant in verdicts} for name, drawn in areas.items()
    }
    text = "\n".join([settings, *(summary(name, known) for name, known in judged.items() if known)])
    file = root / ".mutants/report.txt"
    file.parent.mkdir(exist_ok=True)
    survivors = sorted(mutant for mutant, verdict in verdicts.items() if verdict in MISSED)
    diffs = (f"{verdicts[mutant]}:\n{mutant.diff((root / mutant.path).read_bytes())}" for mutant in survivors)
    file.write_text("\n".join([text, "", *diffs]), encoding="utf-8")
    return f"{text}\nThe survivors stand in {file.relative_to(root).as_posix()}"


def main() -> None:
    """Draw, judge, report."""
    parser = argparse.ArgumentParser(prog="make mutants", description="Mutation testing of a sample of the code.")
    parser.add_argument("--sample", type=int, default=600, help="how many mutants of each area, or of all paths")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1])
    named = f"files, folders, patterns, path::function,function, or areas: {', '.join(AREAS)}"
    parser.add_argument("paths", nargs="*", default=["domain"], help=named)
    given = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # else tests of a run in the background ignore it, too
    chosen = {path: AREAS[path] for path in given.paths if path in AREAS}
    if rest := tuple(path for path in given.paths if path not in AREAS):
        chosen[" ".join(rest)] = rest
    areas = {name: draw(given.root, paths, given.sample, given.seed) for name, paths in chosen.items()}
    mutants = list(dict.fromkeys(mutant for drawn in areas.values() for mutant in drawn))
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        verdicts = judge(mutants, Court(given.root, Path(folder), {mutant.path for mutant in mutants}))
    if not verdicts:
        sys.exit("No mutant was judged.")
    print(report(given.root, f"sample {given.sample}, seed {given.seed}", areas, verdicts))


if __name__ == "__main__":
    main()
