# SPDX-License-Identifier: GPL-2.0-or-later
"""
The orders SMART-FFIA, SMART-NFIW and PSRS and the schedules with them, from the text of
Yahyapour 2002, section 2.5, without a thought for speed. list.sh compares them with lxfw.

    yahyapour.py PROCS ORDER WEIGHT BACKFILL JOBS.CSV [submission]

reads the jobs (number, submit time, run time, processors, estimate) and their starts from
what `lxfw simulate --jobs-out` wrote, simulates the same jobs, and prints the number of
equal starts and of jobs. ORDER is submit, ffia, nfiw or psrs, WEIGHT equal or work,
BACKFILL none, easy, conservative, or any: every job that fits starts. With `submission` the
order is computed at each submission.
"""
import csv
import sys
from collections import namedtuple

Job = namedtuple("Job", "id submit run procs estimate")


# --- orders -----------------------------------------------------------------------


def weight_of(job, weight):
    return job.procs * job.estimate if weight == "work" else 1


def submitted(job):
    return (job.submit, job.id)


def bin_of(value, first=1):
    """The bin ]first * 2^(k-1), first * 2^k] that contains VALUE."""
    k = 0
    while value > first * 2**k:
        k += 1
    return k


def smart(jobs, procs, weight, key, any_shelf):
    bins = {}
    for job in jobs:
        bins.setdefault(bin_of(job.estimate), []).append(job)
    shelves = []
    for number in sorted(bins):
        here = []
        for job in sorted(bins[number], key=lambda job: (key(job), submitted(job))):
            for shelf in here if any_shelf else here[-1:]:
                if sum(other.procs for other in shelf) + job.procs <= procs:
                    shelf.append(job)
                    break
            else:
                here.append([job])
        shelves += here
    # sorted() keeps the order of equal shelves
    shelves = sorted(shelves, key=lambda shelf: -(
        sum(weight_of(job, weight) for job in shelf) /
        max(job.estimate for job in shelf)))
    return [job for shelf in shelves for job in shelf]


def ffia(jobs, procs, weight):
    return smart(jobs, procs, weight, lambda job: job.procs * job.estimate, True)


def nfiw(jobs, procs, weight):
    return smart(jobs, procs, weight, lambda job: job.procs / weight_of(job, weight), False)


class Preemptive:
    """The schedule of PSRS. `running` has a job's remaining time and its number."""

    def __init__(self, jobs, procs):
        self.jobs, self.procs = jobs, procs
        self.time, self.running = 0, []
        self.completed, self.preempted = {}, set()

    def free(self):
        return self.procs - sum(self.width(number) for _, number in self.running)

    def width(self, number):
        return min(self.jobs[number].procs, self.procs)

    def start(self, number):
        self.running.append((self.jobs[number].estimate, number))

    def pass_time(self, seconds):
        self.time += seconds
        self.running = [(rest - seconds, number) for rest, number in self.running]

    def until_an_end(self):
        return min(self.running)[0]

    def end_one(self):
        self.pass_time(self.until_an_end())
        rest, number = min(self.running)
        self.running.remove((rest, number))
        self.completed[number] = self.time

    def add_wide(self, number):
        patience = self.jobs[number].estimate
        while 2 * self.free() < self.procs:
            self.end_one()
        while self.free() < self.width(number):
            if self.until_an_end() > patience:
                self.pass_time(patience)
                self.time += self.jobs[number].estimate   # all others stand still
                self.completed[number] = self.time
                self.preempted.add(number)
                return
            patience -= self.until_an_end()
            self.end_one()
        self.start(number)

    def run(self):
        for number in range(len(self.jobs)):
            if 2 * self.width(number) > self.procs:
                self.add_wide(number)
                continue
            while self.free() < self.width(number):
                self.end_one()
            self.start(number)
        while self.running:
            self.end_one()


def psrs(jobs, procs, weight):
    # weight / (procs * estimate), the largest first
    jobs = sorted(jobs, key=lambda job: (
        -1 if weight == "work" else job.procs * job.estimate, submitted(job)))
    schedule = Preemptive(jobs, procs)
    schedule.run()
    bins = {}
    for number, job in enumerate(jobs):
        wide = number in schedule.preempted
        at = bin_of(schedule.completed[number], 1.5 if wide else 1)
        bins.setdefault((at, wide), []).append(job)
    return [job for at in sorted(bins) for job in bins[at]]


def submit(jobs, procs, weight):
    return sorted(jobs, key=submitted)


# --- schedules --------------------------------------------------------------------


class Machine:
    def __init__(self, procs):
        self.procs, self.now = procs, 0
        self.running = []       # (job, expected end)
        self.reserved = []      # [job, start], conservative backfill
        self.starts = {}

    def free(self):
        return self.procs - sum(job.procs for job, _ in self.running)

    def start(self, job):
        self.running.append((job, self.now + job.estimate))
        self.starts[job.id] = self.now

    def strict(self, queue):
        while queue and queue[0].procs <= self.free():
            self.start(queue.pop(0))

    def any(self, queue):
        for job in list(queue):
            if job.procs <= self.free():
                queue.remove(job)
                self.start(job)

    def easy(self, queue):
        self.strict(queue)
        if not queue:
            return
        free = self.free()
        for end in sorted(end for _, end in self.running):
            shadow = end
            free = self.procs - sum(job.procs for job, until in self.running
                                    if until > end)
            if free >= queue[0].procs:
                break
        extra = free - queue[0].procs
        for job in queue[1:]:
            if job.procs > self.free():
                continue
            if self.now + job.estimate > shadow:
                if job.procs > extra:
                    continue
                extra -= job.procs
            queue.remove(job)
            self.start(job)

    def earliest(self, job):
        """Beside the running jobs and all reservations but its own."""
        uses = [(self.now, end, other.procs) for other, end in self.running]
        uses += [(start, start + other.estimate, other.procs)
                 for other, start in self.reserved if other is not job]
        for time in sorted({self.now} | {end for _, end, _ in uses if end > self.now}):
            inside = [time] + [begin for begin, _, _ in uses
                               if time < begin < time + job.estimate]
            if all(sum(procs for begin, end, procs in uses if begin <= at < end) +
                   job.procs <= self.procs for at in inside):
                return time

    def conservative(self, queue):
        """Every job has a reservation, in the order of the queue, and it moves to an
        earlier start only. Those behind a change of the order are made again."""
        at = 0
        for job in list(queue):
            if at >= len(self.reserved) or self.reserved[at][0] is not job:
                del self.reserved[at:]
                self.reserved.append([job, None])
                start = self.earliest_new(job)
            else:
                start = self.earliest(job)
            if start <= self.now:
                del self.reserved[at]
                queue.remove(job)
                self.start(job)
            else:
                self.reserved[at][1] = start
                at += 1

    def earliest_new(self, job):
        self.reserved.pop()
        start = self.earliest(job)
        self.reserved.append([job, start])
        return start


PASSES = {"none": Machine.strict, "any": Machine.any, "easy": Machine.easy,
          "conservative": Machine.conservative}


def simulate(jobs, procs, order, weight, backfill, at_each):
    machine = Machine(procs)
    coming = sorted(jobs, key=submitted)
    listed, new = [], []
    while coming or machine.running or listed or new:
        times = [job.submit for job in coming[:1]]
        times += [machine.starts[job.id] + job.run for job, _ in machine.running]
        times += [start for _, start in machine.reserved if start > machine.now]
        machine.now = min(times)
        machine.running = [(job, end) for job, end in machine.running
                           if machine.starts[job.id] + job.run > machine.now]
        while coming and coming[0].submit <= machine.now:
            new.append(coming.pop(0))
        if (new and at_each) or 3 * len(new) > len(listed) + len(new):
            listed, new = order(listed + new, procs, weight), []
        queue = listed + new
        PASSES[backfill](machine, queue)
        waiting = set(queue)
        listed = [job for job in listed if job in waiting]
        new = [job for job in new if job in waiting]
    return machine.starts


def main():
    procs, order, weight, backfill, path = sys.argv[1:6]
    orders = {"submit": submit, "ffia": ffia, "nfiw": nfiw, "psrs": psrs}
    jobs, starts = [], {}
    with open(path) as lines:
        for row in csv.DictReader(lines):
            jobs.append(Job(int(row["job_id"]), int(row["submit"]), int(row["run"]),
                            int(row["procs"]), int(row["estimate"])))
            starts[jobs[-1].id] = int(row["start"])
    own = simulate(jobs, int(procs), orders[order], weight, backfill,
                   sys.argv[6:] == ["submission"])
    print(sum(own[job] == starts[job] for job in starts), len(jobs))


main()
