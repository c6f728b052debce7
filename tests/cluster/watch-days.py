# SPDX-License-Identifier: GPL-2.0-or-later
"""How good predictions beside the own scheduler of a Slurm or PBS were.

  watch-days.py list LOG SEED HOURS FIRST  print the operations (see operations.py) of the jobs
                                           from number FIRST of the log on
  watch-days.py report MANAGER LXFW RUN LIST
                                           compare what was predicted with what happened

MANAGER is slurm or pbs. LXFW is the command. RUN is a folder of `watch-days`: 'submitted', 'jobs'
and 'operations.log' as in operations.py, 'journal' of `lxfw watch`, and a folder for each moment in
'moments':

  journal   the journal so far
  time      the second
  starts    'JOB START' of squeue --start, or of qstat -f
  queue     'JOB STATE REASON' of squeue, or of tests/pbs/records.py
  present   lxfw predict --json, without a journal
  load      load average of the machine
"""
import json
import math
import os
import random
import re
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True
import operations  # noqa: E402

# Users of every Debian.
USERS = ["daemon", "bin", "sys", "games", "man", "lp", "mail", "news", "uucp", "proxy",
         "www-data", "backup", "list", "irc"]
NEAR = 600  # seconds within which a start is as expected
# Seconds between what permits a start and the start: passes of Slurm's backfill and looks of
# `lxfw watch`, by a clock that is 60 times as fast.
SOON = 180


# --- the operations -------------------------------------------------------------------------

def print_list(log, seed, hours, first):
    source = random.Random(seed)
    jobs = [*operations.jobs_of(log, hours, first)]
    listed = []
    for operation in operations.of_users(source, jobs):
        if operation[1] == "submit":
            user = jobs[operation[2] - 1][6]
            operation = (*operation, "--uid=" + USERS[user % len(USERS)])
        listed.append(operation)
    things = ["drain", "reconfigure", "drain"]
    operations.print_operations([*listed, *operations.of_admin(source, hours, things)], hours)


# --- what happened --------------------------------------------------------------------------

class Run:
    """What became of the jobs, and what was done to them, by job id."""

    def __init__(self, folder, path):
        records = operations.read_run(folder)
        self.ids = {number: record["JobId"] for number, record in records.items() if record}
        self.records = {record["JobId"]: record for record in records.values() if record}
        with open(folder + "/begin") as file:
            self.begin = int(file.read())
        self.late = []
        self.done = {}  # times of operations
        self.ends = []  # of reservations
        self.after = {}  # the job on which a job depends
        with open(folder + "/operations.log") as lines:
            for line in lines:
                match = re.match(r"(\d+) (\d+): (\w+) ?(\S*) ?(\S*)", line)
                if match:
                    self.add(*match.groups())
        self.options = {self.ids.get(number): " ".join(job["options"])
                        for number, job in operations.read_list(path).items()}

    def add(self, planned, at, name, argument, other):
        self.late.append(int(at) - int(planned))
        if name == "submit" and other != "0":
            self.after[self.ids.get(int(argument))] = self.ids.get(int(other))
        if name in ("hold", "release", "cancel", "limit"):
            argument = self.ids.get(int(argument))
        if name == "reserve":
            self.ends.append(self.begin + int(argument) + int(other) * 60)
        self.done.setdefault(name, []).append((self.begin + int(at), argument))

    def start(self, job):
        """Second of the start; None if the job has not started."""
        record = self.records.get(job)
        if not record or operations.wait_of(record) is None:
            return None
        return int(record["StartTime"])

    def end(self, job):
        record = self.records.get(job)
        ended = record and record["JobState"] not in ("PENDING", "RUNNING", "COMPLETING")
        return int(record["EndTime"]) if ended and record["EndTime"].isdigit() else None

    def requeued(self, job):
        return self.records[job].get("Restarts", "0") != "0"

    def last(self, name, job, until):
        """The last time of an operation on a job."""
        return max((at for at, which in self.done.get(name, ())
                    if which == job and at <= until), default=None)

    def freed_between(self, since, until):
        """Whether processors became free: by the end of a job, of a drain or of a reservation."""
        ends = [self.end(job) for job in self.records if self.start(job)]
        ends += [*self.ends, *(at for at, _ in self.done.get("resume", ()))]
        return any(end is not None and since <= end <= until for end in ends)


# --- what was predicted ---------------------------------------------------------------------

def words_of(path, count):
    with open(path) as lines:
        return [line.split(None, count - 1) for line in lines if line.strip()]


def number_or_none(word):
    return int(word) if word.isdigit() else None


def command(arguments):
    """The answer; None if there is none."""
    result = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if result.returncode == 1:
        return None
    if result.returncode:
        sys.stderr.write("%s: exit status %d: %s\n" % (
            " ".join(arguments), result.returncode, result.stderr))
        return None
    return json.loads(result.stdout)


def read_json(path):
    try:
        with open(path) as file:
            return json.load(file)
    except ValueError:
        return None


def jobs_in(answer):
    return {job["job"]: job for job in answer["jobs"]} if answer else {}


class Moment:
    def __init__(self, lxfw, folder):
        with open(folder + "/time") as file:
            self.time = int(file.read())
        with open(folder + "/load") as file:
            self.load = float(file.read())
        self.stock = {job: number_or_none(start.strip())
                      for job, start in words_of(folder + "/starts", 2)}
        self.waiting = {job: reason.strip()
                        for job, state, reason in words_of(folder + "/queue", 3)
                        if state == "PENDING"}
        journal = folder + "/journal"
        answer = command([lxfw, "predict", "--json", "--journal", journal])
        self.ours = jobs_in(answer)
        self.state = answer["time"] if answer else None
        self.states_50 = bool(answer and answer.get("states_50"))
        self.states_90 = bool(answer and answer.get("states_90"))
        self.present = jobs_in(read_json(folder + "/present"))
        self.why = {job: command([lxfw, "why", "--json", job, journal]) for job in self.waiting}


def read_moments(lxfw, folder):
    names = sorted(os.listdir(folder), key=int)
    return [Moment(lxfw, folder + "/" + name) for name in names]


# --- expected starts ------------------------------------------------------------------------

class Pair:
    """A job that waits at a moment, and what was expected of it."""

    def __init__(self, run, moment, job):
        ours, present = moment.ours.get(job), moment.present.get(job)
        self.moment, self.job = moment, job
        self.start = run.start(job)
        self.ours = ours and ours.get("expected_start")
        self.present = present and present.get("expected_start")
        self.stock = moment.stock.get(job)
        self.bounds = ours

    def known(self):
        return self.start is not None and self.start >= self.moment.time - SOON


def bounds_of(pair, percent):
    return pair.bounds.get("low%d" % percent), pair.bounds.get("high%d" % percent)


def inside(pair, percent):
    low, high = bounds_of(pair, percent)
    return (low is None or pair.start >= low) and (high is None or pair.start <= high)


def describe(name, pairs, field):
    errors = [abs(getattr(pair, field) - pair.start) for pair in pairs]
    late = [getattr(pair, field) - pair.start for pair in pairs]
    if not errors:
        print("%-44s %6d" % (name, 0))
        return None
    median = statistics.median(errors)
    print("%-44s %6d %10.0f %12.0f %9.1f %%" % (
        name, len(pairs), median, statistics.median(late),
        100 * sum(error <= NEAR for error in errors) / len(errors)))
    return median


def having(pairs, *fields):
    return [pair for pair in pairs if all(getattr(pair, field) is not None for field in fields)]


def show_errors(manager, pairs):
    other = manager.estimate
    print("%-44s %6s %10s %12s %s" % (
        "expected starts, seconds", "pairs", "median", "median", "within"))
    print("%-44s %6s %10s %12s %s" % ("", "", "error", "too late by", "10 minutes"))
    describe("lxfw predict, all that it expects", having(pairs, "ours"), "ours")
    describe(other + ", all that it expects", having(pairs, "stock"), "stock")
    both = having(pairs, "ours", "stock")
    ours = describe("of both: lxfw predict", both, "ours")
    stock = describe("         " + other, both, "stock")
    alone = [pair for pair in having(pairs, "ours") if pair.stock is None]
    describe("without a start by the other: lxfw predict", alone, "ours")
    alone = [pair for pair in having(pairs, "stock") if pair.ours is None]
    describe("without one by lxfw predict: " + other, alone, "stock")
    three = having(pairs, "ours", "stock", "present")
    describe("of three: lxfw predict with the journal", three, "ours")
    describe("         lxfw predict without options", three, "present")
    describe("         " + other, three, "stock")
    return ours, stock


def apart(moments, pairs):
    """Number of moments that are apart by a mean wait from that moment on, or in part."""
    waits = [pair.start - pair.moment.time for pair in pairs]
    mean = max(1, sum(waits) / len(waits))
    number = 1.0
    for one, other in zip(moments, moments[1:]):
        number += min(1.0, (other.time - one.time) / mean)
    return number


def show_coverage(pairs, percent):
    judged = [pair for pair in having(pairs, "ours") if
              getattr(pair.moment, "states_%d" % percent)]
    if not judged:
        print("%d %% interval: none stated" % percent)
        return
    hits = [inside(pair, percent) for pair in judged]
    moments = sorted({pair.moment for pair in judged}, key=lambda moment: moment.time)
    shares = [statistics.mean(inside(pair, percent) for pair in judged if pair.moment is moment)
              for moment in moments]
    widths = [math.inf if None in bounds else bounds[1] - bounds[0]
              for bounds in (bounds_of(pair, percent) for pair in judged)]
    count = min(apart(moments, judged), len({pair.job for pair in judged}))
    spread = 1.645 * math.sqrt(percent / 100 * (1 - percent / 100) / count)
    print("%d %% interval: %.1f %% of %d pairs (by moment %.1f %%) at %d moments, of which %.1f "
          "are apart; %d jobs; median width %.0f s; chance alone: %.0f points" % (
              percent, 100 * statistics.mean(hits), len(judged),
              100 * statistics.mean(shares), len(moments), count,
              len({pair.job for pair in judged}),
              statistics.median(widths), 100 * spread))


# --- reasons --------------------------------------------------------------------------------

SLURM_CLASSES = {
    "JobHeldUser": "held", "JobHeldAdmin": "held", "Dependency": "dependency",
    "BeginTime": "begin time", "Licenses": "licenses",
    "None": "processors", "Resources": "processors", "Priority": "processors",
}
OUR_CLASSES = {
    "held": "held", "held_by_user": "held", "dependency": "dependency",
    "begin_time": "begin time", "licenses": "licenses",
}


def class_of_slurm(reason):
    if reason.startswith(("ReqNodeNotAvail", "Nodes")):
        return "processors"
    return SLURM_CLASSES.get(reason.split(",")[0].split(" ")[0], "other: " + reason)


def class_of_pbs(reason):
    """REASON is the state of a job that is not queued, or its comment."""
    if reason in ("held", "dependency", "begin time"):
        return reason
    return "licenses" if "matlab" in reason else "processors"


class Manager:
    def __init__(self, name, estimate, class_of):
        self.name, self.estimate, self.class_of = name, estimate, class_of


MANAGERS = {"slurm": Manager("Slurm", "squeue --start", class_of_slurm),
            "pbs": Manager("PBS", "qstat -f", class_of_pbs)}


def class_of_why(why):
    if why is None:
        return "not seen yet"  # submitted since the last look
    if why["state"] == "waiting":
        return "processors"
    if why["state"] != "not_eligible":
        return why["state"]
    reason = why.get("reason") or "none"
    return OUR_CLASSES.get(reason, reason)


def is_left_by(run, why, since, until):
    """Whether a waiting job that the answer names as one before it was cancelled."""
    before = {each["job"] for each in (why or {}).get("before", ())}
    return any(since <= at <= until and which in before
               for at, which in run.done.get("cancel", ()))


def start_agrees(run, moment, job, kind):
    """Whether what the job waits for came between the moment and the start."""
    start, since = run.start(job), moment.time - SOON
    if kind == "held":
        release = run.last("release", job, start)
        return release is not None and release >= since
    if kind == "dependency":
        end = run.end(run.after.get(job))
        return end is not None and since <= end <= start
    if kind == "begin time":
        eligible = int(run.records[job]["EligibleTime"])
        return since <= eligible <= start
    if kind == "licenses":
        others = [run.end(other) for other, options in run.options.items()
                  if "-Lmatlab" in options and other != job]
        return any(end is not None and since <= end <= start for end in others)
    release = run.last("release", job, start)
    held = run.last("hold", job, start)
    if held is not None and held > moment.time and release is not None:
        return True  # it was held later: the start has another cause
    return run.freed_between(since, start) or start <= moment.time + SOON or \
        is_left_by(run, moment.why[job], since, start)


def show_reasons(manager, run, moments):
    counts, wrong, seen = {}, [], 0
    for moment in moments:
        for job, reason in moment.waiting.items():
            if job not in run.records:
                continue
            ours, theirs = class_of_why(moment.why[job]), manager.class_of(reason)
            start = run.start(job)
            later = None if start is None or start < moment.time - SOON else \
                start_agrees(run, moment, job, ours)
            count = counts.setdefault(ours, [0, 0, 0, 0])
            seen += 1
            count[0] += 1
            count[1] += ours == theirs
            count[2] += later is not None
            count[3] += bool(later) and ours == theirs
            if ours != theirs or later is False:
                wrong.append("job %s at %d: why says %s, %s says %s, start %s" % (
                    job, moment.time - run.begin, ours, manager.name, reason,
                    start - run.begin if start else "unknown"))
    print("%-24s %8s %16s %12s %8s" % (
        "lxfw why: it waits for", "answers", "as %s then" % manager.name, "started", "agree"))
    for kind, count in sorted(counts.items()):
        print("%-24s %8d %16d %12d %8d" % (kind, *count))
    total = [sum(column) for column in zip(*counts.values())] if counts else [0] * 4
    print("%-24s %8d %16d %12d %8d" % ("all", *total))
    for line in wrong[:20]:
        print("  " + line)
    return total[3] / total[2] if total[2] else None


# --- the whole ------------------------------------------------------------------------------

def present_of(lxfw, manager, journal):
    """Options of lxfw compare for the present scheduler, which is Slurm's unless they are given: the
    last parameters of the journal."""
    if manager.name == "Slurm":
        return []
    text = subprocess.run([lxfw, "journal", journal], capture_output=True, text=True,
                          check=True).stdout
    words = re.findall(r"event parameters policy (\S+)(.*)", text)[-1]
    return ["--params", ",".join(["lxfw_policy=" + words[0], *(
        word for word in words[1].split() if not word.startswith("lxfw_shadow="))])]


def report(name, lxfw, folder, path):
    manager = MANAGERS[name]
    run = Run(folder, path)
    moments = read_moments(lxfw, folder + "/moments")
    pairs = [Pair(run, moment, job) for moment in moments for job in moment.waiting
             if job in run.records]
    known = [pair for pair in pairs if pair.known() and not run.requeued(pair.job)]
    late = sorted(run.late)
    print("%d jobs, %d moments, %d pairs of a moment and a waiting job, of which %d jobs have "
          "started; load of the machine %.1f, at most %.1f; operations late by %d s, 95 %% of "
          "them by at most %d s" % (
              len(run.records), len(moments), len(pairs), len(known),
              statistics.mean(moment.load for moment in moments),
              max(moment.load for moment in moments), statistics.median(late),
              late[len(late) * 95 // 100]))
    ages = [moment.time - moment.state for moment in moments if moment.state]
    print("the journals were %d s old, at most %d s" % (statistics.median(ages), max(ages)))
    ours, stock = show_errors(manager, known)
    for percent in (50, 90):
        show_coverage(known, percent)
    agree = show_reasons(manager, run, moments)
    print("lxfw compare:")
    journal = folder + "/journal"
    sys.stdout.flush()
    status = subprocess.run([lxfw, "compare", *present_of(lxfw, manager, journal), journal],
                            check=False).returncode
    failed = status != 0
    if ours is not None and ours > stock / 2:
        print("falls short: the median error is %.2f of that of %s, at most 0.5 is the aim" % (
            ours / stock if stock else math.inf, manager.estimate))
        failed = True
    if agree is not None:
        print("%.1f %% of the answers of lxfw why agree with what %s did later" % (
            100 * agree, manager.name))
        failed = failed or agree < 0.95
    return int(failed)


def main(arguments):
    if len(arguments) == 5 and arguments[0] == "list":
        print_list(arguments[1], *map(int, arguments[2:]))
        return 0
    if len(arguments) == 5 and arguments[0] == "report" and arguments[1] in MANAGERS:
        return report(*arguments[1:])
    sys.stderr.write(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
