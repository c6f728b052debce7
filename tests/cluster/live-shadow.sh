#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shadow mode: Slurm's own scheduler starts the jobs, and the plugin only records what it
# would do.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

# shellcheck source=tests/cluster/quantum.sh
. "$(dirname "$0")/quantum.sh"

# Once under each name of the plugin: sched/lxfw, and sched/backfill before Slurm's own.
if [ $# = 0 ]; then
	beside "named sched/lxfw" "$0" under_lxfw watches reasons back planned suspended refused invalid
	beside "named sched/backfill" env LXFW_STOCK_NAME=1 "$0" under_backfill watches back
	besides
	exit
fi
case $1 in under_*) shift ;; esac

trial=

# shadow POLICY...: Slurm schedules as without the plugin, and a new journal is written
shadow()
{
	lxfw_only
	trial=$run/trial.$RANDOM
	set_params "bf_interval=1,sched_interval=2,lxfw_shadow=on,lxfw_metrics=$run/lxfw.prom,lxfw_journal=$trial,$1"
}

# True if Slurm's own sched_backfill.so is loaded.
stock_is_loaded()
{
	grep 'sched_backfill\.so' "/proc/$(cat "$run/pid/slurmctld.started")/maps" |
		grep -qvF -e "$(cd "$build" && pwd)" -e "$run/stock/"
}

stock_is_not_loaded()
{
	! stock_is_loaded
}

has_event()
{
	"$build/lxfw" journal --job "$2" "$trial" 2>/dev/null | grep -q " $1 "
}

test_watches()
{
	local first wide narrow array job
	shadow lxfw_policy=lxfw
	poll 60 stock_is_loaded || fail "Slurm's scheduler is not loaded"
	expect_logged "shadow mode: Slurm's sched/backfill starts jobs"
	first=$(submit -w n1 -n 8 -t 1 'sleep 8')
	wait_start "$first"
	wide=$(submit -N 2 -n 16 -t 1 'sleep 2')
	narrow=$(submit -n 2 -t 1 'sleep 2')
	array=$(submit --array=1-3 -n 1 -t 1 'sleep 1')
	wait_start "$narrow"
	poll 60 has_start "$wide" || fail "Slurm's expected start is not shown"
	wait_done "$first" "$wide" "$narrow"
	wait_empty
	for job in "$first" "$wide" "$narrow"; do
		has_event 'event submit' "$job" || fail "no submission of job $job in the journal"
		has_event 'event run' "$job" || fail "no start of job $job in the journal"
	done
	has_event 'event run' "${array}_2" || has_event 'event run' "$array" ||
		fail "no task in the journal"
	has_event 'action reserve' "$wide" || fail "no decision about job $wide"
	expect_nothing_done
	poll 60 grep -qx 'lxfw_shadow 1' "$run/lxfw.prom" || fail "not in the metrics"
	"$build/lxfw" status "$run/lxfw.prom" | head -n 1 | grep -q '^SHADOW ' ||
		fail "not in lxfw status"
	"$build/lxfw" replay "$trial" >"$run/log/replay" 2>&1 || fail "$(cat "$run/log/replay")"
	"$build/lxfw" compare "$trial" >"$run/log/compare" 2>&1 || fail "$(cat "$run/log/compare")"
	grep -q 'policy site' "$run/log/compare" && grep -q 'lxfw_policy=lxfw' "$run/log/compare" ||
		fail "not compared with Slurm's order: $(cat "$run/log/compare")"
}

has_start()
{
	[ "$(SLURM_TIME_FORMAT=%s squeue -h -j "$1" --start -o %S)" != N/A ]
}

# Each decision to start a job is followed by its refusal: Slurm started the jobs.
expect_nothing_done()
{
	"$build/lxfw" journal "$trial" | awk '
		$2 == "action" && $3 == "start" { open[$4]++; starts++ }
		$2 == "event" && $3 == "refused" { delete open[$4] }
		$2 == "action" && $3 ~ /suspend|requeue|resize/ { bad = bad " " $0 }
		END {
			for (job in open)
				bad = bad " " job
			if (bad)
				print "carried out:" bad
			exit bad != ""
		}' >"$run/log/done" || fail "$(cat "$run/log/done")"
}

# The reasons of waiting jobs are those of Slurm's schedulers. They do not look at the licenses of
# a job behind another one that waits for nodes.
test_reasons()
{
	local holder first job
	shadow lxfw_policy=lxfw
	poll 60 stock_is_loaded || fail "Slurm's scheduler is not loaded"
	holder=$(submit -w n1 -n 8 -L lic:1 -t 5 'sleep 300')
	wait_start "$holder"
	first=$(submit -N 2 -n 16 -t 2 'sleep 300')
	expect_pending "$first" Resources
	job=$(submit -w n1 -n 1 -L lic:1 -t 1 true)
	poll 60 has_event 'event submit' "$first" || fail "the plugin has not seen job $first"
	# Two passes of the plugin.
	poll 60 eval '(($(trial_decisions) > '"$(trial_decisions) + 2"'))' || fail "no passes"
	expect_pending "$job" Priority
	scancel "$holder" "$first"
	wait_done "$job"
}

trial_decisions()
{
	"$build/lxfw" replay "$trial" 2>/dev/null | awk '{ print $1 + 0 }'
}

# The mode ends and begins with a reconfiguration.
test_back()
{
	local job
	shadow lxfw_policy=easy
	poll 60 stock_is_loaded || fail "Slurm's scheduler is not loaded"
	wait_done "$(submit -n 1 -t 1 true)"
	set_params "$(live_params "lxfw_policy=lxfw,lxfw_metrics=$run/lxfw.prom")"
	poll 60 stock_is_not_loaded || fail "Slurm's scheduler stays loaded"
	wait_done "$(submit -n 1 -t 1 true)"
	poll 60 grep -qx 'lxfw_shadow 0' "$run/lxfw.prom" || fail "still in the metrics"
	shadow lxfw_policy=lxfw
	poll 60 stock_is_loaded || fail "Slurm's scheduler is not loaded again"
	wait_done "$(submit -n 1 -t 1 true)"
	# A restart in this mode, while a job waits and one runs.
	job=$(submit -n 8 -w n1 -t 1 'sleep 6')
	wait_start "$job"
	job=$(submit -n 8 -w n1 -t 1 true)
	"$cluster" stop-ctld "$run" || fail "the controller does not end"
	"$cluster" start-ctld "$run" || fail "the controller does not start"
	"$cluster" wait-up "$run" || fail "the nodes are not up"
	wait_done "$job"
	stock_is_loaded || fail "Slurm's scheduler is not loaded after a restart"
}

has_plan()
{
	sinfo -h -N -o %T | grep -q planned
}

has_no_plan()
{
	! has_plan
}

# Slurm's scheduler has planned a job for an idle node when the mode ends.
test_planned()
{
	local holder first
	shadow lxfw_policy=lxfw
	holder=$(submit -w n1 -n 8 -t 5 'sleep 300')
	wait_start "$holder"
	first=$(submit -N 2 -n 16 -t 2 'sleep 300')
	poll 60 has_plan || fail "no node is planned for job $first"
	set_params "$(live_params lxfw_policy=lxfw)"
	poll 60 has_no_plan || fail "nodes stay planned: $(sinfo -h -N -o '%N %T' | xargs)"
	scancel "$holder" "$first"
}

# A job that the plugin had suspended resumes in this mode.
test_suspended()
{
	local victim
	lxfw_only
	set_params "$(live_params "${quantum_policy/lxfw_quantum=$quantum/lxfw_quantum=300}")"
	victim=$(ticker -w n1 -n 8 --mem 2000 3000)
	wait_min_run "$victim"
	submit -w n1 -n 8 --mem 2000 -t 60 'sleep 10' >/dev/null
	poll 60 is_state "$victim" SUSPENDED || fail "no job is suspended"
	shadow lxfw_policy=lxfw
	poll 90 is_state "$victim" RUNNING || fail "job $victim stays suspended"
	# No quantum begins in this mode.
	wait_min_run "$victim"
	submit -w n1 -n 8 --mem 2000 -t 1 true >/dev/null
	expect_no_suspension "$victim"
}

# The plugin has decided about the pending job, and the running one is not suspended.
expect_no_suspension()
{
	poll 60 decided_for_another "$1" || fail "no decision"
	is_state "$1" RUNNING || fail "job $1 is $(state "$1")"
	! "$build/lxfw" journal "$trial" | grep -q ' action suspend ' || fail "a suspension"
}

decided_for_another()
{
	"$build/lxfw" journal "$trial" | grep -q ' action reserve '
}

# Decisions of a policy that preempts mean nothing if they are not carried out.
test_refused()
{
	lxfw_only
	set_params "$(live_params "lxfw_policy=pfcfs1,lxfw_shadow=on")"
	expect_logged 'lxfw_shadow=on: policy pfcfs1 interrupts jobs.*parameters stay as they were'
	wait_done "$(submit -n 1 -t 1 true)"
	stock_is_not_loaded || fail "Slurm's scheduler is loaded"
}

# Parameters that are invalid when the plugin is used for the first time do not let it schedule.
test_invalid()
{
	local line
	lxfw_only
	for line in lxfw_shadow=on,lxfw_policy=pfcfs1 lxfw_shadow=on,lxfw_ww=x lxfw_shadow=yes; do
		"$cluster" stop-ctld "$run" || fail "the controller does not end"
		rm -f "$run/state/lxfw_parameters"
		"$cluster" conf "$run" --params "$line"
		"$cluster" start-ctld "$run" || fail "the controller does not start"
		"$cluster" wait-up "$run" || fail "the nodes are not up"
		poll 60 stock_is_loaded || fail "$line: Slurm's scheduler is not loaded"
		wait_done "$(submit -n 1 -t 1 true)"
	done
	set_params "$params"
}

live_main "$@" -- --nodes 2 --cpus 8 --memory 16000 --conf Licenses=lic:1
