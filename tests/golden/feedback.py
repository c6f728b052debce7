#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Independent reference for `lxfw simulate --feedback`: fcfs and easy on one pool of processors.

usage: feedback.py make SEED            print a random log for 16 processors
       feedback.py fcfs|easy PROCS LOG  print "job,submit,start,end" of each job
       feedback.py audit LOG JOBS.csv   check the submissions of another program's schedule

A job follows all jobs with the number of column 17: it is submitted when they have ended and its
think time (column 18) is over; without a think time, at its own time or when they have ended. It
has its own time if no job has that number, or if one of them was submitted later. Every plan is
made from the beginning. Limits are not below run times. Shares no code with lxfw.
"""
import random
import sys


class Job:
    def __init__(self, place, field):
        self.place, self.id, self.recorded = place, int(field[0]), int(field[1])
        self.run, self.size, self.limit = int(field[3]), int(field[4]), int(field[8])
        self.after, self.think = int(field[16]), int(field[17])
        self.submit = self.start = self.end = None
        self.follows = []


def read(name):
    jobs = []
    for line in open(name):
        field = line.split()
        if field and not field[0].startswith(';') and int(field[3]) > 0:
            jobs.append(Job(len(jobs), field))
    for job in jobs:
        found = [other for other in jobs if job.after > 0 and other.id == job.after]
        if all((other.recorded, other.place) < (job.recorded, job.place) for other in found):
            job.follows = found
    return jobs


def submission(job):
    """None: not known yet."""
    if not job.follows:
        return job.recorded
    if any(other.start is None for other in job.follows):
        return None
    end = max(other.end for other in job.follows)
    return end + job.think if job.think >= 0 else max(end, job.recorded)


def start(job, now):
    job.start, job.end = now, now + job.run


def free(jobs, procs, now):
    return procs - sum(job.size for job in jobs if job.start is not None and job.end > now)


def step(jobs, procs, now, backfills):
    waiting = sorted((job for job in jobs if job.start is None and job.submit is not None and
                      job.submit <= now), key=lambda job: (job.submit, job.place))
    while waiting and waiting[0].size <= free(jobs, procs, now):
        start(waiting.pop(0), now)
    if not waiting or not backfills:
        return
    head, room = waiting.pop(0), free(jobs, procs, now)
    running = sorted((job for job in jobs if job.start is not None and job.end > now),
                     key=lambda job: job.start + job.limit)
    for job in running:
        room += job.size
        shadow = job.start + job.limit
        if room >= head.size and all(other.start + other.limit != shadow for other in
                                     running[running.index(job) + 1:]):
            break
    spare = room - head.size
    for job in waiting:
        if job.size > free(jobs, procs, now):
            continue
        if now + job.limit > shadow:
            if job.size > spare:
                continue
            spare -= job.size
        start(job, now)


def simulate(jobs, procs, backfills):
    now = min(job.recorded for job in jobs)
    while now is not None:
        for job in jobs:
            if job.submit is None:
                job.submit = submission(job)
        step(jobs, procs, now, backfills)
        later = [job.submit for job in jobs if job.submit is not None] + \
                [submission(job) for job in jobs if submission(job) is not None] + \
                [job.end for job in jobs if job.end is not None]
        now = min((time for time in later if time > now), default=None)


def make(seed):
    r = random.Random(seed)
    time, made = 0, []
    for place in range(1, r.randint(40, 120)):
        time += r.choice([0, 0, 1, 5, 20, 60])
        run = r.randint(1, 90)
        # some jobs never started, or share their number with an earlier one
        number = made[-1] if made and r.random() < 0.1 else place
        after = think = -1
        kind = r.random()
        if kind < 0.6 and made:
            after, think = r.choice(made[-12:]), r.choice([-1, 0, 0, 1, 30, 200])
        elif kind < 0.65:
            after, think = r.choice([place, place + 1, 999]), 5
        made.append(number)
        print(number, time, -1, -1 if r.random() < 0.05 else run, r.randint(1, 16), -1, -1, -1,
              run + r.choice([0, 0, 10, 300]), -1, 1, 1, 1, 1, 1, 1, after, think)


def audit(jobs, rows):
    """Submissions follow the ends, whatever the policy; nothing starts before its submission."""
    for job, row in zip(jobs, rows, strict=True):
        number, submit, job.start, job.end = row
        assert number == job.id and job.start >= submit, row
        job.submit = submit
    for job in jobs:
        assert job.submit == submission(job), (job.id, job.submit, submission(job))
    print(sum(job.follows != [] and job.submit != job.recorded for job in jobs))


def main():
    if sys.argv[1] == 'make':
        make(int(sys.argv[2]))
        return
    if sys.argv[1] == 'audit':
        rows = [[int(field) for field in line.split(',')[:4]] for line in open(sys.argv[3])
                if line[0].isdigit()]
        audit(read(sys.argv[2]), rows)
        return
    jobs = read(sys.argv[3])
    simulate(jobs, int(sys.argv[2]), sys.argv[1] == 'easy')
    for job in jobs:
        print(job.id, job.submit, job.start, job.end, sep=',')


main()
