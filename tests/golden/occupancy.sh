#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw compare: the share of the wait for which jobs found no room agrees with a count by hand
# (occupancy.py) on real logs with partitions, on two of one machine, and on a made one.
# The real logs are read from ../shared beside the tree; absent ones are left out.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99
samples=${LXFW_ACCOUNTING_SAMPLES:-$top_srcdir/../shared/accounting-samples}
traces=${LXFW_TRACES:-$top_srcdir/../shared/traces}

# agrees NAME CLUSTER LOG: the share by lxfw differs by at most 5 points. Time in which a later job
# passed, or that ended with another job of the user, is stated as such, with or without room.
agrees()
{
	python3 "$golden/occupancy.py" "$2" "$3" > "$work/hand" || exit 99
	"$lxfw" compare --json --infer none --shake 0 --start-overhead 0 --policy easy \
		--cluster "$2" "$3" > "$work/json" 2> "$work/told" || fail "$1: $(cat "$work/told")"
	python3 - "$work" > "$work/out" <<'END' || fail "$1: $(cat "$work/out")"
import json, sys
parts = json.load(open(sys.argv[1] + "/json"))["wait_parts"]
hand = float(open(sys.argv[1] + "/hand").read())
mean = {key: part["measured_mean_s"] for key, part in parts.items()}
share = lambda *keys: 100 * sum(mean[key] for key in keys) / sum(mean.values())
found = share("full", "memory", "extras", "hosts", "away")
print("by hand %.1f %%, by lxfw %.1f %%" % (hand, found), mean)
sys.exit(not hand - share("passed", "chain") - 5 <= found <= hand + 5)
END
	echo "$1: $(cut -d'{' -f1 "$work/out")"
}

python3 "$golden/causes.py" 1 "$work" || exit 99
agrees made "$work/site.cluster" "$work/jobs.sacct"

for name in slurm-sacct-xdmod-phillips.log slurm-sacct-xdmod-pozidriv.log \
	    slurm-simtools-micro-cluster-slurm_acct.out; do
	[ -e "$samples/$name.gz" ] || continue
	"$lxfw" import --out "$work/swf" --cluster-out "$work/cluster" "$samples/$name.gz" 2> "$work/told" ||
		fail "$name: $(cat "$work/told")"
	agrees "$name" "$work/cluster" "$samples/$name.gz"
	# Few jobs of another partition are no reason to wait where these cannot run.
	[ $name != slurm-sacct-xdmod-pozidriv.log ] || grep -A1 '"choice"' "$work/json" |
		awk -F '[:,]' '/measured/ { if ($2 > 2500) exit 1 }' || fail "$name: $(grep -A1 '"choice"' "$work/json")"
done

# A month of each: the header states the machine.
for name in CTC-SP2-1996-3.1-cln SDSC-SP2-1998-4.2-cln; do
	[ -e "$traces/$name.swf.gz" ] || continue
	procs=$(zcat "$traces/$name.swf.gz" | sed -n 's/^; *MaxProcs: *//p')
	zcat "$traces/$name.swf.gz" | awk '/^;/ { if ($2 !~ /MaxJobs|MaxRecords/) print; next }
		$2 >= 86400*120 && $2 < 86400*151' > "$work/month.swf"
	agrees $name "procs=$procs" "$work/month.swf"
done
finish
