#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
Checks the quanta that 'lxfw tune' recommends against the truth.

    tests/bench/quantum.py [WORLD...]     lublin, busy, memory; all unless named

For each world, logs are drawn from a model, and tuned for a site without quanta; only quanta
and their limits are varied. The true value of a setting is its mean over other logs of the same
world. A recommendation is right if at least one goal is truly better, and none, kept ones
included, is truly worse by more than the margin of 10 %, and the limit holds in each of
these logs. In the world `memory`, suspended jobs keep their memory, which others then lack; in the
others, the cost is the time of those that are suspended, and the work that is done again
after a requeue.

Environment: LXFW_TOP_BUILDDIR, the build directory; SEEDS (20) logs per row, beginning with
FIRST (1); MONTHS (20) logs for the truth. The exit status is 1 if more than one recommendation
of ten is not right.
"""
import concurrent.futures
import csv
import functools
import io
import json
import os
import subprocess
import sys
import tempfile

LXFW = os.path.join(os.environ.get("LXFW_TOP_BUILDDIR", "."), "lxfw")
SEEDS = int(os.environ.get("SEEDS", 20))
FIRST = int(os.environ.get("FIRST", 1))
MONTHS = int(os.environ.get("MONTHS", 20))
MARGIN = 0.1

LUBLIN = ["lublin", "--procs", "128", "--jobs", "3000", "--estimate-factor", "3"]
WORLDS = {
    "lublin": LUBLIN + ["--load", "0.7"],
    "busy": LUBLIN + ["--load", "0.85"],
    "memory": ["ncsa-o2k", "--month", "2000-02"],
}
# The columns of `simulate --format csv` by goal of tune.
COLUMNS = {
    "mean_bounded_slowdown": "mean_bounded_slowdown", "mean_slowdown": "mean_slowdown",
    "mean_response": "mean_response_s", "awrt": "awrt_s", "p95_wait": "p95_wait_s",
    "max_wait": "max_wait_s", "most_suspensions": "most_suspensions",
}
# Site, other keys that are varied, goals, what is kept.
CASES = [
    ("lxfw_policy=easy", "lxfw_policy=easy,lxfw_reservations=1,", ["mean_bounded_slowdown"], ["awrt"]),
    ("lxfw_policy=easy", "", ["mean_bounded_slowdown"], ["awrt"]),
    ("lxfw_policy=priority", "lxfw_policy=priority,lxfw_reservations=1,", ["mean_slowdown"],
     ["awrt", "mean_response"]),
]
SUSPENSIONS = 3


def lxfw(*arguments):
    done = subprocess.run([LXFW, *arguments], capture_output=True, text=True, check=False)
    if done.returncode > 1:
        sys.exit(f"lxfw {' '.join(arguments)}: {done.stderr}")
    return done.stdout


class World:
    def __init__(self, name, folder):
        self.name, self.folder = name, folder
        self.truth = [self.log(1000000 + month) for month in range(MONTHS)]

    def log(self, seed):
        path = os.path.join(self.folder, f"{self.name}-{seed}.swf")
        lxfw("generate", *WORLDS[self.name], "--seed", str(seed), "--out", path)
        return path

    @functools.lru_cache(maxsize=None)
    def values(self, setting):
        """The values of a setting in each log of the truth, by goal."""
        rows = [next(csv.DictReader(io.StringIO(
            lxfw("simulate", "--params", setting, "--warmup", "2d", "--format", "csv", log))))
                for log in self.truth]
        return {goal: [float(row[column]) for row in rows] for goal, column in COLUMNS.items()}

    def change(self, setting, site, goal):
        return sum(self.values(setting)[goal]) / sum(self.values(site)[goal]) - 1


def tune(world, seed, site, vary, goals, kept):
    """The recommended setting, or None."""
    log = world.log(seed)
    answer = json.loads(lxfw(
        "tune", "--current", site, "--minimize", ",".join(goals), "--keep", ",".join(kept),
        "--limit", f"most_suspensions<={SUSPENSIONS}", "--margin", f"{100 * MARGIN:.0f}", "--vary", vary +
        "lxfw_quantum=60/300/600/1800,lxfw_quantum_mode=soon/preempt,"
        f"lxfw_victim_suspensions=1/{SUSPENSIONS},lxfw_victim_share=0/5/20",
        "--settings", "24", "--round", "12", "--threads", "1", "--despite-verdict",
        "--format", "json", log))
    os.unlink(log)
    return answer.get("recommended")


def row(world, site, vary, goals, kept, pool):
    found = [one for one in pool.map(lambda seed: tune(world, seed, site, vary, goals, kept),
                                     range(FIRST, FIRST + SEEDS)) if one]
    right, sums = 0, dict.fromkeys(goals + kept, 0.0)
    for setting in found:
        changes = {goal: world.change(setting, site, goal) for goal in goals + kept}
        right += (min(changes[goal] for goal in goals) < 0 and
                  max(changes.values()) <= MARGIN and
                  max(world.values(setting)["most_suspensions"]) <= SUSPENSIONS)
        for goal in changes:
            sums[goal] += changes[goal] / len(found)
    print(f"| {world.name} | `{site}` | {'quanta' if vary else 'all'} | {', '.join(goals)} | {', '.join(kept)} | {SEEDS} | {len(found)} | "
          f"{right} | " + ", ".join(f"{100 * sums[goal]:+.0f} %" for goal in sums if found) + " |",
          flush=True)
    return len(found), right


def main():
    names = sys.argv[1:] or list(WORLDS)
    for name in names:
        if name not in WORLDS:
            sys.exit(f"quantum.py: no world {name}, expected {', '.join(WORLDS)}")
    print("| world | site | varied | goals | kept | logs | recommended | right | mean true changes |\n"
          "|---|---|---|---|---|---|---|---|---|")
    found = right = 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name in names:
            world = World(name, folder)
            for case in CASES:
                counts = row(world, *case, pool)
                found, right = found + counts[0], right + counts[1]
    return 10 * (found - right) > found


if __name__ == "__main__":
    sys.exit(main())
