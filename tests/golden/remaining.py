#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Preemption by a * W - b * Trem on one pool of processors, from section 5.1 of
Balasubramanian, Sussman and Sadeh 2013.

usage: remaining.py PROCS A B DELTA LOG.swf
       remaining.py make SEED

Prints "job,start,end" of each job that fits. DELTA is in seconds, 0: no interval. The second
form prints a random log for 16 processors. Shares no code with lxfw.
"""
import random
import sys


class Job:
    def __init__(self, field):
        self.id, self.submit = int(field[0]), int(field[1])
        self.run, self.size = int(field[3]), int(field[4])
        if self.size < 1:
            self.size = int(field[7])
        asked = int(field[8])
        self.asked = asked if asked > 0 else self.run
        self.done, self.since = 0, None
        self.start = self.end = None

    def ran(self, now):
        return self.done + (now - self.since if self.since is not None else 0)

    def priority(self, a, b, now):
        ran = self.ran(now)
        return a * float(now - self.submit - ran) - \
            b * float(max(self.asked - ran, 0))


def read(name, procs):
    jobs = []
    for line in open(name):
        field = line.split()
        if not field or field[0].startswith(';'):
            continue
        job = Job(field)
        if job.run >= 1 and 1 <= job.size <= procs:
            jobs.append(job)
    return sorted(jobs, key=lambda job: (job.submit, job.id))


def small(job):
    return (job.size, -job.submit, -job.id)


def choose(lower, need):
    """Those of LOWER, lowest priority first, that are preempted for NEED processors."""
    covered = []
    for job in lower:
        covered.append(job)
        if sum(other.size for other in covered) >= need:
            break
    else:
        return None
    last = covered.pop()
    if last.size >= need:
        return [last]
    covered.sort(key=small)
    for job in covered:
        if last.size + job.size >= need:
            return [job, last]
    total = last.size + sum(job.size for job in covered)
    for job in reversed(covered[:]):
        if total - job.size >= need:
            total -= job.size
            covered.remove(job)
    return covered + [last]


def simulate(jobs, procs, a, b, delta):
    arrivals, waiting, running = list(jobs), [], []
    free, now, wake = procs, 0, None
    while arrivals or waiting or running:
        times = [job.since + job.run - job.done for job in running]
        if arrivals:
            times.append(arrivals[0].submit)
        if wake is not None:
            times.append(wake)
        now = min(times)
        for job in [job for job in running
                    if job.since + job.run - job.done <= now]:
            running.remove(job)
            free += job.size
            job.end = now
        while arrivals and arrivals[0].submit <= now:
            waiting.append(arrivals.pop(0))

        def priority(job):
            return job.priority(a, b, now)

        preemptible = sorted(running, key=lambda job: (priority(job), -job.submit,
                                                       -job.id))
        for job in sorted(waiting, key=lambda job: (-priority(job), job.submit,
                                                    job.id)):
            if job.size > free:
                lower = [other for other in preemptible
                         if other in running and priority(other) < priority(job)]
                chosen = choose(lower, job.size - free)
                if chosen is None:
                    continue
                for other in chosen:
                    other.done += now - other.since
                    other.since = None
                    running.remove(other)
                    waiting.append(other)
                    free += other.size
            waiting.remove(job)
            running.append(job)
            free -= job.size
            job.since = now
            if job.start is None:
                job.start = now
        wake = now + delta if delta and waiting else None


def make(seed):
    random.seed(seed)
    now = 0
    for number in range(1, 301):
        now += random.choice((0, 0, 10, 60, random.randrange(200)))
        run = random.choice((1, 60, random.randrange(1, 900)))
        size = random.choice((1, 2, 4, 8, 9, 12, 16, random.randrange(1, 17)))
        limit = run * random.randrange(1, 4)
        print(number, now, -1, run, size, -1, -1, size, limit, -1, 1, 1, 1, 1, 1,
              1, -1, -1)


def main():
    if sys.argv[1] == 'make':
        make(int(sys.argv[2]))
        return
    procs, delta = int(sys.argv[1]), int(sys.argv[4])
    jobs = read(sys.argv[5], procs)
    simulate(jobs, procs, float(sys.argv[2]), float(sys.argv[3]), delta)
    for job in sorted(jobs, key=lambda job: job.id):
        print(job.id, job.start, job.end, sep=',')


main()
