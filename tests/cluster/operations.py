# SPDX-License-Identifier: GPL-2.0-or-later
"""Days in the life of a cluster: what its users and its admin do, and what came of it.

  operations.py list LOG SEED HOURS       print the operations
  operations.py compare HOURS LIST STOCK... -- OURS
                                          compare the waits of the runs

The operations are lines 'SECONDS OPERATION ARGUMENTS', in the order of their times. The jobs
are those of a log in the Standard Workload Format, with its cancellations; the options that a
log lacks, and what the admin does, are drawn with the seed.

A run is a folder with the files 'submitted', lines 'NUMBER JOBID' of the jobs of the list, and
'jobs', the lines of `scontrol -o show job` at the end with times in seconds.
"""
import gzip
import random
import re
import sys

FIRST = 63918  # first job of `list`; the following two days were busy
PROCESSORS = 128  # of the cluster: 8 nodes of 16
LONGEST = 6 * 3600  # most seconds of a job
NODES = 8


def jobs_of(log, hours, first=FIRST):
    """The jobs from number FIRST on that ran or were cancelled: (seconds, processors, limit, run,
    wait, status, user)."""
    zero = None
    with gzip.open(log, "rt") as lines:
        for line in lines:
            field = line.split()
            if line.startswith(";") or int(field[0]) < first:
                continue
            number, submit, wait, run = (int(word) for word in field[:4])
            processors = int(field[7]) if int(field[7]) > 0 else int(field[4])
            limit, status, user = int(field[8]), int(field[10]), int(field[11])
            zero = submit if zero is None else zero
            if submit - zero >= hours * 3600:
                return
            run = min(max(run, 1), LONGEST)
            limit = min(max(limit, run, 60), 2 * LONGEST)
            if 0 < processors <= PROCESSORS:
                yield submit - zero, processors, limit, run, wait, status, user


def minutes(seconds):
    return (seconds + 59) // 60


def options_of(source, number, job, last_of):
    """The options of sbatch, and the job on which it depends."""
    _, processors, limit, _, _, _, user = job
    options = ["-n%d" % processors, "-t%d" % minutes(limit),
               "--mem-per-cpu=%d" % source.choice([500, 1000, 1000, 2000, 3500])]
    after = 0
    chance = source.random()
    if chance < 0.05:
        options.append("--begin=now+1800")
    elif chance < 0.10 and user in last_of:
        after = last_of[user]
    elif chance < 0.15:
        options.append("-Lmatlab:%d" % source.choice([1, 2, 4]))
    elif chance < 0.18:
        options.append("--exclusive")
    elif chance < 0.21:
        options.append("--nice=%d" % source.choice([50, 500]))
    elif chance < 0.24:
        options.append("-H")
    elif chance < 0.34 and limit <= 3600 and processors <= PROCESSORS // 2:
        options.append("-pexpress")
    last_of[user] = number
    return options, after


def of_users(source, jobs):
    last_of = {}
    for number, job in enumerate(jobs, 1):
        at, _, limit, run, wait, status, _ = job
        options, after = options_of(source, number, job, last_of)
        yield at, "submit", number, after, run, " ".join(options)
        if "-H" in options:
            yield at + source.randint(600, 7200), "release", number
        if status == 5:
            yield at + max(60, min(wait, 12 * 3600)), "cancel", number
        elif source.random() < 0.05:
            hold = at + source.randint(60, 1800)
            yield hold, "hold", number
            yield hold + source.randint(600, 5400), "release", number
        elif source.random() < 0.05:
            yield at + 600, "limit", number, minutes(max(run + 600, limit // 2))


def of_admin(source, hours, things):
    every = hours * 3600 // len(things)
    source.shuffle(things)
    for i, thing in enumerate(things):
        at = i * every + source.randint(every // 4, every // 2)
        node = source.randint(1, NODES)
        if thing in ("drain", "reboot"):
            yield at, thing, "n%d" % node
        else:
            yield at, thing
        if thing == "drain":
            yield at + every // 4, "resume", "n%d" % node
        if thing == "takeover":
            yield at + every // 4, "return"
    begin = hours * 3600 // 2
    yield 600, "reserve", begin, minutes(hours * 150), "n1,n2"


def print_operations(operations, hours):
    for operation in sorted(operations, key=lambda each: each[0]):
        if operation[0] < hours * 3600:
            print(*operation)


def print_list(log, seed, hours):
    source = random.Random(seed)
    things = ["drain", "reconfigure", "restart", "drain", "kill", "reboot", "reconfigure",
              "takeover"]
    print_operations([*of_users(source, jobs_of(log, hours)), *of_admin(source, hours, things)],
                     hours)


def read_run(folder):
    """What became of the jobs: by number, a dictionary of fields."""
    records = {}
    with open(folder + "/jobs") as lines:
        for line in lines:
            fields = dict(re.findall(r"(\w+)=(\S*)", line))
            if "JobId" in fields:
                records[fields["JobId"]] = fields
    with open(folder + "/submitted") as lines:
        return {int(number): records.get(job) for number, job in map(str.split, lines)}


def wait_of(record):
    """Seconds from the time that the job may start; None if it has not started."""
    if not record["StartTime"].isdigit() or record["JobState"] in ("PENDING",):
        return None
    start, submit = int(record["StartTime"]), int(record["SubmitTime"])
    eligible = int(record["EligibleTime"]) if record["EligibleTime"].isdigit() else submit
    if record["JobState"] == "CANCELLED" and record["RunTime"] == "00:00:00":
        return None
    return max(0, start - max(eligible, submit))


def size_class(job):
    return "%s, limit %s" % (
        "to 8" if job["processors"] <= 8 else "to 32" if job["processors"] <= 32 else "wide",
        "to 1 h" if job["limit"] <= 60 else "to 4 h" if job["limit"] <= 240 else "longer")


def read_list(path):
    jobs = {}
    with open(path) as lines:
        for line in lines:
            word = line.split()
            if word[1] == "submit":
                jobs[int(word[2])] = {
                    "at": int(word[0]), "options": word[5:],
                    "processors": int(word[5][2:]), "limit": int(word[6][2:])}
    return jobs


def mean(values):
    return sum(values) / len(values)


def find_lost(jobs, runs):
    """Jobs that were not submitted, are unknown at the end, or have failed."""
    lost = 0
    for folder, run in runs.items():
        for number in jobs:
            record = run.get(number)
            if not record:
                print("%s: job %d of the list is not known at the end" % (folder, number))
                lost += 1
            elif record["JobState"] in ("FAILED", "NODE_FAIL", "BOOT_FAIL", "OUT_OF_MEMORY",
                                        "SUSPENDED"):
                print("%s: job %d of the list is %s" % (folder, number, record["JobState"]))
                lost += 1
    return lost


def compare(hours, path, stocks, ours):
    jobs = read_list(path)
    runs = {folder: read_run(folder) for folder in [*stocks, ours]}
    if find_lost(jobs, runs):
        return 1
    waits, never, restarted = {}, dict.fromkeys(runs, 0), set()
    for number, job in jobs.items():
        each = [wait_of(runs[folder][number]) for folder in runs]
        for folder, wait in zip(runs, each):
            never[folder] += wait is None
        if any(run[number].get("Restarts", "0") != "0" for run in runs.values()):
            restarted.add(number)
        elif job["at"] <= 0.75 * hours * 3600 and None not in each:
            waits[number] = each
    print("%d jobs; compared %d; requeued in a run %d; never started %s" % (
        len(jobs), len(waits), len(restarted),
        ", ".join("%d" % count for count in never.values())))
    print("%-24s %5s  %s  %8s  %s" % (
        "mean wait in s", "jobs", " ".join("%9s" % "stock" for _ in stocks), "lxfw",
        "later than the range of stock"))
    later = []
    for name in ["all", *sorted({size_class(jobs[number]) for number in waits})]:
        some = [wait for number, wait in waits.items()
                if name in ("all", size_class(jobs[number]))]
        means = [mean([wait[i] for wait in some]) for i in range(len(runs))]
        low, high = min(means[:-1]), max(means[:-1])
        beyond = means[-1] - high > max(high - low, 120)
        print("%-24s %5d  %s  %8.0f  %s" % (
            name, len(some), " ".join("%9.0f" % value for value in means[:-1]), means[-1],
            "by %.0f s" % (means[-1] - high) if beyond else "no"))
        # A few jobs that start in another order are no finding.
        if beyond and len(some) >= 10:
            later.append(name)
    worst = sorted(waits, key=lambda number: max(waits[number][:-1]) - waits[number][-1])
    noise = [max(wait[:-1]) - min(wait[:-1]) for wait in waits.values()]
    print("between the runs of stock a wait differs by %.0f s on average, at most %d s" % (
        mean(noise), max(noise)))
    with open(ours + "/later", "w") as out:
        for number in worst[:10]:
            wait = waits[number]
            if wait[-1] > max(wait[:-1]) + max(120, max(wait[:-1]) - min(wait[:-1])):
                print(runs[ours][number]["JobId"], file=out)
                print("later: job %s, waits %s" % (
                    runs[ours][number]["JobId"], " ".join(map(str, wait))))
    return 1 if later else 0


def main(arguments):
    if len(arguments) == 4 and arguments[0] == "list":
        print_list(arguments[1], int(arguments[2]), int(arguments[3]))
        return 0
    if len(arguments) >= 6 and arguments[0] == "compare" and arguments[-2] == "--":
        return compare(int(arguments[1]), arguments[2], arguments[3:-2], arguments[-1])
    sys.stderr.write(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
