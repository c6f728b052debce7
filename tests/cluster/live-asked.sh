#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Jobs that might be submitted, with options that say where and when they may start: what `lxfw predict
# --request` expects beside `sbatch --test-only`, which takes limits as run times.

LXFW_SCHEDULER=backfill
export LXFW_SCHEDULER
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/user.sh
. "$(dirname "$0")/user.sh"

# slurms OPTION...: set `slurms` to the seconds until the start that Slurm states, or "refused"
slurms()
{
	local text
	text=$(cd / && sbatch --test-only "$@" --wrap 'sleep 1' 2>&1)
	slurms=$(sed -n 's/.* to start at \([0-9]*\) .*/\1/p' <<<"$text")
	if [ -n "$slurms" ]; then
		slurms=$((slurms - $(date +%s)))
	elif [[ $text = *error* || $text = *failure* || $text = *fatal* ]]; then
		slurms=refused
	else
		fail "sbatch --test-only $*: $text"
	fi
}

# ours OPTION...: set `ours` likewise
ours()
{
	local status=0
	as_nobody predict --json --request "$*" >"$run/work/out" 2>"$run/work/messages" || status=$?
	case $status in
	0)	ours=$(awk '/"time":/ { now = $2 } /"expected_start":/ { print $2 - now; exit }' "$run/work/out")
		[ -n "$ours" ] || fail "$*: $(cat "$run/work/out")" ;;
	2)	ours=refused ;;
	*)	fail "predict --request '$*': status $status: $(cat "$run/work/messages")" ;;
	esac
}

# same OPTION...: both refuse it, or start it at once, or after the same jobs
same()
{
	slurms "$@"
	ours "$@"
	if [ "$slurms" = refused ] || [ "$ours" = refused ]; then
		[ "$slurms" = "$ours" ] || fail "$*: Slurm $slurms, ours $ours: $(cat "$run/work/messages")"
	elif ((slurms < 30)); then
		((ours < 60)) || fail "$*: Slurm starts it in $slurms s, and it is expected in $ours s"
	else
		((ours >= 30 && ours <= slurms + 120)) ||
			fail "$*: Slurm starts it in $slurms s, and it is expected in $ours s"
	fi
	echo "$*: $slurms, $ours"
}

test_asked()
{
	local job
	job=$(submit -p p -w n1 -N1 -n4 -t 30 'sleep 3600') || exit 1
	wait_state "$job" RUNNING
	same -t10 -n1
	same -t10 -n12
	same -t10 -n13
	same -t10 -n17
	same -t10 -w n1 -n1
	same -t10 -w n2 -n4
	same -t10 -w 'n[1-2]' -n8
	same -t10 -w 'n[2-3]' -n7
	same -t10 -w n9 -n1
	same -t10 -w n1 -x n1 -n1
	same -t10 -x n1 -n12
	same -t10 -x n4 -n12
	same -t10 -x 'n[1-4]' -n1
	same -t10 -x n9 -n1
	same -t10 -N2 -n7
	same -t10 -N3 -n11
	same -t10 -N4 -n13
	same -t10 -N2 -n9
	same -t10 -N4 -n2
	same -t10 -n1 --begin=now+1hour
	same -t10 -n1 --begin=2020-01-01
	same -t10 -n1 --begin="$(date -d '+2 hours' +%FT%T)"
	same -t10 -n1 --begin=yesterday
	same -t10 -n1 --mem 1G --mem-per-cpu 1G
	# MaxCPUsPerNode=2
	same -t10 -p m -n6
	same -t10 -p m -n8
	same -t10 -p m -n9
	same -t10 -p m -n1 -c3
	same -t10 -p m -N2 -n6
	same -t10 -p m -N2 -n3
	# MinNodes=2. Slurm 26.05 refuses one task there, which ours expects.
	[ "$("$cluster" release)" = 26.05 ] || same -t10 -p two -n1
	same -t10 -p two -n8
	same -t10 -p two -n5 -x n1
	same -t10 -p two -N1 -n1
}

# Those whose start depends on a job start after it.
test_after()
{
	local first second
	first=$(submit -p p -w n1 -N1 -n4 -t 30 'sleep 3600') || exit 1
	wait_state "$first" RUNNING
	ours -t10 -n1 -d "afterany:$first"
	((ours >= 30 && ours <= 1860)) || fail "after a job that runs: in $ours s"
	second=$(submit -p p -w n1 -N1 -n4 -t 10 'sleep 3600') || exit 1
	ours -t10 -n1 -d "afterok:$second"
	((ours >= 60 && ours <= 2460)) || fail "after one that waits: in $ours s"
	ours -t10 -n1 -d "after:$first+20"
	((ours >= 1080 && ours <= 1260)) || fail "after its start: in $ours s"
	ours -t10 -n1 -d afterok:999999
	[ "$ours" = refused ] || fail "a job that is not known: in $ours s"
}

# A job that names a node, and has others beside it: sbatch --test-only refuses it, and Slurm starts it.
test_beside()
{
	local first job
	first=$(submit -p p -w n2 -N1 -n4 -t 30 'sleep 3600') || exit 1
	wait_state "$first" RUNNING
	ours -t10 -w n1 -N3 -n12
	((ours < 60)) || fail "beside a node that is in use: in $ours s"
	ours -t10 -w n2 -N3 -n12
	((ours >= 30 && ours <= 1860)) || fail "with a node that is in use: in $ours s"
	ours -t10 -w n1 -N4 -n16
	((ours >= 30 && ours <= 1860)) || fail "with all nodes: in $ours s"
	ours -t10 -w n1 -N5 -n5
	[ "$ours" = refused ] || fail "more nodes than there are: in $ours s"
	job=$(submit -p p -t10 -w n1 -N3 -n12 'sleep 60') || exit 1
	wait_state "$job" RUNNING
}

# The components of a heterogeneous job start together, on nodes of their own.
test_components()
{
	local first het start
	first=$(submit -p p -w 'n[1-2]' -N2 -n8 -t 20 'sleep 3600') || exit 1
	wait_state "$first" RUNNING
	het=$(cd / && sbatch --parsable -o /dev/null -t 10 -p p -N3 -n12 : -t 10 -p p -N1 -n4 --wrap 'sleep 1') || exit 1
	as_nobody predict --json "$het+0" "$het+1" >"$run/work/out" 2>"$run/work/messages" ||
		fail "predict: $(cat "$run/work/messages")"
	start=$(awk '/"time":/ { now = $2 } /"expected_start":/ { print $2 - now }' "$run/work/out")
	[[ $start =~ ^([0-9]+)$'\n'([0-9]+)$ ]] && [ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ] &&
		((BASH_REMATCH[1] >= 30 && BASH_REMATCH[1] <= 1260)) ||
		fail "components start in $start s: $(cat "$run/work/out")"
	as_nobody queue >"$run/work/out" 2>"$run/work/messages" || fail "queue: $(cat "$run/work/messages")"
	grep -q " $het+0 .*[0-9]:[0-9]" "$run/work/out" && grep -q " $het+1 .*[0-9]:[0-9]" "$run/work/out" ||
		fail "queue: $(cat "$run/work/out")"
	as_nobody why "$het+1" >"$run/work/out" 2>&1 || fail "why: $(cat "$run/work/out")"
	grep -q "^Job $het+1 has waited" "$run/work/out" || fail "why: $(cat "$run/work/out")"
	scancel "$first"
	poll 90 has_started "$het+0" || fail "the job does not start: $(squeue)"
}

has_started()
{
	! squeue -h -t PD -o %i | grep -qx "$1"
}

live_main "$@" -- --nodes 4 --cpus 4 \
	--partition 'p Nodes=n[1-4] Default=YES' --partition 'm Nodes=n[1-4] MaxCPUsPerNode=2' \
	--partition 'two Nodes=n[1-4] MinNodes=2'
