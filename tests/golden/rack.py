# SPDX-License-Identifier: GPL-2.0-or-later
"""A site of its own: 16 hosts in two partitions, a month of jobs, and a scheduler that backfills in
each partition. Four hosts may be away for half of the month.

  rack.py SEED FOLDER AWAY HELD   AWAY 1: they are away; HELD: share of jobs that are held. Writes
                                  rack.cluster and rack.sacct
"""
import heapq
import random
import sys
from datetime import datetime, timedelta

DAY, HOSTS, PROCS = 86400, 16, 8
PARTS = {"a": range(0, 12), "b": range(8, 16)}
FROM, UNTIL, RACK = 5 * DAY, 19 * DAY, range(4, 8)


def make_jobs(source, held):
    jobs, time = [], 0
    while time < 28 * DAY:
        time += source.expovariate(1 / 800)
        limit = source.choice([3600, 7200, 14400, 43200])
        hosts = source.choice([1, 1, 1, 1, 2, 4])
        jobs.append({
            "id": len(jobs) + 1, "submit": int(time), "limit": limit, "hosts": hosts,
            "part": source.choices(list(PARTS), [3, 1])[0], "user": source.randint(1, 20),
            "procs": source.choice([1, 2, 4, 8]) if hosts == 1 else PROCS,
            "run": max(60, int(limit * source.betavariate(1, 1.3))),
            "free": int(time) + (source.randint(7200, 172800) if source.random() < held else 0),
        })
    return jobs


def fitting(job, free, now, away):
    return [host for host in PARTS[job["part"]] if free[host] >= job["procs"] and
            not (away and FROM <= now < UNTIL and host in RACK)]


def reserve(job, free, running, now, away):
    """When the job can start by the limits of those that run."""
    later = list(free)
    for other in sorted(running, key=lambda one: one["start"] + one["limit"]):
        for host in other["on"]:
            later[host] += other["procs"]
        if len(fitting(job, later, now, away)) >= job["hosts"]:
            return other["start"] + other["limit"]
    return sys.maxsize


def run(jobs, away):
    free, waiting, running, arrived = [PROCS] * HOSTS, [], [], 0
    times = [FROM, UNTIL] + [job["submit"] for job in jobs] + [job["free"] for job in jobs]
    heapq.heapify(times)
    while times:
        now = heapq.heappop(times)
        for job in [job for job in running if job["end"] <= now]:
            running.remove(job)
            for host in job["on"]:
                free[host] += job["procs"]
        while arrived < len(jobs) and jobs[arrived]["submit"] <= now:
            waiting.append(jobs[arrived])
            arrived += 1
        reserved = {}
        for job in [job for job in waiting if job["free"] <= now]:
            if now + job["limit"] > reserved.get(job["part"], sys.maxsize):
                continue
            fit = fitting(job, free, now, away)
            if len(fit) < job["hosts"]:
                if job["part"] not in reserved:
                    reserved[job["part"]] = reserve(job, free, running, now, away)
                continue
            job.update(on=fit[:job["hosts"]], start=now, end=now + job["run"])
            for host in job["on"]:
                free[host] -= job["procs"]
            waiting.remove(job)
            running.append(job)
            heapq.heappush(times, job["end"])


def main():
    folder, away, held = sys.argv[2], sys.argv[3] == "1", float(sys.argv[4])
    jobs = make_jobs(random.Random(int(sys.argv[1])), held)
    run(jobs, away)
    begin = datetime(2026, 3, 2)
    time = lambda seconds: (begin + timedelta(seconds=seconds)).isoformat()
    with open(folder + "/rack.cluster", "w") as out:
        out.writelines(f"n{host} procs={PROCS}\n" for host in range(HOSTS))
        for name, members in PARTS.items():
            out.write(f"partition={name} nodes={','.join(f'n{host}' for host in members)}\n")
    with open(folder + "/rack.sacct", "w") as out:
        out.write("JobID|Submit|Eligible|Start|End|Elapsed|NCPUS|NNodes|Timelimit|State|Partition|User|"
                  "NodeList\n")
        for job in jobs:
            out.write(f"{job['id']}|{time(job['submit'])}|{time(job['submit'])}|{time(job['start'])}|"
                      f"{time(job['end'])}|{job['run']}|{job['procs'] * job['hosts']}|{job['hosts']}|"
                      f"{timedelta(seconds=job['limit'])}|COMPLETED|{job['part']}|u{job['user']}|"
                      f"{','.join(f'n{host}' for host in job['on'])}\n")


main()
