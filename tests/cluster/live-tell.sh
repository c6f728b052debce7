#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Forecasts in the admin comments of pending jobs (lxfw predict --tell): only text that the
# command wrote is replaced, the number of updates is bounded, and the controller does not
# suffer if it is gone.

# Slurm accepts heterogeneous jobs only under this name of the scheduler.
export LXFW_STOCK_NAME=1
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

forecast='^lxfw: expected start 20..-..-..T..:.., 50 % .* to .*, 90 % .* to .*, forecast of 20..-..-..T..:..$'

# comment JOB: print the admin comment of a job.
comment()
{
	scontrol show job "$1" | sed -n 's/^ *AdminComment=\(.*[^ ]\) *$/\1/p' | head -n 1
}

# tell OPTIONS...: write forecasts once.
tell()
{
	"$build/lxfw" predict --journal "$run/journal" --tell "$@" >"$run/log/tell" 2>&1 ||
		fail "--tell: exit status $?: $(cat "$run/log/tell")"
}

told()
{
	grep -q "$1" "$run/log/tell" || fail "'$1' expected: $(cat "$run/log/tell")"
}

# Fill the cluster, and let jobs wait.
fill()
{
	wait_start "$(submit -N 2 --exclusive -t 10 'sleep 600')"
}

waits_in_journal()
{
	"$build/lxfw" predict --journal "$run/journal" --format csv 2>/dev/null |
		grep -c ',expected_start,' | grep -qx "$1"
}

test_tell()
{
	local ours foreign array het before
	lxfw_only
	fill
	ours=$(submit -N 2 --exclusive -t 5 true)
	foreign=$(submit -n 1 -t 5 true)
	array=$(submit -N 2 --exclusive -t 5 --array=3-6 true)
	scontrol update "jobid=$foreign" admincomment='ask Ann before you move it' || fail "scontrol"
	poll 60 waits_in_journal 6 || fail "the journal lacks jobs"
	tell
	[[ $(comment "$ours") =~ $forecast ]] || fail "comment '$(comment "$ours")'"
	[ "$(comment "$foreign")" = 'ask Ann before you move it' ] || fail "$(comment "$foreign")"
	[[ $(comment "$array") =~ $forecast ]] || fail "array: '$(comment "$array")'"
	[ "$(squeue -h -t PD -o %i | grep -c "^${array}_")" = 1 ] || fail "the array was split: $(squeue -h)"
	told '2 comments written, 0 left .*; 1 jobs have comments of others'
	# Passes after the first round may have changed a forecast. Then nothing changes.
	poll 60 tells_nothing "$ours" || fail "comments are written again: $(cat "$run/log/tell")"
	[ "$(comment "$ours")" = "$before" ] || fail "rewritten: $(comment "$ours")"
	# The limit of the running job changes, and with it what is known of its end.
	scontrol update "jobid=$(squeue -h -t R -o %i)" timelimit=300 || fail "the limit does not change"
	poll 60 tells_other "$ours" "$before" || fail "still $(comment "$ours")"
	[ "$(comment "$foreign")" = 'ask Ann before you move it' ] || fail "$(comment "$foreign")"
	# A held job has no forecast.
	scontrol hold "$ours" || fail "hold"
	poll 60 tells_no_more "$ours" || fail "held: $(comment "$ours")"
}

# tells_no_more JOB: after another round, the job has no comment. Until the journal has the hold, its
# forecast may change.
tells_no_more()
{
	tell
	[ -z "$(comment "$1")" ]
}

# tells_nothing JOB: a round writes no comment. Sets $before to that of the job before it.
tells_nothing()
{
	before=$(comment "$1")
	tell
	grep -q ' 0 comments written' "$run/log/tell"
}

# tells_other JOB TEXT: after another round, the comment of the job is not TEXT.
tells_other()
{
	tell
	[ "$(comment "$1")" != "$2" ]
}

# At most two comments in a round, those of the first starts first.
test_bound()
{
	local jobs=() i
	lxfw_only
	fill
	for i in 1 2 3 4 5; do
		jobs+=("$(submit -N 2 --exclusive -t "$i" true)")
	done
	poll 60 waits_in_journal 5 || fail "the journal lacks jobs"
	tell --most 2
	told '5 forecasts: 2 comments written, 3 left for the next round'
	tell --most 2
	told '2 comments written, 1 left for the next round'
	tell "${jobs[4]}"
	told '1 forecasts: '
	for i in "${jobs[@]}"; do
		[[ $(comment "$i") =~ $forecast ]] || fail "job $i: '$(comment "$i")'"
	done
}

# Of a heterogeneous job, the first component has the forecast.
test_components()
{
	local job
	lxfw_only
	fill
	job=$(submit -n 1 -t 5 : -n 2 true)
	poll 60 waits_in_journal 2 || fail "the journal lacks the job"
	tell
	told '1 forecasts: 1 comments written'
	scontrol show job "$job+0" | grep -q 'AdminComment=lxfw: expected' || fail "component 0"
	! scontrol show job "$job+1" | grep -q 'AdminComment=lxfw' || fail "component 1"
}

# expected JOB OPTIONS...: print how many seconds after the state a job is expected to start.
expected()
{
	"$build/lxfw" predict --journal "$run/journal" --learn "$run/log.swf" --format csv \
		"${@:2}" "$1" 2>"$run/log/expected" | awk -F, '
			$3 == "time" { now = $4 }
			$3 == "expected_start" { print $4 - now }'
}

# According to the log, jobs of this user run nearly up to their limits, and others for a
# tenth, as the jobs of the journal do not run long either.
test_owners()
{
	local job i
	lxfw_only
	{
		echo "; User: 1 $(id -un)"
		echo '; User: 2 another'
		for ((i = 0; i < 160; i++)); do
			echo "$i $((1700000000 + i * 1000)) 0 $((i % 4 ? 120 : 1190)) 8 -1 -1 8 1200 -1 1 $((i % 4 ? 2 : 1)) 1 1 1 1 -1 -1"
		done
	} >"$run/log.swf"
	wait_start "$(submit -N 2 --exclusive -t 20 'sleep 600')"
	job=$(submit -N 2 --exclusive -t 20 true)
	poll 60 waits_in_journal 1 || fail "the journal lacks the job"
	i=$(expected "$job" --owners)
	((i > 600)) || fail "with the user: expected in '$i' s: $(cat "$run/log/expected")"
	i=$(expected "$job")
	((i > 0 && i < 600)) || fail "without the user: expected in '$i' s: $(cat "$run/log/expected")"
}

# Without a controller the command reports that, and changes nothing.
test_no_controller()
{
	local status=0
	lxfw_only
	fill
	submit -N 2 --exclusive -t 5 true >/dev/null
	poll 60 waits_in_journal 1 || fail "the journal lacks the job"
	"$cluster" stop-ctld "$run" || fail "slurmctld does not end"
	"$build/lxfw" predict --journal "$run/journal" --tell >"$run/log/tell" 2>&1 || status=$?
	"$cluster" start-ctld "$run" || fail "slurmctld does not start"
	[ "$status" = 2 ] || fail "exit status $status"
	told 'squeue: '
}

live_main "$@" -- --nodes 2 --cpus 4 --memory 4000 --conf DefMemPerCPU=100
