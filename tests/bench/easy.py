#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""An EASY scheduler of its own, for logs of which the truth is known.

    easy.py SCENARIO SEED LOG.swf OUT.swf

reads jobs, schedules them with SCENARIO, writes LOG with the waits and users of it,
and prints the mean wait with and without what SCENARIO says:

    none     nothing
    part     a quarter of the machine is down for a quarter of the log; jobs that run
             there go on
    stops    nothing starts during two outages of 12 hours
    kills    the same, and the jobs that run when they begin end then
    order    users of three ranks: a job of a higher one comes first
    limits   no user has more than a few jobs running
    holds    one job in twenty is held for some hours up to two days; it queues when it
             is released
"""
import heapq
import random
import sys

HOUR = 3600


class Job:
    def __init__(self, fields):
        self.fields = fields
        self.submit, self.run, self.procs = (int(fields[i]) for i in (1, 3, 4))
        self.limit = max(int(fields[8]), self.run, 1)
        self.release = self.submit
        self.rank = self.user = 0
        self.start = self.end = None


def easy(jobs, procs, outages=(), most=0, kills=False):
    """Fill in start and end. OUTAGES: (from, to, processors lost)."""
    order = lambda job: (job.rank, job.release, int(job.fields[0]))
    points = [(job.release, 0, i) for i, job in enumerate(jobs)]
    points += [(at, 1, -1) for outage in outages for at in outage[:2]]
    heapq.heapify(points)
    running, queue, used, users = {}, [], 0, {}
    while points:
        now = points[0][0]
        while points and points[0][0] == now:
            _, kind, i = heapq.heappop(points)
            if kind == 2 and i in running and jobs[i].end == now:
                used -= jobs[i].procs
                users[jobs[i].user] -= 1
                del running[i]
            elif kind == 0:
                queue.append(jobs[i])
        queue.sort(key=order)
        for outage in outages:
            for i in list(running) if kills and outage[0] == now else ():
                jobs[i].end = now
                jobs[i].run = now - jobs[i].start
                used -= jobs[i].procs
                users[jobs[i].user] -= 1
                del running[i]
        size = procs - sum(o[2] for o in outages if o[0] <= now < o[1])
        shadow, spare, left = None, 0, []
        for job in queue:
            allowed = not most or users.get(job.user, 0) < most
            fits = job.procs <= size - used
            if allowed and fits and (shadow is None or job.procs <= spare or
                                     now + job.limit <= shadow):
                if shadow is not None and now + job.limit > shadow:
                    spare -= job.procs
                job.start, job.end = now, now + job.run
                i = job.index
                running[i] = job
                used += job.procs
                users[job.user] = users.get(job.user, 0) + 1
                heapq.heappush(points, (job.end, 2, i))
                continue
            left.append(job)
            if shadow is None and allowed and job.procs <= size:
                free = size - used
                for other in sorted(running.values(),
                                    key=lambda other: other.start + other.limit):
                    free += other.procs
                    if free >= job.procs:
                        shadow = max(now, other.start + other.limit)
                        spare = free - job.procs
                        break
        queue = left


def mean_wait(jobs):
    return sum(job.start - job.submit for job in jobs) / len(jobs)


def main(scenario, seed, log, out):
    draw = random.Random(int(seed) * 7919 + 13)
    head, jobs, procs = [], [], 0
    for line in open(log):
        if line.startswith(';'):
            head.append(line)
            if 'MaxProcs' in line:
                procs = int(line.split(':')[1])
        else:
            jobs.append(Job(line.split()))
    weights = [1 / (i + 1) for i in range(30)]
    for i, job in enumerate(jobs):
        job.index = i
        job.user = draw.choices(range(30), weights)[0]
    span = jobs[-1].submit - jobs[0].submit
    outages, most, kills = [], 0, scenario == 'kills'
    if scenario == 'part':
        begin = jobs[0].submit + span * 2 // 5
        outages = [(begin, begin + span // 4, procs // 4)]
    elif scenario in ('stops', 'kills'):
        for share in (0.3, 0.7):
            begin = jobs[0].submit + int(span * share)
            outages.append((begin, begin + 12 * HOUR, procs))
    elif scenario == 'order':
        for job in jobs:
            job.rank = job.user % 3
    elif scenario == 'limits':
        most = 4
    elif scenario == 'holds':
        for job in draw.sample(jobs, len(jobs) // 20):
            job.release += draw.randrange(2 * HOUR, 48 * HOUR)
    easy(jobs, procs, outages, most, kills)
    true = mean_wait(jobs)
    starts = [job.start for job in jobs]
    for job in jobs:
        job.rank, job.release = 0, job.submit
    easy(jobs, procs)
    print(f'{true:.1f} {mean_wait(jobs):.1f}')
    with open(out, 'w') as file:
        file.writelines(head)
        for job, start in zip(jobs, starts):
            fields = job.fields
            fields[2], fields[3] = str(start - job.submit), str(job.run)
            fields[8], fields[11] = str(job.limit), str(job.user + 1)
            file.write(' '.join(fields) + '\n')


main(*sys.argv[1:])
