# SPDX-License-Identifier: GPL-2.0-or-later
"""Generates a site with several kinds of nodes and checks its schedules, without lxfw's code.

site.py make SEED DIR: write DIR/slurm.conf and DIR/sacct. No job of the log waited, so
that only the simulation determines the schedule.

site.py judge SEED JOURNAL: read the output of `lxfw journal` for a simulation of these
jobs. Every job must have been allocated what it requested, within its partition, and no
node may ever have more processors, memory or GPUs allocated than it has.
"""
import random
import sys

BEGIN = 1735689600      # 2025-01-01T00:00:00
KINDS = ["gpu", "gpu:a100", "gpu:v100"]     # in the order of slurm.conf

NODES = {}              # name: processors, MB, [gpu, a100, v100]
for i in range(1, 9):
    NODES["n%d" % i] = (16, 64000, [0, 0, 0])
for i in range(1, 3):
    NODES["b%d" % i] = (16, 512000, [0, 0, 0])
for i in range(1, 4):
    NODES["g%d" % i] = (32, 256000, [4, 4, 0])
NODES["v1"] = (24, 128000, [3, 1, 2])

CONF = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
NodeName=n[1-8] CPUs=16 RealMemory=64000
NodeName=b[1-2] CPUs=16 RealMemory=512000
NodeName=g[1-3] CPUs=32 RealMemory=256000 Gres=gpu:a100:4(S:0,1)
NodeName=v1 CPUs=24 RealMemory=128000 Gres=gpu:v100:2,gpu:a100:1
PartitionName=DEFAULT MaxTime=1-0 State=UP
PartitionName=cpu Nodes=n[1-8],b[1-2] Default=YES MaxNodes=6
PartitionName=big Nodes=b[1-2],g3 PriorityTier=5
PartitionName=gpu Nodes=g[1-3],v1 DefaultTime=2:00:00 MaxTime=12:00:00
PartitionName=whole Nodes=n[7-8],g3 OverSubscribe=EXCLUSIVE
"""

PARTITIONS = {
    "cpu": ["n%d" % i for i in range(1, 9)] + ["b1", "b2"],
    "big": ["b1", "b2", "g3"],
    "gpu": ["g1", "g2", "g3", "v1"],
    "whole": ["n7", "n8", "g3"],
}


class Job:
    """A request: per node, or for the whole job if `spread`."""

    def __init__(self, number, rng):
        self.number = number
        self.partition = rng.choice(["cpu"] * 5 + ["gpu"] * 4 + ["big"] * 2 +
                                    ["whole"])
        self.nodes = 1
        self.spread = False
        self.gpus = [0, 0, 0]       # of the whole job
        if self.partition == "cpu":
            self.nodes = rng.choice([1, 1, 1, 2, 3, 4])
            self.procs = self.nodes * rng.choice([1, 2, 4, 8, 16])
            self.mb = self.nodes * rng.choice([500, 4000, 16000, 60000])
            self.spread = self.nodes > 1 and rng.random() < 0.3
        elif self.partition == "gpu":
            self.nodes = rng.choice([1, 1, 1, 2])
            self.procs = self.nodes * rng.choice([1, 4, 8, 20])
            self.mb = self.nodes * rng.choice([8000, 100000])
            kind = rng.choice([0, 1, 1, 2]) if self.nodes == 1 else 1
            each = rng.choice([1, 2] if kind == 2 else [1, 2, 4])
            if self.nodes == 2 or kind == 1:
                self.gpus = [each * self.nodes, each * self.nodes, 0]
            elif kind == 2:
                self.gpus = [each, 0, each]
            else:
                self.gpus = [each, 0, 0]
        elif self.partition == "big":
            self.procs = rng.choice([1, 4, 16])
            self.mb = rng.choice([100000, 200000, 256000])
        else:
            self.nodes = rng.choice([1, 2])
            self.procs = 16 * self.nodes
            self.mb = self.nodes * 1000
        self.submit = 0
        self.run = rng.choice([1, 30, 300, 3600, 7200])
        self.limit = self.run + rng.choice([60, 600, 3600])

    def tres(self, nodes):
        text = "billing=%d,cpu=%d,mem=%dM,node=%d" % (
            self.procs, self.procs, self.mb, nodes)
        for kind, count in zip(KINDS, self.gpus):
            if count:
                text += ",gres/%s=%d" % (kind, count)
        return text


def jobs_of(seed):
    rng = random.Random(seed)
    jobs = [Job(1000 + i, rng) for i in range(700)]
    when = 0
    for job in jobs:
        when += rng.choice([0, 0, 1, 60, 300, 600])
        job.submit = when
    return jobs


def date(second):
    day, rest = divmod(second, 86400)
    return "2025-01-%02dT%02d:%02d:%02d" % (
        day + 1, rest // 3600, rest // 60 % 60, rest % 60)


def span(seconds):
    return "%02d:%02d:%02d" % (seconds // 3600, seconds // 60 % 60, seconds % 60)


def make(seed, folder):
    with open(folder + "/slurm.conf", "w") as conf:
        conf.write(CONF)
    with open(folder + "/sacct", "w") as log:
        log.write("JobID|Submit|Eligible|Start|End|Elapsed|Timelimit|NCPUS|NNodes|"
                  "ReqMem|ReqTRES|AllocTRES|Partition|State|User|Group\n")
        for job in jobs_of(seed):
            log.write("|".join([
                str(job.number), date(job.submit), date(job.submit),
                date(job.submit), date(job.submit + job.run), span(job.run),
                span(job.limit), str(job.procs), str(job.nodes), "%dM" % job.mb,
                job.tres(1 if job.spread else job.nodes), job.tres(job.nodes),
                job.partition, "COMPLETED", "ann", "chem"]) + "\n")


def share_of(word):
    """n1:4:1000+2x0+2x1"""
    name, procs, rest = word.split(":")
    parts = rest.split("+")
    gpus = [0, 0, 0]
    for part in parts[1:]:
        count, kind = part.split("x")
        gpus[int(kind)] += int(count)
    return name, int(procs), int(parts[0]), gpus


class Judge:
    def __init__(self, jobs):
        self.jobs = jobs
        self.free = {name: [procs, mb, list(gpus)]
                     for name, (procs, mb, gpus) in NODES.items()}
        self.held = {}
        self.done = set()
        self.wrong = []

    def job(self, number):
        return self.jobs[number - self.jobs[0].number]

    def complain(self, number, what):
        self.wrong.append("job %d: %s" % (number, what))

    def start(self, number, shares):
        job = self.job(number)
        whole = job.partition == "whole"
        if number in self.held or number in self.done:
            self.complain(number, "started twice")
        for name, procs, mb, gpus in shares:
            free = self.free[name]
            if name not in PARTITIONS[job.partition]:
                self.complain(number, "on %s, not of %s" % (name, job.partition))
            if whole and any(name == other[0] for held in self.held.values()
                             for other in held):
                self.complain(number, "not alone on " + name)
            for held_by, held in self.held.items():
                if self.job(held_by).partition == "whole" and any(
                        name == other[0] for other in held):
                    self.complain(number, "beside job %d, which has %s for itself"
                                  % (held_by, name))
            free[0] -= procs
            free[1] -= mb
            free[2] = [a - b for a, b in zip(free[2], gpus)]
            if free[0] < 0 or free[1] < 0 or min(free[2]) < 0:
                self.complain(number, "%s is left with %s" % (name, free))
        procs = sum(share[1] for share in shares)
        mb = sum(share[2] for share in shares)
        gpus = [sum(share[3][kind] for share in shares) for kind in range(3)]
        if procs < job.procs or (procs > job.procs and not whole):
            self.complain(number, "%d processors of %d" % (procs, job.procs))
        # for a job that specifies less than 1 MB per processor, fractions are dropped
        if mb > job.mb + job.procs or mb < job.mb - job.procs * job.spread:
            self.complain(number, "%d MB of %d" % (mb, job.mb))
        if gpus != job.gpus:
            self.complain(number, "GPUs %s of %s" % (gpus, job.gpus))
        if not job.spread and len(shares) != job.nodes:
            self.complain(number, "%d nodes of %d" % (len(shares), job.nodes))
        if not job.spread and len({tuple(s[1:3]) for s in shares}) != 1 and not whole:
            self.complain(number, "uneven: %s" % shares)
        self.held[number] = shares

    def end(self, number):
        for name, procs, mb, gpus in self.held.pop(number):
            free = self.free[name]
            free[0] += procs
            free[1] += mb
            free[2] = [a + b for a, b in zip(free[2], gpus)]
        self.done.add(number)


def judge(seed, path):
    judge = Judge(jobs_of(seed))
    waited = 0
    with open(path) as journal:
        for line in journal:
            word = line.split()
            if word[1:3] == ["event", "end"]:
                judge.end(int(word[3]))
            elif word[1:3] == ["action", "start"]:
                judge.start(int(word[3]), [share_of(w) for w in word[4:]])
                waited += (int(word[0]) - judge.jobs[0].submit >
                           judge.job(int(word[3])).submit)
    if len(judge.done) + len(judge.held) != len(judge.jobs):
        judge.wrong.append("%d jobs of %d ran" % (
            len(judge.done) + len(judge.held), len(judge.jobs)))
    # a site without waiting jobs does not test anything
    if waited < len(judge.jobs) // 4:
        judge.wrong.append("only %d jobs waited" % waited)
    for text in judge.wrong[:10]:
        print(text)
    return 1 if judge.wrong else 0


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(int(sys.argv[2]), sys.argv[3])
    else:
        sys.exit(judge(int(sys.argv[2]), sys.argv[3]))
