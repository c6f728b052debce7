#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Licenses of a slurm.conf in simulations: a log whose jobs had some of them.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99
cd "$work" || exit 1

# conf LICENSES: a cluster with room for all jobs
conf()
{
	cat > slurm.conf << END
ClusterName=c
SlurmctldHost=h
Licenses=$1
NodeName=n[1-4] CPUs=4 RealMemory=8000
PartitionName=p Nodes=ALL Default=YES
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
END
}

# line NUMBER SUBMIT MINUTES LIMIT LICENSES: a record of sacct, without a wait, on a node
line()
{
	printf '%d|p|2025-01-01T00:%02d:00|2025-01-01T00:%02d:00|2025-01-01T00:%02d:00|00:%02d:00|1|cpu=1,%snode=1|COMPLETED|1\n' \
		"$1" "$2" "$2" $(($2 + $3)) "$4" "$5"
}

# starts OPTIONS...: print the start of each job, in seconds
starts()
{
	"$lxfw" simulate --cluster slurm.conf --jobs-out jobs.csv --journal journal "$@" \
		> out 2> told || fail "simulate $*: $(cat told)"
	awk -F, 'NR > 1 { printf "%s%s:%s", (NR > 2 ? " " : ""), $1, $3 }' jobs.csv
}

# Job 1 has three of four licenses. Job 2 needs all; job 3, with one, would delay it, and job 4
# would not. Job 5 needs more than there are, and job 6 a remote license.
{
	echo 'JobIDRaw|Partition|Submit|Start|End|Timelimit|AllocCPUS|AllocTRES|State|NNodes'
	line 1 0 10 10 license/lic=3,
	line 2 1 2 5 license/lic=4,
	line 3 2 1 20 license/lic=1,
	line 4 2 1 5 license/lic=1,license/other=1,
	line 5 2 1 5 license/lic=9,
	line 6 2 1 5 license/far@server=2,
	line 7 2 1 5 ''
} > log

conf lic:4,other
is=$(starts --policy easy log)
[ "$is" = '1:0 2:600 3:720 4:120 6:120 7:120' ] || fail "easy: $is"
grep -q '1 larger than the machine' told || fail "too many licenses: $(cat told)"
grep -q '1 too many GRES or licenses' told || fail "the reason: $(cat told)"
grep -q '1 jobs have licenses that are not simulated, such as far@server:' told ||
	fail "a remote license: $(cat told)"
"$lxfw" replay journal > replayed 2>&1 || fail "replay: $(cat replayed)"
awk -F, '$1 == 2 { print $9 }' jobs.csv | grep -qx n1 || fail "the hosts of job 2: $(cat jobs.csv)"

"$lxfw" why --at 300 2 journal > why || fail "why: $(cat why)"
grep -qx 'It requests 1 processor on 1 host, 4 of license lic for 5:00.' why &&
	grep -qx 'It waits for license lic: 3 of 4 are in use.' why &&
	grep -qx '  job 1, 3 of license lic, until 600' why || fail "why: $(cat why)"
"$lxfw" why --format json --at 300 2 journal > why || fail "why: $(cat why)"
tr -d ' \n' < why | grep -q '"pools":\[{"name":"licenselic","amount":4,"total":4,"used":3}\]' ||
	fail "why, JSON: $(cat why)"
"$lxfw" journal --job 2 journal > text || fail "journal: $(cat text)"
grep -q ' no-quantum 4 of license:lic limit 300 ' text || fail "journal: $(cat text)"

# A trace has the licenses, too.
"$lxfw" import log > log.swf 2> told || fail "import: $(cat told)"
is=$(starts --policy easy log.swf)
[ "$is" = '1:0 2:600 3:720 4:120 6:120 7:120' ] || fail "easy, trace: $is"

# Slurm without bf_licenses reserves none.
is=$(starts --policy slurm log)
case $is in
*' 3:120 '*) ;;
*) fail "slurm: $is" ;;
esac

# More licenses, or none, and counts in other forms.
conf 'lic:2;other,lic:3;bad:x,layered(n1):5,:3'
is=$(starts --policy easy log)
[ "$is" = '1:0 2:600 3:120 4:120 6:120 7:120' ] || fail "five licenses: $is"
conf 'lic=4'
is=$(starts --policy easy log)
[ "$is" = '1:0 2:600 3:720 4:120 6:120 7:120' ] || fail "an equals sign: $is"
conf '""'
is=$(starts --policy easy log)
[ "$is" = '1:0 2:60 3:120 4:120 5:120 6:120 7:120' ] || fail "none: $is"
# A policy that has no pools simulates none.
conf lic:4
is=$(starts --policy eqspatial log)
[ "$is" = '1:0 2:60 3:120 4:120 6:120 7:120' ] || fail "eqspatial: $is"
finish
