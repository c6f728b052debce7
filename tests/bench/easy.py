#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""An independent EASY scheduler, for logs with known outages and holds.

    easy.py SCENARIO SEED LOG.swf OUT.swf [LEAST MOST]

reads the jobs of LOG.swf and schedules them with SCENARIO. It writes the jobs with the
resulting waits and users to OUT.swf, and the outages to OUT.swf.outages, for --outages.
It prints four numbers: the mean wait in OUT.swf; the mean wait without outages; the
increase of the mean wait by the outages alone, which a simulation with these outages must
add; and the mean wait without any disturbance. Each job starts LEAST to MOST seconds
after the decision, and its processors are allocated during that time. SCENARIO is one of
these, or several with '+' between:

    none     no disturbance
    part     a quarter of the machine is down for a quarter of the log; jobs that run
             there continue
    stops    no job starts during two outages of 12 hours
    kills    as stops, and the jobs that run when an outage begins end then
    order    users of three ranks: jobs of a higher rank are scheduled first
    limits   no user runs more than a few jobs at a time
    holds    one job in twenty is held for some hours up to two days; it is queued when
             it is released
    begins   one job in ten may not start before the next midnight, and keeps its
             position in the queue
    chains   one job in six depends on the end of the user's preceding job
"""
import heapq
import random
import sys

HOUR, DAY = 3600, 86400


class Job:
    def __init__(self, fields):
        self.fields = fields
        self.number = int(fields[0])
        self.submit, self.run, self.procs = (int(fields[i]) for i in (1, 3, 4))
        self.limit = max(int(fields[8]), self.run, 1)
        self.release = self.place = self.submit
        self.rank = self.user = self.delay = 0
        self.after = None       # the job that must end before this one is submitted
        self.start = self.end = None


class World:
    """Disturbances of the schedule. OUTAGES: (from, to, processors lost)."""

    def __init__(self, procs, outages=(), kills=False, most=0, chains=False):
        self.procs, self.outages, self.kills = procs, outages, kills
        self.most, self.chains = most, chains


def easy(jobs, world):
    """Set start and end of each job."""
    order = lambda job: (job.rank, job.place, job.number)
    after = {}
    points = [(at, 1, -1) for outage in world.outages for at in outage[:2]]
    for i, job in enumerate(jobs):
        job.start = job.end = None
        if world.chains and job.after is not None:
            after.setdefault(job.after, []).append(i)
        else:
            points.append((job.release, 0, i))
    heapq.heapify(points)
    running, queue, used, users = {}, [], 0, {}

    def leave(i, now):
        nonlocal used
        job = running.pop(i)
        used -= job.procs
        users[job.user] -= 1
        for other in after.get(i, ()):
            heapq.heappush(points, (max(now, jobs[other].release), 0, other))

    while points:
        now = points[0][0]
        while points and points[0][0] == now:
            _, kind, i = heapq.heappop(points)
            if kind == 2 and i in running and jobs[i].end == now:
                leave(i, now)
            elif kind == 0:
                queue.append(jobs[i])
        queue.sort(key=order)
        for outage in world.outages:
            for i in list(running) if world.kills and outage[0] == now else ():
                jobs[i].end = max(now, jobs[i].start + 1)
                jobs[i].run = jobs[i].end - jobs[i].start
                if jobs[i].end == now:
                    leave(i, now)
                else:
                    heapq.heappush(points, (jobs[i].end, 2, i))
        size = world.procs - sum(o[2] for o in world.outages if o[0] <= now < o[1])
        shadow, spare, left = None, 0, []
        for job in queue:
            allowed = not world.most or users.get(job.user, 0) < world.most
            fits = job.procs <= size - used
            if allowed and fits and (shadow is None or job.procs <= spare or
                                     now + job.limit <= shadow):
                if shadow is not None and now + job.limit > shadow:
                    spare -= job.procs
                job.start = now + job.delay
                job.end = job.start + job.run
                running[job.index] = job
                used += job.procs
                users[job.user] = users.get(job.user, 0) + 1
                heapq.heappush(points, (job.end, 2, job.index))
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


def read(log):
    head, jobs, procs = [], [], 0
    for line in open(log):
        if line.startswith(';'):
            head.append(line)
            if 'MaxProcs' in line:
                procs = int(line.split(':')[1])
        else:
            jobs.append(Job(line.split()))
    for i, job in enumerate(jobs):
        job.index = i
    return head, jobs, procs


def delay_jobs(jobs, kinds, draw):
    """Delay single jobs: holds, begin times, dependencies."""
    if 'holds' in kinds:
        for job in draw.sample(jobs, len(jobs) // 20):
            job.release += draw.randrange(2 * HOUR, 48 * HOUR)
            job.place = job.release
    if 'begins' in kinds:
        for job in draw.sample(jobs, len(jobs) // 10):
            job.release = max(job.release, (job.submit // DAY + 1) * DAY)
    if 'chains' in kinds:
        latest = {}
        for job in jobs:
            if draw.random() < 1 / 6:
                job.after = latest.get(job.user)
            latest[job.user] = job.index


def outages_of(jobs, kinds, procs):
    begin, span = jobs[0].submit, jobs[-1].submit - jobs[0].submit
    if 'part' in kinds:
        begin += span * 2 // 5
        return [(begin, begin + span // 4, procs // 4)]
    if kinds & {'stops', 'kills'}:
        return [(begin + int(span * share), begin + int(span * share) + 12 * HOUR,
                 procs) for share in (0.3, 0.7)]
    return []


def main(scenario, seed, log, out, least=0, most=0):
    draw = random.Random(int(seed) * 7919 + 13)
    kinds = set(scenario.split('+'))
    head, jobs, procs = read(log)
    weights = [1 / (i + 1) for i in range(30)]
    for job in jobs:
        job.user = draw.choices(range(30), weights)[0]
    if 'order' in kinds:
        for job in jobs:
            job.rank = job.user % 3
    delay_jobs(jobs, kinds, draw)
    for job in jobs:
        job.delay = draw.randint(int(least), int(most))
    outages = outages_of(jobs, kinds, procs)
    rest = {'most': 4 if 'limits' in kinds else 0, 'chains': 'chains' in kinds}
    easy(jobs, World(procs, outages, 'kills' in kinds, **rest))
    starts = [job.start for job in jobs]
    true = mean_wait(jobs)
    easy(jobs, World(procs, **rest))
    base = mean_wait(jobs)
    for job in jobs:
        job.rank, job.release, job.place = 0, job.submit, job.submit
    easy(jobs, World(procs, outages))
    alone = mean_wait(jobs)
    easy(jobs, World(procs))
    print(f'{true:.1f} {base:.1f} {alone - mean_wait(jobs):.1f} {mean_wait(jobs):.1f}')
    with open(out + '.outages', 'w') as file:
        for begin, end, lost in outages:
            first = jobs[0].submit
            file.write(f'{begin - first}s {end - first}s {lost}\n')
    with open(out, 'w') as file:
        file.writelines(head)
        for job, start in zip(jobs, starts):
            fields = job.fields
            fields[2], fields[3] = str(start - job.submit), str(job.run)
            fields[8], fields[11] = str(job.limit), str(job.user + 1)
            file.write(' '.join(fields) + '\n')


main(*sys.argv[1:])
