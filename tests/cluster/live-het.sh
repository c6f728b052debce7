#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Heterogeneous jobs: the nodes and processors of their components are those that they get
# from Slurm's own sched/backfill, under whose name the plugin is loaded (live-het.outcomes;
# Slurm is asked with LXFW_SLOW=1).

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

if [ -z "${LXFW_SCHEDULER-}" ]; then
	export LXFW_STOCK_NAME=1
	live_outcomes 1 "$@"
fi

# het OPTIONS... -- COMMAND: submit a job of several components and print its id.
het()
{
	local id command=${*: -1}
	id=$(sbatch --parsable -D "$run/work" -o /dev/null "${@:1:$#-2}" \
		--wrap "$command" 2>>"$run/log/sbatch") || fail "sbatch ${*}: $(tail -n 1 "$run/log/sbatch")"
	echo "${id%%;*}"
}

# each JOB FIELD: print the field of each component.
each()
{
	scontrol -o show job "$1" 2>/dev/null | awk -v name="$2=" '{
		for (i = 1; i <= NF; i++)
			if (index($i, name) == 1) {
				print substr($i, length(name) + 1)
				break
			}
		}'
}

# all_are JOB 'STATE ...'
all_are()
{
	local state
	for state in $(each "$1" JobState); do
		[[ " $2 " = *" $state "* ]] || return 1
	done
}

wait_all()
{
	poll "${3:-60}" all_are "$1" "$2" ||
		fail "the components of job $1 are $(each "$1" JobState | xargs) ($(each "$1" Reason | xargs)), not $2"
}

# As 1x2 for two processors on one node.
shapes_of()
{
	paste -d x <(each "$1" NumNodes | sed 's/-.*//') <(each "$1" NumCPUs) | xargs
}

# All components have started at the same time, each on nodes of its own. Their starts are one
# operation, which can last until the next second.
expect_together()
{
	local lists
	wait_all "$1" 'RUNNING COMPLETING COMPLETED' "${2:-60}"
	each "$1" StartTime | sort -n | awk 'NR == 1 { first = $1 } END { exit $1 - first > 1 }' ||
		fail "the components of job $1 started at $(each "$1" StartTime | xargs)"
	lists=$(for nodes in $(each "$1" NodeList); do scontrol show hostnames "$nodes"; done)
	[ "$(sort <<<"$lists" | uniq -d)" = "" ] ||
		fail "components of job $1 share nodes: $(each "$1" NodeList | xargs)"
}

test_shapes()
{
	local line job
	while read -r line; do
		# shellcheck disable=SC2086
		job=$(het $line -- 'sleep 0') || exit 1
		expect_together "$job"
		wait_all "$job" COMPLETED
		outcome "$line: $(shapes_of "$job")"
	done <<'END'
-t 1 -n 1 : -t 1 -n 2
-t 2 -N 2 -n 4 : -t 1 -n 1 --mem=1000
-t 1 -n 16 : -t 1 -N 2 --ntasks-per-node=4 : -t 1 -c 3
-t 1 -p p -n 1 : -t 1 -p q -n 2
-t 1 -p q -n 1 : -t 1 -p p,q -N 1 --exclusive
-t 1 -n 1 -C fast : -t 1 -n 2 -C slow
-t 1 --gres=gpu:1 -n 1 : -t 1 -n 1
-t 1 -n 1 : -t 1 --gres=gpu:2 -n 1 : -t 1 -n 16
-t 1 -w n4 -n 1 : -t 1 -x n1 -n 1
-t 1 -n 1 --mem-per-cpu=500 : -t 1 -N 2 -n 8 --mem=2000
END
}

test_srun()
{
	local lines
	lines=$(timeout 60 srun -t 1 -n 1 hostname : -t 1 -n 2 hostname 2>"$run/log/srun" | wc -l)
	[ "$lines" = 3 ] || fail "srun printed $lines lines: $(cat "$run/log/srun")"
	outcome "srun: $lines"
}

test_salloc()
{
	local lines
	lines=$(timeout 60 salloc -Q -t 1 -n 1 : -t 1 -N 2 -n 2 \
		srun --het-group=0,1 hostname 2>"$run/log/salloc" | wc -l)
	[ "$lines" = 3 ] || fail "salloc printed $lines lines: $(cat "$run/log/salloc")"
	outcome "salloc: $lines"
}

# Occupy all nodes. Print the job.
fill()
{
	local job
	job=$(submit -N 4 --exclusive -t 5 "sleep ${1-300}") || exit 1
	wait_state "$job" RUNNING
	echo "$job"
}

test_cancelled_while_pending()
{
	local job other blocker
	blocker=$(fill) || exit 1
	job=$(het -t 1 -n 1 : -t 1 -n 2 -- 'sleep 30') || exit 1
	wait_all "$job" PENDING
	scancel "$job" || fail "not cancelled"
	wait_all "$job" CANCELLED
	scancel "$blocker"
	other=$(het -t 1 -n 1 : -t 1 -n 2 -- 'sleep 300') || exit 1
	expect_together "$other"
	scancel "$other"
	wait_all "$other" CANCELLED
	outcome "cancelled: $(each "$job" JobState | xargs), $(each "$other" JobState | xargs)"
}

test_hold_and_release()
{
	local job other
	job=$(het -H -t 1 -n 1 : -t 1 -n 2 -- 'sleep 1') || exit 1
	other=$(submit -n 1 -t 1 'sleep 1')
	wait_done "$other"
	all_are "$job" PENDING || fail "a held job is $(each "$job" JobState | xargs)"
	scontrol release "$job" || fail "not released"
	expect_together "$job"
	wait_all "$job" COMPLETED
	outcome "held: $(shapes_of "$job")"
}

test_dependency()
{
	local first job last
	first=$(submit -n 1 -t 1 'sleep 2')
	job=$(het -d "afterok:$first" -t 1 -n 1 : -t 1 -n 2 -- 'sleep 1') || exit 1
	last=$(submit -d "afterok:$job" -n 1 -t 1 'sleep 1')
	expect_together "$job"
	is_state "$first" COMPLETED || fail "started before job $first ended"
	wait_done "$last"
	all_are "$job" COMPLETED || fail "job $last did not wait for job $job"
	outcome "dependency: $(shapes_of "$job")"
}

# Two nodes are free, and three are needed. Jobs that end early enough run on them, longer
# ones do not, and all components start when the third one is free.
test_waits_for_its_nodes()
{
	local blocker job short long
	rm -f "$run/work/go"
	blocker=$(submit -N 2 --exclusive -t 4 'until [ -e go ]; do sleep 0.3; done') || exit 1
	wait_state "$blocker" RUNNING
	job=$(het -t 2 -N 1 --exclusive : -t 2 -N 2 --exclusive -- 'sleep 2') || exit 1
	long=$(submit -N 2 --exclusive -t 30 'sleep 20') || exit 1
	lxfw_shows_start "$job"
	poll 60 has_reason "$long" 'Resources|Priority' || fail "job $long waits for $(reason "$long")"
	is_state "$long" PENDING || fail "the long job delays job $job"
	touch "$run/work/go"
	wait_done "$blocker"
	expect_together "$job"
	expect_order "$job" "$long"
	scancel "$long"
	outcome "waited: $(shapes_of "$job")"
}

has_start()
{
	[ "$(each "$1" StartTime | grep -c '^[0-9]')" -gt 1 ] &&
		[ "$(each "$1" StartTime | sort -u | wc -l)" = 1 ]
}

# All components are expected at the same time.
lxfw_shows_start()
{
	[ "$scheduler" = lxfw ] || return 0
	poll 60 has_start "$1" || fail "expected at $(each "$1" StartTime | xargs)"
}

# Narrow jobs keep coming. They are backfilled only where they do not delay the job. Under
# sched/backfill more than 100 of them can pass it.
test_is_not_starved()
{
	local blocker job count=0
	lxfw_only
	blocker=$(submit -N 1 --exclusive -t 1 'sleep 5') || exit 1
	wait_state "$blocker" RUNNING
	job=$(het -t 1 -N 2 --exclusive : -t 1 -N 2 --exclusive -- 'sleep 1') || exit 1
	until all_are "$job" 'RUNNING COMPLETING COMPLETED'; do
		((count++ < 100)) || fail "100 jobs have passed job $job: $(each "$job" Reason | xargs)"
		submit -N 1 --exclusive -t 10 'sleep 3' >/dev/null
		sleep 0.3
	done
	expect_together "$job"
	scancel -u "$(id -un)" --state=PENDING
}

test_requeued()
{
	local job
	job=$(het --requeue -t 2 -n 1 : -t 2 -n 2 -- 'sleep 300') || exit 1
	expect_together "$job"
	wait_all "$job" RUNNING
	scontrol requeue "$job" || fail "not requeued"
	poll 60 restarted "$job" || fail "restarts: $(each "$job" Restarts | xargs)"
	wait_all "$job" PENDING
	scancel "$job"
	outcome "requeued: $(each "$job" Restarts | xargs)"
}

restarted()
{
	! each "$1" Restarts | grep -q '^0$'
}

test_time_limits()
{
	local job
	job=$(het -t 3 -n 1 : -t 7 -n 2 -- 'sleep 1') || exit 1
	expect_together "$job"
	wait_all "$job" COMPLETED
	outcome "time limits: $(each "$job" TimeLimit | xargs)"
}

# A job that the model cannot represent in one component is passed to Slurm as a whole.
test_passed_to_slurm()
{
	local job
	job=$(het -t 1 -N 2 --contiguous : -t 1 -n 2 -- 'sleep 1') || exit 1
	expect_together "$job"
	wait_all "$job" COMPLETED
	outcome "contiguous: $(shapes_of "$job")"
}

# has_singletons: true if the components of one job do not wait for each other.
has_singletons()
{
	local version
	version=$(slurmctld -V | awk '{ print $2 }')
	[ "$(printf '%s\n' 23.02.6 "$version" | sort -V | head -n 1)" = 23.02.6 ]
}

last_waits_for_dependency()
{
	[ "$(each "$1" Reason | tail -n 1)" = Dependency ]
}

# Components of one name wait for each other, so the job never starts, before 23.02.6.
test_singleton()
{
	local first job named other
	first=$(submit -J single -n 1 -t 1 'sleep 2')
	job=$(het -J single -d singleton -t 1 -n 1 : -t 1 -n 2 -- 'sleep 1') || exit 1
	named=$(het -J other -d singleton -t 1 -n 1 : -J another -t 1 -n 2 -- 'sleep 1') || exit 1
	wait_done "$first"
	expect_together "$named"
	if has_singletons; then
		expect_together "$job"
		wait_all "$job" COMPLETED
		return
	fi
	other=$(submit -n 1 -t 1 'sleep 1')
	wait_done "$other"
	all_are "$job" PENDING || fail "the components are $(each "$job" JobState | xargs)"
	poll 60 last_waits_for_dependency "$job" || fail "waits for $(each "$job" Reason | xargs)"
}

# The controller is killed while the job waits.
test_controller_killed()
{
	local blocker job
	blocker=$(fill) || exit 1
	job=$(het -t 1 -n 1 : -t 1 -n 2 -- 'sleep 1') || exit 1
	wait_all "$job" PENDING
	have_saved "$job"
	"$cluster" kill9-ctld "$run"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start"
	scancel "$blocker"
	expect_together "$job"
	wait_all "$job" COMPLETED
	outcome "killed: $(shapes_of "$job")"
}

# A policy with a pass of its own leaves such jobs to Slurm.
test_other_policy()
{
	local job
	lxfw_only
	set_params "$(live_params lxfw_policy=eqspatial)"
	job=$(het -t 1 -n 1 : -t 1 -n 2 -- 'sleep 1') || exit 1
	expect_together "$job"
	wait_all "$job" COMPLETED
}

# The nodes of a component go away while the job waits.
test_drained()
{
	local job other
	scontrol update nodename=n4 state=drain reason=test
	job=$(het -t 1 -w n4 -n 1 : -t 1 -n 1 -- 'sleep 1') || exit 1
	other=$(submit -n 1 -t 1 'sleep 1')
	wait_done "$other"
	all_are "$job" PENDING || fail "started on a drained node: $(each "$job" JobState | xargs)"
	scontrol update nodename=n4 state=resume
	expect_together "$job"
	outcome "drained: $(shapes_of "$job")"
}

# Each component may have its licenses, but there are too few for all. No component is
# started and taken back. Slurm's own scheduler starts them all.
test_licenses()
{
	local job other
	lxfw_only
	job=$(het -L lic:3 -t 1 -n 1 : -L lic:2 -t 1 -n 1 -- 'sleep 1' 2>/dev/null) || {
		logged 'license request on non-leader job' || fail "the job is not accepted"
		echo "  (in this release, only the first component may request licenses)"
		exit 0
	}
	other=$(submit -n 1 -t 1 'sleep 1')
	wait_done "$other"
	all_are "$job" PENDING || fail "started with 4 licenses: $(each "$job" JobState | xargs)"
	[ "$(each "$job" Reason | xargs)" = "Resources Licenses" ] ||
		fail "the reasons are $(each "$job" Reason | xargs)"
	! logged "the start of JobId=$job is undone" || fail "job $job was started"
	scancel "$job"
	job=$(het -L lic:2 -t 1 -n 1 : -L lic:2 -t 1 -n 1 -- 'sleep 1') || exit 1
	expect_together "$job"
	wait_all "$job" COMPLETED
}

# Each component fits, but not all together.
test_never_fits()
{
	local job
	job=$(het -t 1 -N 3 : -t 1 -N 2 -- 'sleep 1') || exit 1
	poll 60 all_have_reason "$job" Resources ||
		fail "the reasons are $(each "$job" Reason | xargs)"
	outcome "never fits: $(each "$job" JobState | xargs), $(each "$job" Reason | xargs)"
	[ "$scheduler" != lxfw ] ||
		expect_logged "JobId=$job of user .* never fits on the current nodes"
	scancel "$job"
}

all_have_reason()
{
	local reason
	for reason in $(each "$1" Reason); do
		[ "$reason" = "$2" ] || return 1
	done
}

# restart_with FILE: restart the controller with this slurm.conf.
restart_with()
{
	"$cluster" stop-ctld "$run" || fail "slurmctld does not end"
	cp "$1" "$run/etc/slurm.conf"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start with $1"
	poll 120 nodes_up || fail "nodes do not come back"
}

# Where our plugin is installed as "make install" does it, check-conf corrects the slurm.conf of
# another scheduler to one with which such jobs run.
test_installation()
{
	local conf=$run/etc/slurm.conf work=$run/work dirs job
	lxfw_only
	dirs=$(sed -n 's/^PluginDir=//p' "$conf")
	mkdir -p "$run/plugins/lxfw"
	cp "${dirs%%:*}/sched_backfill.so" "$run/plugins/lxfw" || fail "no plugin in $dirs"
	cp "$conf" "$work/before.conf"
	sed "s,^PluginDir=.*,PluginDir=${dirs#*:},; s,^SchedulerType=.*,SchedulerType=sched/builtin," \
		"$conf" >"$work/other.conf"
	"$build/lxfw" check-conf --write "$work/corrected.conf" "$work/other.conf" >"$work/findings"
	grep -qx "PluginDir=$run/plugins/lxfw:${dirs#*:}" "$work/corrected.conf" ||
		fail "not proposed: $(cat "$work/findings")"
	restart_with "$work/corrected.conf"
	job=$(het -t 1 -n 1 : -t 1 -n 2 -- 'sleep 1') || exit 1
	expect_together "$job"
	wait_all "$job" COMPLETED
	[ "$(grep -c 'sched/lxfw: policy' "$run/log/slurmctld")" -ge 2 ] ||
		fail "another scheduler was started"
	restart_with "$work/before.conf"
}

# The same jobs are preempted, as few as necessary.
test_preempts()
{
	local a b c job
	start_anew --conf PreemptType=preempt/partition_prio --conf PreemptMode=REQUEUE
	scontrol update partition=q prioritytier=10 || fail "no update"
	a=$(submit --requeue -p p -w n1 --exclusive -t 5 'sleep 300') || exit 1
	b=$(submit --requeue -p p -w n3 --exclusive -t 5 'sleep 300') || exit 1
	c=$(submit --requeue -p q -w n4 --exclusive -t 5 'sleep 300') || exit 1
	wait_state "$a" RUNNING
	wait_state "$b" RUNNING
	wait_state "$c" RUNNING
	job=$(het -t 1 -p q -N 1 --exclusive : -t 1 -p q -N 1 --exclusive -- 'sleep 1') || exit 1
	poll 60 all_have_reason "$job" Resources || fail "waits for $(each "$job" Reason | xargs)"
	is_state "$b" RUNNING || fail "job $b is preempted although not all components fit"
	scancel "$job"
	wait_all "$job" CANCELLED
	job=$(het -t 1 -p q -N 1 --exclusive : -t 1 -p p -N 1 --exclusive -- 'sleep 2') || exit 1
	expect_together "$job"
	outcome "preempts: $(shapes_of "$job"); $(state "$a") $(state "$b") $(state "$c"), $(field "$a" Restarts) $(field "$b" Restarts) $(field "$c" Restarts)"
	wait_all "$job" COMPLETED
	scontrol update partition=q prioritytier=1
	start_anew --conf PreemptType=preempt/none --conf PreemptMode=OFF
}

live_main "$@" -- --node 'n1 Feature=fast' --node 'n2 Feature=slow' --node 'n3 Feature=fast' \
	--node 'n4 Feature=slow Gres=gpu:2' --conf GresTypes=gpu --conf Licenses=lic:4 \
	--gres 'NodeName=n4 Name=gpu File=/dev/null' --gres 'NodeName=n4 Name=gpu File=/dev/zero' \
	--partition 'p Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP' \
	--partition 'q Nodes=n[3-4] MaxTime=INFINITE State=UP'
