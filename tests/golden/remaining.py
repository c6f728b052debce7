#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Preemption by a * W - b * Trem on one pool of processors, from section 5.1 of
Balasubramanian, Sussman and Sadeh 2013.

usage: remaining.py PROCS MB A B DELTA LOG.swf [MIN-RUN [all]]
       remaining.py make SEED MB

Prints "job,start,end" of each job that fits, and the number of passes with a reservation to
standard error. With MB 0 memory is not counted. DELTA is in seconds, 0: no interval. A job
is not preempted in the first MIN-RUN seconds after its start or resumption (0). With all it
releases its memory, too. The second form prints a random log for 16 processors. Shares no code with lxfw.
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
        self.memory = max(int(field[9]), 0) * self.size // 1024
        self.done, self.since = 0, None
        self.start = self.end = None

    def ran(self, now):
        return self.done + (now - self.since if self.since is not None else 0)

    def priority(self, a, b, now):
        ran = self.ran(now)
        return a * float(now - self.submit - ran) - \
            b * float(max(self.asked - ran, 0))


def read(name, procs, memory):
    jobs = []
    for line in open(name):
        field = line.split()
        if not field or field[0].startswith(';'):
            continue
        job = Job(field)
        if memory == 0:
            job.memory = 0
        if job.run >= 1 and 1 <= job.size <= procs and job.memory <= memory:
            jobs.append(job)
    return sorted(jobs, key=lambda job: (job.submit, job.id))


def small(job):
    return (job.size, job.memory, -job.submit, -job.id)


class Machine:
    """One pool of processors and memory. A suspended job keeps its memory unless
    RELEASES_ALL. HOLD is the job
    with the reservation, which begins at START."""

    def __init__(self, procs, memory, releases_all):
        self.procs, self.memory = procs, memory
        self.releases_all = releases_all
        self.running, self.waiting = [], []
        self.now, self.hold, self.start = 0, None, None

    def free(self, time, out=(), keep=True):
        """Processors and memory at TIME. The jobs OUT have been preempted. Without KEEP the
        suspended jobs have no memory."""
        procs, memory = self.procs, self.memory
        for job in self.running:
            if job in out:
                memory -= 0 if self.releases_all else job.memory
            elif job.since + max(job.asked - job.done, 1) > time or time == self.now:
                procs -= job.size
                memory -= job.memory
        if keep and not self.releases_all:
            memory -= sum(job.memory for job in self.waiting if job.start is not None)
        return procs, memory

    def need(self, job):
        keeps = job.start is not None and not self.releases_all
        return job.size, 0 if keeps else job.memory

    def left(self, time, out=()):
        """What the reservation leaves at TIME, when it has begun."""
        procs, memory = self.free(time, out)
        need = self.need(self.hold)
        return procs - need[0], memory - need[1]

    def hinders(self, out=()):
        """Whether suspended jobs, with those of OUT, keep what the reservation needs."""
        return self.hold is not None and min(self.left(self.start, out)) < 0

    def fits(self, job, out=()):
        need = self.need(job)
        free = self.free(self.now, out)
        if need[0] > free[0] or need[1] > free[1]:
            return False
        if self.hold is None or self.now + job.asked <= self.start or \
                (job.start is not None and self.hinders(out)):
            return True
        free = self.left(max(self.now, self.start), out)
        return need[0] <= free[0] and need[1] <= free[1]

    def choose(self, lower, job):
        """Those of LOWER, lowest priority first, that are preempted for JOB."""
        out = []
        for other in lower:
            out.append(other)
            if self.hinders(out):
                out.pop()
            elif self.fits(job, out):
                break
        else:
            return None
        last = out.pop()
        if self.fits(job, [last]):
            return [last]
        out.sort(key=small)
        for other in out:
            if self.fits(job, [other, last]):
                return [other, last]
        for other in reversed(out[:]):
            rest = [one for one in out if one is not other]
            if self.fits(job, rest + [last]):
                out = rest
        return out + [last]

    def reserve(self, job):
        """If JOB would not fit even if all running jobs were preempted."""
        if self.hold is not None or self.fits(job, self.running):
            return
        need = self.need(job)
        for time in sorted([self.now] + [other.since + max(other.asked - other.done, 1)
                                         for other in self.running]):
            free = self.free(time, keep=False)
            if need[0] <= free[0] and need[1] <= free[1]:
                self.hold, self.start = job, time
                return


def consider(machine, job, lower):
    """Returns the jobs that are preempted for JOB, or None if it waits."""
    if machine.fits(job):
        return []
    chosen = machine.choose(lower, job)
    if chosen is None:
        machine.reserve(job)
    return chosen


def simulate(jobs, machine, a, b, delta, min_run):
    arrivals, wake, reserved = list(jobs), None, 0
    waiting, running = machine.waiting, machine.running
    while arrivals or waiting or running:
        times = [job.since + job.run - job.done for job in running]
        if arrivals:
            times.append(arrivals[0].submit)
        if wake is not None:
            times.append(wake)
        if machine.hold is not None and machine.start > machine.now:
            times.append(machine.start)
        machine.now = now = min(times)
        machine.hold = None
        for job in [job for job in running
                    if job.since + job.run - job.done <= now]:
            running.remove(job)
            job.end = now
        while arrivals and arrivals[0].submit <= now:
            waiting.append(arrivals.pop(0))

        def priority(job):
            return job.priority(a, b, now)

        again, young = [], [job for job in running if now - job.since < min_run]
        preemptible = sorted(running, key=lambda job: (priority(job), -job.submit,
                                                       -job.id))
        for job in sorted(waiting, key=lambda job: (-priority(job), job.submit,
                                                    job.id)):
            lower = [other for other in preemptible
                     if other in running and other not in young and
                     priority(other) < priority(job)]
            chosen = consider(machine, job, lower)
            if chosen is None:
                # It may preempt one that is too young now.
                if young and priority(job) > min(map(priority, young)):
                    again.append(min(other.since for other in young) + min_run)
                continue
            for other in chosen:
                # So may a job that is preempted now.
                if young and priority(other) > min(map(priority, young)):
                    again.append(min(other.since for other in young) + min_run)
                other.done += now - other.since
                other.since = None
                running.remove(other)
                waiting.append(other)
            waiting.remove(job)
            running.append(job)
            job.since = now
            if job.start is None:
                job.start = now
        wake = min(again + [now + delta] if delta and waiting else again, default=None)
        reserved += machine.hold is not None
    return reserved


def make(seed, memory):
    random.seed(seed)
    now = 0
    for number in range(1, 301):
        now += random.choice((0, 0, 10, 60, random.randrange(200)))
        run = random.choice((1, 60, random.randrange(1, 900)))
        size = random.choice((1, 2, 4, 8, 9, 12, 16, random.randrange(1, 17)))
        limit = run * random.randrange(1, 4)
        each = -1
        if memory:
            each = 1024 * (random.choice((0, random.randrange(memory))) // size)
        print(number, now, -1, run, size, -1, each, size, limit, each, 1, 1, 1, 1, 1,
              1, -1, -1)


def main():
    if sys.argv[1] == 'make':
        make(int(sys.argv[2]), int(sys.argv[3]))
        return
    procs, memory, delta = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[5])
    jobs = read(sys.argv[6], procs, memory)
    min_run = int(sys.argv[7]) if len(sys.argv) > 7 else 0
    machine = Machine(procs, memory, 'all' in sys.argv[8:])
    reserved = simulate(jobs, machine, float(sys.argv[3]), float(sys.argv[4]), delta,
                        min_run)
    for job in sorted(jobs, key=lambda job: job.id):
        print(job.id, job.start, job.end, sep=',')
    print(reserved, file=sys.stderr)


main()
