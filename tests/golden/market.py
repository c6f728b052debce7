#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Independent reference for the broker `market` of lxfw grid.

usage: market.py SITES SPEEDS OVERHEAD MACHINE UTILITY SEVERAL LIMITS LOG JOBS.csv

compares the schedule of another program with that of the bucket algorithm of Yahyapour 2002,
written for clarity, not for speed. SITES is 128,64, SPEEDS and OVERHEAD are in per mille,
MACHINE and UTILITY are Python expressions or names of the thesis, LIMITS is
OFFERS,COMBINATIONS,STARTS. Jobs are submitted at the sites in turn and ask all others; no job
exceeds its requested time.
"""
import csv
import sys

NEVER = 1 << 62
MACHINES = {
    'MF1': '(A+over+under+left_right)*(1-rel)', 'MF2': 'A+over+under+left_right',
    'MF3': '(A+over+under)*(1-rel)', 'MF4': '(A+left_right)*(1-rel)',
    'MF5': '(A+over+left_right)*(1-rel)', 'MF6': '(A+under+left_right)*(1-rel)',
}
UTILITIES = {
    'UF1': '-S', 'UF2': '-C', 'UF3': '-(S+C)', 'UF4': '-(S+2*C)', 'UF5': '-(2*S+C)',
}


def seconds(run, speed, overhead=0):
    return -(-run * (1000 + overhead) // speed)


class Site:
    def __init__(self, procs, speed):
        self.procs, self.speed = procs, speed
        self.uses = [[] for _ in range(procs)]     # (start, end, job)

    def gaps(self, proc, now):
        """Free intervals of a processor after NOW."""
        free, found = now, []
        for start, end, _ in sorted(self.uses[proc]):
            if end <= now:
                continue
            if start > free:
                found.append((free, start))
            free = max(free, end)
        return found + [(free, NEVER)]

    def last(self, now):
        return max([end for row in self.uses for _, end, _ in row] + [now])

    def idle(self, proc, start, end):
        """Seconds from START to END in which the processor is free."""
        return end - start - sum(max(0, min(e, end) - max(s, start))
                                 for s, e, _ in self.uses[proc])


def combinations(sizes, wanted):
    """All ways to take WANTED from buckets of these sizes, most from the first ones first."""
    if not sizes:
        if wanted == 0:
            yield []
        return
    for taken in range(min(sizes[0], wanted), -1, -1):
        if sum(sizes[1:]) >= wanted - taken:
            for rest in combinations(sizes[1:], wanted - taken):
                yield [taken] + rest


class Market:
    def __init__(self, sites, machine, utility, several, overhead, limits):
        self.sites, self.several, self.overhead = sites, several, overhead
        self.machine = compile(MACHINES.get(machine, machine), 'machine', 'eval')
        self.utility = compile(UTILITIES.get(utility, utility), 'utility', 'eval')
        self.enough, self.most, self.starts = limits

    def price(self, site, chosen, start, run, now):
        """CHOSEN: processor and its gap."""
        end = start + run
        last = max(site.last(now), end)
        used = {proc for proc, _ in chosen}
        work = float(len(chosen) * run)
        left_right = float(sum(site.idle(proc, start, end) for proc in range(site.procs)
                               if proc not in used))
        values = dict(
            A=work, rel=left_right / work, left_right=left_right,
            under=float(sum(start - gap[0] for _, gap in chosen)),
            over=float(sum(min(gap[1], last) - end for _, gap in chosen)))
        return eval(self.machine, {}, values)

    def value(self, start, cost):
        return eval(self.utility, {}, dict(S=float(start), C=cost))

    def offers(self, site, procs, run, earliest, latest, now):
        """Best first: (utility, price, start, processors)."""
        gaps = sorted((gap, proc) for proc in range(site.procs)
                      for gap in site.gaps(proc, now))
        clip = [(max(b, earliest), min(e, latest)) for (b, e), _ in gaps]
        times = sorted({t for b, e in clip if b < e for t in (b, e)})
        found, known = [], set()

        def add(chosen):
            first = max(max(gap[0], earliest) for _, gap in chosen)
            end = min(min(gap[1], latest) for _, gap in chosen)
            key = (first, end, tuple(proc for proc, _ in chosen))
            if key in known:
                return
            known.add(key)
            last = (site.last(now) if end == NEVER else end) - run
            slack = max(0, last - first)
            tries = []
            for i in range(self.starts):
                if i > 0 and slack < i:
                    break
                steps = max(self.starts - 1, 1)
                start = first + slack // steps * i + slack % steps * i // steps
                cost = self.price(site, chosen, start, run, now)
                tries.append((-self.value(start, cost), cost, start))
            best = min(tries)
            found.append((best, len(found), [proc for proc, _ in chosen]))

        for time in times:
            buckets = {}
            for (b, e), (gap, proc) in zip(clip, gaps):
                if b + run <= time <= e:
                    buckets.setdefault(gap, []).append(proc)
            if sum(map(len, buckets.values())) < procs:
                continue
            order = sorted(buckets)
            for gap in order:
                if len(buckets[gap]) >= procs:
                    add([(proc, gap) for proc in buckets[gap][:procs]])
                    buckets[gap] = buckets[gap][:procs - 1]
            for number, taken in enumerate(combinations([len(buckets[gap]) for gap in order],
                                                        procs)):
                if number == self.most:
                    break
                add([(proc, gap) for gap, count in zip(order, taken)
                     for proc in buckets[gap][:count]])
            if len(found) >= self.enough:
                break
        return [(-u, price, start, chosen)
                for (u, price, start), _, chosen in sorted(found)]

    def reached(self, home):
        return [home] + [i for i in range(len(self.sites)) if i != home]

    def together(self, job, now):
        """The best offer of several sites: (utility, hops, price, start, parts)."""
        best, tried = None, 0
        reached = self.reached(job['home'])
        runs = {i: seconds(job['limit'], self.sites[i].speed, self.overhead) for i in reached}
        gaps = {i: [(max(b, now), e) for proc in range(self.sites[i].procs)
                    for b, e in self.sites[i].gaps(proc, now)
                    if max(b, now) + runs[i] <= e] for i in reached}
        times = {b for i in reached for b, _ in gaps[i]}
        times |= {e - runs[i] + 1 for i in reached for _, e in gaps[i] if e < NEVER}
        for start in sorted(times):
            if tried == self.enough:
                break
            room = {i: sum(b <= start and start + runs[i] <= e for b, e in gaps[i])
                    for i in reached}
            left, parts = job['procs'], []
            if sum(room.values()) < left:
                continue
            for i in sorted(reached, key=lambda i: (-room[i], reached.index(i))):
                if left > 0:
                    parts.append((i, min(left, room[i])))
                    left -= parts[-1][1]
            if len(parts) < 2:
                continue
            tried += 1
            cost, places = 0.0, []
            for i, procs in parts:
                site = self.sites[i]
                keep, self.utility = self.utility, compile('0', '', 'eval')
                _, price, _, chosen = self.offers(site, procs, runs[i], start,
                                                  start + runs[i], now)[0]
                self.utility = keep
                cost += price
                places.append((i, chosen, runs[i]))
            hops = max(int(i != job['home']) for i, _ in parts)
            offer = (-self.value(start, cost), hops, cost, start, places)
            if best is None or offer[:4] < best[:4]:
                best = offer
        return best

    def submit(self, job):
        now, best = job['submit'], None
        for i in self.reached(job['home']):
            site = self.sites[i]
            if site.procs < job['procs']:
                continue
            run = seconds(job['limit'], site.speed)
            u, price, start, chosen = self.offers(site, job['procs'], run, now, NEVER, now)[0]
            offer = (-u, int(i != job['home']), price, start, [(i, chosen, run)])
            if best is None or offer[:4] < best[:4]:
                best = offer
        if job['procs'] > 1 and len(self.sites) > 1 and \
           (self.several == 'always' or
            self.several == 'wide' and job['procs'] > self.sites[job['home']].procs):
            offer = self.together(job, now)
            if offer and (best is None or offer[:4] < best[:4]):
                best = offer
        job['start'], places = best[3], best[4]
        job['parts'] = [(i, len(chosen)) for i, chosen, _ in places]
        extra = self.overhead if len(places) > 1 else 0
        for i, chosen, run in places:
            end = job['start'] + seconds(job['run'], self.sites[i].speed, extra)
            for proc in chosen:
                self.sites[i].uses[proc].append((job['start'], job['start'] + run,
                                                 job['number']))
            job['ends'].append((end, i, chosen))

    def forget(self, jobs, now):
        """Jobs that have ended leave the timetables."""
        for job in jobs:
            for part in [part for part in job['ends'] if part[0] <= now]:
                job['ends'].remove(part)
                for proc in part[2]:
                    self.sites[part[1]].uses[proc] = [
                        use for use in self.sites[part[1]].uses[proc]
                        if use[2] != job['number']]


def read_log(path, sites):
    jobs = []
    for line in open(path):
        f = [int(word) for word in line.split()]
        jobs.append(dict(number=f[0], submit=f[1], run=f[3], procs=f[7], limit=max(f[8], 1),
                         home=len(jobs) % sites, ends=[]))
    return jobs


def main():
    sites, speeds, overhead, machine, utility, several, limits, log, table = sys.argv[1:]
    sites = [Site(int(n), int(s)) for n, s in zip(sites.split(','), speeds.split(','))]
    jobs = read_log(log, len(sites))
    market = Market(sites, machine, utility, several, int(overhead),
                    [int(n) for n in limits.split(',')])
    rows = {int(row['job_id']): row for row in csv.DictReader(open(table))}
    for job in jobs:
        market.forget(jobs, job['submit'])
        market.submit(job)
        row = rows[job['number']]
        parts = []
        for part in row['sites'].split('+'):
            name, procs = part.split(':')
            parts.append((int(name[1:]) - 1, int(procs)))
        assert (int(row['start']), sorted(parts)) == (job['start'], sorted(job['parts'])), \
            ('job', job, 'is', row)
    print('# market', machine, utility, len(jobs), 'starts,',
          sum(len(job['parts']) > 1 for job in jobs), 'at several sites,',
          sum(job['parts'][0][0] != job['home'] for job in jobs), 'elsewhere')


main()
