# SPDX-License-Identifier: GPL-2.0-or-later
"""What a PBS says of its jobs, as tests/cluster/operations.py and watch-days.py read it.

  records.py queue FOLDER < JSON of qstat -f
                       write FOLDER/starts, 'JOB START' of the starts that the server has estimates
                       of, and FOLDER/queue, 'JOB STATE REASON'
  records.py jobs FILE... < JSON of qstat -x -f
                       print the jobs as `scontrol -o show job` does, starts and ends from the
                       server's accounting, whose files are FILE...
"""
import json
import re
import sys
import time

STATES = {"Q": "PENDING", "H": "PENDING", "W": "PENDING", "R": "RUNNING", "E": "RUNNING",
          "S": "RUNNING"}


def read_jobs():
    answer = json.load(sys.stdin).get("Jobs", {})
    return {name.split(".")[0]: job for name, job in answer.items()}


def second_of(text):
    text = str(text)
    return int(text) if text.isdigit() else int(time.mktime(time.strptime(text)))


def reason_of(job):
    if job["job_state"] == "H":
        return "dependency" if job.get("Hold_Types") == "s" and "depend" in job else "held"
    return "begin time" if job["job_state"] == "W" else job.get("comment", "none")


def write_queue(folder):
    jobs = read_jobs()
    with open(folder + "/starts", "w") as out:
        for name, job in jobs.items():
            start = job.get("estimated", {}).get("start_time")
            if start and job["job_state"] == "Q":
                print(name, second_of(start), file=out)
    with open(folder + "/queue", "w") as out:
        for name, job in jobs.items():
            if job["job_state"] in STATES:
                print(name, STATES[job["job_state"]], reason_of(job).replace("\n", " "), file=out)


def read_accounting(paths):
    """By job, the fields of its last start, and the end of that run if it has ended."""
    runs = {}
    for path in paths:
        with open(path) as lines:
            for line in lines:
                stamp, kind, name, text = line.rstrip("\n").split(";", 3)
                name = name.split(".")[0]
                fields = dict(re.findall(r"([\w.]+)=(\S*)", text))
                if kind == "S":
                    runs[name] = fields
                elif kind == "E" and name in runs:
                    runs[name] = fields
                elif kind == "R":
                    runs.pop(name, None)
                elif kind == "D" and name in runs:  # no E follows
                    at = time.mktime(time.strptime(stamp, "%m/%d/%Y %H:%M:%S"))
                    runs[name].setdefault("end", "%d" % at)
    return runs


def print_jobs(paths):
    runs = read_accounting(sorted(paths))
    for name, job in read_jobs().items():
        run = runs.get(name)
        state = STATES.get(job["job_state"], "CANCELLED")
        if run:
            state = "COMPLETED" if "end" in run else "RUNNING"
        eligible = run["etime"] if run else "Unknown"
        print("JobId=%s JobState=%s SubmitTime=%d EligibleTime=%s StartTime=%s EndTime=%s "
              "RunTime=%s Restarts=%d" % (
                  name, state, second_of(job["ctime"]), eligible,
                  run["start"] if run else "Unknown", run.get("end", "Unknown") if run else
                  "Unknown", "00:00:01" if run else "00:00:00",
                  max(0, int(job.get("run_count", 1)) - 1)))


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "queue":
        write_queue(arguments[1])
    elif len(arguments) >= 2 and arguments[0] == "jobs":
        print_jobs(arguments[1:])
    else:
        sys.stderr.write(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
