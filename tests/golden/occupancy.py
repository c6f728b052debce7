# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts by hand how full the partitions of a site were while jobs waited: every ten minutes, each
waiting job is tried on the nodes of its partition, with what the running jobs leave free there.
Prints the share of the wait in per cent during which the job did not fit.

  occupancy.py CLUSTER LOG   CLUSTER as `lxfw import --cluster-out` writes it, or procs=N; LOG of
                             sacct, with a header line or with the columns of XDMoD, or in the
                             Standard Workload Format; plain or gzip
"""
import bisect
import gzip
import re
import sys
from datetime import datetime

STEP = 600
XDMOD = ("JobID,JobIDRaw,Cluster,Partition,QOS,Account,Group,GID,User,UID,Submit,Eligible,Start,End,"
         "Elapsed,ExitCode,State,NNodes,NCPUS,ReqCPUS,ReqMem,ReqTRES,AllocTRES,Timelimit,NodeList,"
         "JobName").split(",")


def names_of(text):
    """The names of a list of hosts such as a[01-02,5],b."""
    names = []
    for item in re.findall(r"(?:[^,\[]|\[[^\]]*\])+", text):
        part = re.match(r"([^\[]*)\[([^\]]*)\](.*)$", item)
        if not part:
            names.append(item)
            continue
        for piece in part.group(2).split(","):
            first, _, last = piece.partition("-")
            for number in range(int(first), int(last or first) + 1):
                names.append("%s%0*d%s" % (part.group(1), len(first), number, part.group(3)))
    return names


def read_cluster(path):
    """Nodes as [processors, MB, GPUs] by name, and their names by partition."""
    nodes, partitions = {}, {}
    if path.startswith("procs="):
        return {"pool": [int(path[6:]), 0, 0]}, partitions
    for line in open(path):
        words = line.split("#")[0].split()
        values = dict(word.split("=", 1) for word in words if "=" in word)
        if not words:
            continue
        if "partition" in values:
            partitions[values["partition"]] = names_of(values["nodes"])
            continue
        for name in names_of(words[0]):
            nodes[name] = [int(values.get(key, 0)) for key in ("procs", "memory", "gpu")]
    return nodes, partitions


def seconds(text):
    return int((datetime.fromisoformat(text) - datetime(1970, 1, 1)).total_seconds())


def megabytes(text):
    number = re.match(r"([\d.]+)([KMGT]?)", text)
    if not number or float(number.group(1)) >= 2147483648:
        return 0
    return float(number.group(1)) * {"K": 1 / 1024, "": 1, "M": 1, "G": 1024, "T": 1048576}[number.group(2)]


def memory_of(row, procs, hosts):
    """MB on each host."""
    held = re.search(r"mem=([\d.]+[KMGT]?)", row.get("AllocTRES", ""))
    if held:
        return megabytes(held.group(1)) / hosts
    asked = row.get("ReqMem", "")
    return megabytes(asked) * (1 if asked.endswith("n") else procs if asked.endswith("c") else 1 / hosts)


def sacct_jobs(lines, counts_memory):
    names = XDMOD
    for line in lines:
        words = line.rstrip("\n").split("|")
        if words[0] == "JobID":
            names = words
            continue
        row = dict(zip(names, words))
        if "." in row["JobID"] or row["Start"] in ("Unknown", "None", "") or \
                row["End"] in ("Unknown", "None", ""):
            continue
        hosts = max(1, int(row["NNodes"]))
        procs = -(-int(row["NCPUS"]) // hosts)
        gpus = re.search(r"gres/gpu(?::\w+)?=(\d+)", row.get("AllocTRES", ""))
        free = row["Eligible"] if row["Eligible"] not in ("Unknown", "") else row["Submit"]
        yield {
            "submit": max(seconds(row["Submit"]), seconds(free)), "start": seconds(row["Start"]),
            "end": seconds(row["End"]), "part": row["Partition"],
            "on": names_of(row["NodeList"]), "hosts": hosts,
            "wants": (procs, memory_of(row, procs, hosts) if counts_memory else 0,
                      int(gpus.group(1)) / hosts if gpus else 0),
        }


def swf_jobs(lines):
    for line in lines:
        words = line.split()
        if line.startswith(";") or len(words) < 18 or int(words[2]) < 0 or int(words[3]) < 0:
            continue
        procs = int(words[4]) if int(words[4]) > 0 else int(words[7])
        submit, wait, run = (int(words[i]) for i in (1, 2, 3))
        yield {"submit": submit, "start": submit + wait, "end": submit + wait + run, "part": "",
               "on": ["pool"], "hosts": 1, "wants": (procs, 0, 0)}


def main():
    nodes, partitions = read_cluster(sys.argv[1])
    opened = gzip.open if sys.argv[2].endswith(".gz") else open
    lines = opened(sys.argv[2], "rt", errors="replace").readlines()
    counts_memory = any(node[1] > 0 for node in nodes.values())
    jobs = list(sacct_jobs(lines, counts_memory) if "|" in lines[0] else swf_jobs(lines))
    jobs = [job for job in jobs if job["end"] > job["start"]]
    changes = sorted([(job["start"], 1, job) for job in jobs] + [(job["end"], 0, job) for job in jobs],
                     key=lambda change: change[:2])
    by_submit = sorted(jobs, key=lambda job: job["submit"])
    submits = [job["submit"] for job in by_submit]
    free = {name: list(node) for name, node in nodes.items()}
    waiting, at, arrived, lacked, waited = [], 0, 0, 0, 0
    for now in range(min(submits), max(job["start"] for job in jobs) + 1, STEP):
        while at < len(changes) and changes[at][0] <= now:
            _, starts, job = changes[at]
            at += 1
            for name in job["on"]:
                for i in range(3) if name in free else ():
                    free[name][i] -= (1 if starts else -1) * job["wants"][i]
        until = bisect.bisect_right(submits, now)
        waiting = [job for job in waiting + by_submit[arrived:until] if job["start"] > now]
        arrived = until
        known = {}
        for job in waiting:
            kind = (job["part"], job["hosts"], job["wants"])
            if kind not in known:
                mine = partitions.get(job["part"], list(free))
                known[kind] = sum(all(have + 1e-6 >= want or want == 0 for have, want in
                                      zip(free[name], job["wants"])) for name in mine) < job["hosts"]
            lacked += known[kind]
            waited += 1
    print("%.1f" % (100 * lacked / waited if waited else 0))


main()
