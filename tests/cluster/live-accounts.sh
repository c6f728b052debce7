#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Limits of associations and of QOS in slurmdbd's database: a job above its limit waits
# and does not delay other jobs.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/accounts.sh
. "$(dirname "$0")/accounts.sh"
# shellcheck source=tests/cluster/quantum.sh
. "$(dirname "$0")/quantum.sh"
# shellcheck source=tests/cluster/shares.sh
. "$(dirname "$0")/shares.sh"

# A delayed job would wait for one of a minute or longer.
prompt=15

test_jobs_of_an_association()
{
	local first second other
	account one maxjobs=1
	first=$(submit -A one -n 1 -t 5 'sleep 300')
	expect_prompt "$first"
	second=$(submit -A one -n 1 -t 1 'sleep 0')
	other=$(submit -n 1 -t 5 'sleep 0')
	expect_prompt "$other"
	expect_pending "$second" Assoc
	scancel "$first"
	wait_state "$first" CANCELLED
	expect_after "$second" "$first"
}

test_processors_of_an_account()
{
	local first second small
	account narrow grptres=cpu=8
	first=$(submit -A narrow -n 6 -t 5 'sleep 300')
	expect_prompt "$first"
	second=$(submit -A narrow -n 4 -t 1 'sleep 0')
	small=$(submit -A narrow -n 2 -t 1 'sleep 0')
	expect_prompt "$small"
	expect_pending "$second" Assoc
	scancel "$first"
	wait_state "$first" CANCELLED
	expect_after "$second" "$first"
}

test_processors_of_a_qos()
{
	local first second other
	qos tiny grptres=cpu=8
	first=$(submit -q tiny -n 8 -t 5 'sleep 300')
	expect_prompt "$first"
	second=$(submit -q tiny -n 8 -t 1 'sleep 0')
	other=$(submit -n 32 -t 5 'sleep 0')
	expect_prompt "$other"
	expect_pending "$second" QOS
	scancel "$first"
	wait_state "$first" CANCELLED
	expect_after "$second" "$first"
}

# All processors of the node would count.
test_whole_nodes_above_a_limit()
{
	local whole shared other
	qos half maxtresperjob=cpu=8
	whole=$(submit -q half --exclusive -n 1 -t 1 'sleep 0')
	shared=$(submit -q half -n 8 -t 1 'sleep 0')
	expect_prompt "$shared"
	other=$(submit -n 64 -t 5 'sleep 0')
	expect_prompt "$other"
	expect_pending "$whole" QOSMaxCpuPerJobLimit
}

# A job of a QOS with Flags=NoReserve gets no reservation: one that ends after its earliest
# start overtakes it. When the flag is taken away, it does not.
test_no_reserve()
{
	local wide narrow later
	qos standby flags=NoReserve
	wait_state "$(submit -N 3 --exclusive -t 5 'sleep 1000')" RUNNING
	wide=$(submit -q standby -N 4 --exclusive -t 5 'sleep 0')
	expect_pending "$wide" Priority
	narrow=$(submit -N 1 --exclusive -t 60 'sleep 1000')
	expect_prompt "$narrow"
	scancel "$narrow"
	wait_state "$narrow" CANCELLED
	manage modify qos standby set flags-=NoReserve
	expect_pending "$wide" Resources
	later=$(submit -N 1 --exclusive -t 60 'sleep 0')
	expect_pending "$later" Priority
}

# The job can never run as requested. It waits, and other jobs start before it.
test_wall_time_of_a_qos()
{
	local over fits
	qos brief maxwall=2
	over=$(submit -q brief -n 1 -t 5 'sleep 0')
	fits=$(submit -q brief -n 1 -t 1 'sleep 0')
	expect_prompt "$fits"
	expect_pending "$over" QOS
}

# A job at its limit at the head of the queue of a full machine gets no reservation.
test_no_reservation_over_a_limit()
{
	local first whole next
	account one maxjobs=1
	rm -f "$run/work/go"
	first=$(submit -A one -n 1 -t 10 'until [ -e go ]; do sleep 0.3; done')
	expect_prompt "$first"
	whole=$(submit -A one -n 63 -t 1 'sleep 0')
	next=$(submit -n 48 -t 20 'sleep 1')
	expect_prompt "$next"
	expect_pending "$whole"
	touch "$run/work/go"
	wait_state "$first" COMPLETED 90
	expect_after "$whole" "$first"
}

# Print one line for each share that the job had, oldest first: state and processors.
segments()
{
	sacct -n -D -X -P -j "$1" -S now-1days -o start,state,alloccpus |
		sort | awk -F '[|]' '{ sub(/ by .*/, "", $2); print $2, $3 }' | xargs
}

has_segments()
{
	[ "$(segments "$1")" = "$2" ]
}

expect_segments()
{
	poll 30 has_segments "$1" "$2" || fail "job $1 in accounting: $(segments "$1")"
}

uses()
{
	scontrol show assoc_mgr flags=assoc 2>/dev/null | tr '\n' ' ' | sed 's/ClusterName=/\n&/g' |
		grep "Account=$1 UserName=$(id -un)" | grep -q "GrpTRES=cpu=20($2)"
}

# EQspatial: limits and accounting records follow the share of a job.
test_shares_of_an_account()
{
	local first second third
	lxfw_only
	account shared grptres=cpu=20
	set_params "$(live_params "$shares_policy")"
	first=$(adaptive -A shared -w n1 -c 16 --mem 100 -t 10 'sleep 1000')
	expect_procs "$first" 16
	second=$(submit -A shared -w n2 -n 8 --mem 100 -t 10 'sleep 1000')
	expect_pending "$second" Assoc
	third=$(adaptive -w n1 -c 16 --mem 100 -t 10 'sleep 1000')
	expect_procs "$first" 8
	expect_procs "$second" 8
	poll 10 uses shared 16 || fail "limits: $(scontrol show assoc_mgr flags=assoc | grep 'GrpTRES=cpu=20')"
	expect_segments "$first" 'RESIZING 16 RUNNING 8'
	scancel "$second" "$third"
	expect_procs "$first" 16
	scancel "$first"
	wait_empty
	expect_segments "$first" 'RESIZING 16 RESIZING 8 CANCELLED 16'
	poll 10 uses shared 0 || fail "limits: $(scontrol show assoc_mgr flags=assoc | grep 'GrpTRES=cpu=20')"
}

# Only jobs of the configured QOS are adaptive.
test_adaptive_by_qos()
{
	local first rigid other
	lxfw_only
	qos fair maxwall=60
	set_params "$(live_params "$shares_policy,lxfw_eq_qos=fair")"
	first=$(adaptive -q fair -w n1 -c 16 --mem 100 -t 10 'sleep 1000')
	expect_procs "$first" 16
	rigid=$(adaptive -q normal -w n1 -c 16 --mem 100 -t 10 'sleep 1000')
	expect_pending "$rigid" 'Resources|Priority'
	scancel "$rigid"
	other=$(adaptive -q fair -w n1 -c 16 --mem 100 -t 10 'sleep 1000')
	expect_procs "$other" 8
	expect_procs "$first" 8
}

# Print the end of each run of a job, oldest first.
runs_of()
{
	sacct -n -D -X -P -j "$1" -S now-1days -o start,state |
		sort | awk -F '[|]' '{ sub(/ by .*/, "", $2); print $2 }' | xargs
}

has_runs()
{
	[ "$(runs_of "$1")" = "$2" ]
}

# Immediate service: accounting has two runs of the served job and one of the preempted
# job, whose suspension is recorded. Jobs of an excluded QOS are not served.
test_quantum_in_accounts()
{
	local served declined victim record node_procs=16
	lxfw_only
	qos plain priority=1
	set_params "$(live_params "$quantum_policy,lxfw_quantum_not_qos=plain")"
	fill
	declined=$(submit -q plain -n 8 --mem 500 -t 10 'sleep 1')
	expect_not_served "$declined"
	scancel "$declined"
	served=$(submit -n 8 --mem 500 -t 10 "$until_seen")
	expect_served "$served"
	victim=$(suspended)
	poll 30 is_state "$served" PENDING || fail "not requeued after its quantum"
	expect_none_suspended
	scancel "$victim"
	may_end "$served"
	poll 30 has_runs "$served" 'PREEMPTED COMPLETED' || fail "job $served in accounting: $(runs_of "$served")"
	poll 30 has_runs "$victim" CANCELLED || fail "job $victim in accounting: $(runs_of "$victim")"
	record=$(sacct -n -X -P -j "$victim" -o start,end,elapsedraw,suspended)
	awk -F '[|:]' '{ stood = ($4 * 60 + $5) * 60 + $6; apart = $2 - $1 - $3 - stood
		exit !(stood > 0 && apart >= -1 && apart <= 1) }' <<<"$record" ||
		fail "start, end, run and suspension of job $victim: $record"
}

for program in slurmdbd mariadbd mariadb-install-db sacctmgr; do
	PATH=$PATH:/usr/sbin type -P $program >/dev/null || skip "$program is not installed"
done
has_license()
{
	scontrol show license "$1" 2>/dev/null | grep -q "Total=$2 "
}

is_expected_at()
{
	[ "$(squeue -h --start -j "$1" -o %S)" -eq "$2" ] 2>/dev/null
}

# A license of a server that several clusters share: half of its eight are for this one. A job
# that needs all of them is not overtaken, and has an expected start.
test_remote_licenses()
{
	local first large small
	manage add resource name=far server=flex servertype=flexlm type=license count=8 cluster=lxfw \
		percentallowed=50
	poll 60 has_license far@flex 4 || fail "no license: $(scontrol show license)"
	first=$(submit -n1 -L far@flex:3 -t 2 'sleep 600')
	wait_state "$first" RUNNING
	large=$(submit -n1 -L far@flex:4 -t 1 'sleep 1')
	small=$(submit -n1 -L far@flex:1 -t 10 'sleep 1')
	expect_pending "$large"
	poll 60 is_expected_at "$large" "$(ended "$first")" ||
		fail "$large is expected at $(squeue -h --start -j "$large" -o %S), not $(ended "$first")"
	expect_pending "$small"
	scancel "$first"
	wait_start "$large"
	wait_start "$small"
	[ "$(started "$small")" -ge "$(started "$large")" ] || fail "$small overtook $large"
	manage delete resource where name=far server=flex
}

live_main "$@" -- --accounting
