# SPDX-License-Identifier: GPL-2.0-or-later
"""A site of its own: hosts of three partitions with processors, memory and GPUs, jobs, and
a scheduler that starts the jobs of each partition in their order. The scheduler says what
each waiting job lacked.

  causes.py SEED FOLDER   write site.cluster, jobs.sacct and truth.json
"""
import json
import random
import sys
from datetime import datetime, timedelta

PARTS = {"wide": range(0, 8), "big": range(6, 12), "gpu": range(10, 14)}
PROCS, MEMORY, GPUS = 16, 64000, 4


class Host:
    def __init__(self, number):
        self.procs = PROCS
        self.memory = MEMORY * (2 if number >= 8 else 1)
        self.gpus = GPUS if number >= 10 else 0

    def has(self, procs, memory, gpus):
        return self.procs >= procs and self.memory >= memory and self.gpus >= gpus

    def take(self, job, sign):
        self.procs -= sign * job["procs"]
        self.memory -= sign * job["memory"]
        self.gpus -= sign * job["gpus"]


def make_job(random, number, submit):
    part = random.choices(list(PARTS), [5, 3, 2])[0]
    hosts = random.choice([1, 1, 1, 2, 3])
    procs = random.choice([1, 2, 4, 8, 12, 16])
    per_proc = random.choice([500, 1000, 2000, 3500, 8000])
    return {
        "id": number, "submit": submit, "part": part, "hosts": hosts, "procs": procs,
        "memory": min(procs * per_proc, 60000),
        "gpus": random.choice([0, 1, 2, 4]) if part == "gpu" else 0,
        "run": random.choice([600, 1800, 3600, 7200, 14400]),
    }


def lack(hosts, job):
    """What the job lacks now, or None."""
    mine = [hosts[i] for i in PARTS[job["part"]]]
    count = {
        key: sum(h.has(job["procs"], m, g) for h in mine)
        for key, m, g in (("fit", job["memory"], job["gpus"]), ("memory", 0, job["gpus"]),
                          ("extras", job["memory"], 0), ("both", 0, 0))
    }
    if count["fit"] >= job["hosts"]:
        return None
    if count["memory"] >= job["hosts"]:
        return "memory"
    if max(count["extras"], count["both"]) >= job["hosts"]:
        return "extras"
    if sum(h.procs for h in mine) >= job["procs"] * job["hosts"]:
        return "hosts"
    return "full"


def run(random, jobs):
    hosts = [Host(i) for i in range(14)]
    waiting, running, now, next_job = [], [], 0, 0
    while waiting or running or next_job < len(jobs):
        for job in [j for j in running if j["end"] <= now]:
            running.remove(job)
            for i in job["on"]:
                hosts[i].take(job, -1)
        while next_job < len(jobs) and jobs[next_job]["submit"] <= now:
            waiting.append(jobs[next_job])
            next_job += 1
        blocked = set()
        for job in list(waiting):
            if job["part"] in blocked:
                continue
            if lack(hosts, job):
                blocked.add(job["part"])
                continue
            fit = [i for i in PARTS[job["part"]]
                   if hosts[i].has(job["procs"], job["memory"], job["gpus"])]
            job["on"] = sorted(random.sample(fit, job["hosts"]))
            job["start"], job["end"] = now, now + job["run"]
            for i in job["on"]:
                hosts[i].take(job, 1)
            waiting.remove(job)
            running.append(job)
        times = [j["end"] for j in running]
        if next_job < len(jobs):
            times.append(jobs[next_job]["submit"])
        later = min(times, default=now)
        for job in waiting:
            why = lack(hosts, job) or "choice"
            job.setdefault("why", {}).setdefault(why, 0)
            job["why"][why] += later - now
        now = later


def main():
    seed, folder = int(sys.argv[1]), sys.argv[2]
    source = random.Random(seed)
    jobs, submit = [], 0
    for number in range(1, 601):
        submit += source.choice([0, 60, 300, 900, 1500])
        jobs.append(make_job(source, number, submit))
    run(source, jobs)
    begin = datetime(2026, 3, 2)
    time = lambda seconds: (begin + timedelta(seconds=seconds)).isoformat()
    with open(folder + "/site.cluster", "w") as out:
        for i, host in enumerate(Host(i) for i in range(14)):
            out.write(f"n{i} procs={PROCS} memory={host.memory} gpu={host.gpus}\n")
        for name, members in PARTS.items():
            names = ",".join(f"n{i}" for i in members)
            out.write(f"partition={name} nodes={names}\n")
    with open(folder + "/jobs.sacct", "w") as out:
        out.write("JobID|Submit|Eligible|Start|End|Elapsed|NCPUS|NNodes|Timelimit|State|"
                  "Partition|User|ReqMem|ReqTRES|AllocTRES|NodeList\n")
        for job in jobs:
            procs, memory = job["procs"] * job["hosts"], job["memory"] * job["hosts"]
            tres = f"cpu={procs},mem={memory}M,node={job['hosts']}"
            if job["gpus"]:
                tres += f",gres/gpu={job['gpus'] * job['hosts']}"
            names = ",".join(f"n{i}" for i in job["on"])
            out.write(f"{job['id']}|{time(job['submit'])}|{time(job['submit'])}|"
                      f"{time(job['start'])}|{time(job['end'])}|{job['run']}|{procs}|"
                      f"{job['hosts']}|{timedelta(seconds=job['run'])}|COMPLETED|"
                      f"{job['part']}|u{job['id'] % 7}|{memory}M|{tres}|{tres}|{names}\n")
    truth = {}
    for job in jobs:
        for why, seconds in job.get("why", {}).items():
            truth[why] = truth.get(why, 0) + seconds / len(jobs)
    with open(folder + "/truth.json", "w") as out:
        json.dump(truth, out)


main()
