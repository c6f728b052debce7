# SPDX-License-Identifier: GPL-2.0-or-later
"""How often the intervals of `lxfw predict` contain the start in ten days of a site.

  ten-days.py LXFW FOLDER PARTS HISTORY SCHEDULERS [LOG ...]

Parts of ten days of real logs, those with a load near 0.9, are simulated under models of schedulers that
sites have, and predicted at 200 random moments by `lxfw predict --evaluate --live`: what is known
at a moment is what has happened so far, since HISTORY days before the ten. These are simulated, too,
with 200 moments in each ten days, of which the intervals learn; they are not judged. The machine is
empty at their begin. FOLDER has the logs. SCHEDULERS is a list such as
pbs,site,slurm. Parts that take too long are named, and left out.

LXFW_TEN_DAYS_LOOK=1: from the state at each moment alone, as without a journal. LXFW_TEN_DAYS_KEEP: a
folder for the calibrations, for elsewhere.py, and for the predictions (--cases-out).
LXFW_TEN_DAYS_LIMITS: other requested times: `86400s` is a day for all jobs, or the run time if that is
longer; `3x` is three times the run time. LXFW_TEN_DAYS_MOMENTS: other than 200.

By moment, the figure in brackets is a standard error, of blocks of moments: those of a day, and of a spell
in which at every moment a job waits that waited at the one before, err together.

  pbs     as OpenPBS with strict_ordering and backfill_depth=1: in the order of submission
  site    in the order of priority/multifactor of Slurm: age, size, and fair share of the log's
          groups; a reservation for the first job
  slurm   in the same order, by the model of sched/backfill
"""
import concurrent.futures
import csv
import gzip
import math
import os
import subprocess
import sys
import tempfile

DAY = 86400
LATER = 14 * DAY  # a bound that is not stated
LOAD = 0.9  # less leaves few jobs waiting, more makes queues that do not end
MOMENTS = int(os.environ.get("LXFW_TEN_DAYS_MOMENTS", "200"))
FUTURES = 15
PATIENCE = 900  # seconds for a part
# nodes and processors of each
LOGS = {
    "SDSC-SP2-1998-4.2-cln": (128, 1), "SDSC-BLUE-2000-4.2-cln": (144, 8),
    "HPC2N-2002-2.2-cln": (120, 2), "LANL-CM5-1994-4.1-cln": (256, 4),
    "CTC-SP2-1996-3.1-cln": (338, 1), "Sandia-Ross-2001-1.1-cln": (512, 2),
    "LLNL-Thunder-2007-1.1-cln": (1002, 4), "LPC-EGEE-2004-1.2-cln": (70, 2),
    "NASA-iPSC-1993-3.1-cln": (128, 1), "SDSC-Par-1996-3.1-cln": (400, 1),
}
CONF = """SchedulerType=sched/backfill
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityMaxAge=1-0
PriorityWeightJobSize=500
PriorityWeightFairshare=2000
PriorityDecayHalfLife=7-0
AccountingStorageType=accounting_storage/slurmdbd
NodeName=n[1-%d] CPUs=%d
PartitionName=batch Nodes=ALL Default=YES
"""
SCHEDULERS = {
    "pbs": ["--params", "lxfw_policy=site,lxfw_reservations=1"],
    "site": ["--params", "lxfw_policy=site,lxfw_reservations=1"],
    "slurm": ["--policy", "slurm"],
}


def limited(line):
    """The line of a job, with another requested time if that is wanted."""
    limits = os.environ.get("LXFW_TEN_DAYS_LIMITS")
    fields = line.split()
    run = int(fields[3])
    if not limits or run <= 0:
        return line
    number = int(limits[:-1])
    fields[8] = str(number * run if limits[-1] == "x" else max(number, run))
    return " ".join(fields) + "\n"


def read_log(path):
    """The header, and the jobs as (submit, line)."""
    header, jobs = [], []
    with gzip.open(path, "rt") as lines:
        for line in lines:
            if line.startswith(";"):
                header.append(line)
            elif line.strip():
                jobs.append((int(line.split()[1]), limited(line)))
    return header, jobs


def load_of(lines, processors):
    """The submitted work of ten days, as a share of what the processors can do."""
    work = 0
    for line in lines:
        field = line.split()
        procs = int(field[7]) if int(field[7]) > 0 else int(field[4])
        work += max(0, int(field[3])) * max(0, procs)
    return work / processors / (10 * DAY)


def parts_of(path, count, processors, history):
    """The COUNT parts of the log of ten days, at multiples of ten days, whose load is nearest to
    LOAD: the first day, the second in which it begins, and the lines from HISTORY days before."""
    header, jobs = read_log(path)
    first = jobs[0][0]
    parts = {}
    for submit, line in jobs:
        parts.setdefault((submit - first) // DAY // 10 * 10, []).append(line)
    days = [day for day in parts if day >= history]
    days.sort(key=lambda day: abs(load_of(parts[day], processors) - LOAD))
    for day in sorted(days[:count]):
        begin = first + day * DAY
        yield day, begin, header + [line for submit, line in jobs if
                                    begin - history * DAY <= submit < begin + 10 * DAY]


def judge(path, begin):
    """Of the predictions from BEGIN on in a file of --cases-out: the hits of both intervals, by
    moment."""
    moments = {}
    with open(path) as file:
        for case in csv.DictReader(file):
            if case["judged"] != "1" or int(case["time"]) < begin:
                continue
            wait = float(case["wait"])
            hit = tuple(float(case["corrected_low" + name]) <= wait and
                        (wait <= float(case["corrected_high" + name]) or
                         float(case["corrected_high" + name]) >= LATER)
                        for name in ("50", "90"))
            moments.setdefault(case["time"], []).append(hit)
    return moments


def blocks_of(path):
    """The block of each moment in a file of --cases-out: its spell and its day."""
    waiting, blocks, spell, before = {}, {}, 0, set()
    with open(path) as file:
        for case in csv.DictReader(file):
            waiting.setdefault(int(case["time"]), set()).add(case["job"])
    for time in sorted(waiting):
        spell += not waiting[time] & before
        before = waiting[time]
        blocks[str(time)] = (spell, (time - min(waiting)) // DAY)
    return blocks


def run_part(task):
    lxfw, folder, name, day, begin, history, scheduler = task
    path = os.path.join(folder, "%s-%d" % (name, day))
    keep = os.environ.get("LXFW_TEN_DAYS_KEEP")
    kept = os.path.join(keep or folder, "%s-%d-%s.%s" % (
        name, day, os.environ.get("LXFW_TEN_DAYS_LIMITS", "own"), scheduler))
    cases = kept + ".csv"
    look = ["--look"] if os.environ.get("LXFW_TEN_DAYS_LOOK") else []
    calibration = ["--calibration-out", kept + ".cal"] if keep else []
    cluster = [] if scheduler == "pbs" else ["--cluster", os.path.join(folder, name + ".conf")]
    try:
        result = subprocess.run(
            [lxfw, "predict", "--evaluate", path + ".swf", "--live", "--moments",
             str(MOMENTS * (history + 10) // 10), "--futures", str(FUTURES), "--threads", "1",
             "--cases-out", cases,
             *SCHEDULERS[scheduler], *cluster, *look, *calibration],
            capture_output=True, text=True, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return name, day, scheduler, None
    if result.returncode:
        sys.stderr.write(result.stderr)
        return name, day, scheduler, None
    blocks = blocks_of(cases)
    return name, day, scheduler, {(day, *blocks[time]) + (time,): hits
                                  for time, hits in judge(cases, begin).items()}


def mean(values):
    return sum(values) / len(values) if values else math.nan


def share(moments, which):
    return 100 * mean([hit[which] for hits in moments.values() for hit in hits])


def error_by_moment(moments, which):
    """The standard error of the mean of the shares of the moments."""
    shares = {key: mean([hit[which] for hit in hits]) for key, hits in moments.items()}
    middle, sums = mean(list(shares.values())), {}
    for key, value in shares.items():
        sums[key[:3]] = sums.get(key[:3], 0) + value - middle
    return 100 * math.sqrt(sum(one * one for one in sums.values()) * len(sums) /
                           max(1, len(sums) - 1)) / len(shares)


def show(name, scheduler, parts):
    judged = [moments for moments in parts if moments]
    figures = []
    for which in (0, 1) if judged else ():
        shares = [share(moments, which) for moments in judged]
        middle = mean(shares)
        spread = math.sqrt(sum((one - middle) ** 2 for one in shares) /
                           max(1, len(shares) - 1) / max(1, len(shares)))
        by_moment = 100 * mean([mean([hit[which] for hit in hits]) for moments in judged
                                for hits in moments.values()])
        error = error_by_moment({key: hits for moments in judged
                                 for key, hits in moments.items()}, which)
        figures.append("%5.1f %% (%4.1f), %5.1f %% (%4.1f), %s" % (
            middle, spread, by_moment, error, " ".join("%.0f" % one for one in shares)))
    figures = figures or ["", ""]
    print("| %s | %s | %d of %d | %d | %d | %s | %s |" % (
        name.split("-")[0] + "-" + name.split("-")[1], scheduler, len(judged), len(parts),
        sum(len(moments) for moments in judged),
        sum(len(hits) for moments in judged for hits in moments.values()), *figures))
    sys.stdout.flush()


def main(lxfw, traces, count, history, schedulers, names):
    print("| log | scheduler | parts judged | moments | predictions | 50 %: mean of the parts "
          "(standard error), by moment, parts | 90 % |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="lxfw-ten.") as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name in names:
            with open(os.path.join(folder, name + ".conf"), "w") as file:
                file.write(CONF % LOGS[name])
            days = []
            for day, begin, lines in parts_of(os.path.join(traces, name + ".swf.gz"), count,
                                              LOGS[name][0] * LOGS[name][1], history):
                with open(os.path.join(folder, "%s-%d.swf" % (name, day)), "w") as file:
                    file.writelines(lines)
                days.append((day, begin))
            for scheduler in schedulers:
                tasks = [(lxfw, folder, name, day, begin, history, scheduler)
                         for day, begin in days]
                results = list(pool.map(run_part, tasks))
                for _, day, _, moments in results:
                    if moments is None:
                        print("%s, day %d, %s: not ended" % (name, day, scheduler),
                              file=sys.stderr)
                show(name, scheduler, [result[3] for result in results])


if len(sys.argv) < 6:
    sys.stderr.write(__doc__)
    sys.exit(2)
main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5].split(","),
     sys.argv[6:] or list(LOGS))
