#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The node side of adaptive jobs, live: the environment of such a job, and how its
# processes follow a change of its share. The share is read from files of the test,
# which can be changed at any time, and from the controller.

# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/spank.sh
. "$(dirname "$0")/spank.sh"

two_cpus()
{
	[ "$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)" = 0-1 ] ||
		{ echo "  (only on a machine whose CPUs are 0 and 1)"; exit 0; }
}

test_option()
{
	local value
	plugstack
	for value in 0 -1 x 1.5 9000; do
		! sbatch "--adaptive=$value" -o /dev/null --wrap true >"$run/log/option" 2>&1 ||
			fail "sbatch accepts --adaptive=$value"
		grep -qF -- "--adaptive=$value: expected the minimum number of processors" "$run/log/option" ||
			fail "message of sbatch: $(cat "$run/log/option")"
	done
	for value in salloc srun; do
		! "$value" --adaptive=0 true >"$run/log/option" 2>&1 || fail "$value accepts --adaptive=0"
		grep -qF -- '--adaptive=0: expected' "$run/log/option" ||
			fail "message of $value: $(cat "$run/log/option")"
	done
}

# The environment of a job at its start. A job that is not adaptive, or that was
# submitted from an adaptive one, gets none of it.
test_environment()
{
	local job
	plugstack
	cat >"$run/work/see.sh" <<-'END'
		#!/bin/bash
		#SBATCH --adaptive=2
		echo "batch $LXFW_CPUS $(cat "$LXFW_COUNT_FILE") $(cut -d' ' -f1 "$LXFW_CPUS_FILE")"
		srun --overlap -n1 bash -c 'echo "step $LXFW_CPUS $LXFW_CPUS_FILE"'
		sbatch --parsable -o inner.%j --wrap 'env | grep -c ^LXFW_CPUS; true' >inner
	END
	job=$(cd "$run/work" && sbatch --parsable -n 3 --mem 100 -t 5 -o see.out see.sh) || fail "not submitted"
	wait_done "$job"
	grep -qx 'batch 3 3 3' "$run/work/see.out" || fail "output of the job: $(cat "$run/work/see.out")"
	grep -qx "step 3 $run/lxfw/n1.$job/cpus" "$run/work/see.out" || fail "output of the step: $(cat "$run/work/see.out")"
	wait_done "$(cat "$run/work/inner")"
	[ "$(cat "$run/work/inner.$(cat "$run/work/inner")")" = 0 ] || fail "the inner job is adaptive"
	job=$(submit -n 2 -t 5 -o rigid.out 'env | grep -c ^LXFW_CPUS; true')
	wait_done "$job"
	[ "$(cat "$run/work/rigid.out")" = 0 ] || fail "a rigid job has a processor count"
	job=$(submit -N 2 -n 2 -t 5 --adaptive -o wide.out 'env | grep -c ^LXFW_CPUS; true')
	wait_done "$job"
	[ "$(cat "$run/work/wide.out")" = 0 ] || fail "a job on two nodes has a processor count"
	# shellcheck disable=SC2016
	srun --adaptive -n1 -t 5 bash -c 'echo $LXFW_CPUS' >"$run/work/srun.out"
	[ "$(cat "$run/work/srun.out")" = 1 ] || fail "output of srun's step: $(cat "$run/work/srun.out")"
	# shellcheck disable=SC2016
	salloc -Q --adaptive -n2 -t 5 srun -n1 bash -c 'echo $LXFW_CPUS' >"$run/work/salloc.out" 2>"$run/log/salloc"
	[ "$(cat "$run/work/salloc.out")" = 2 ] || fail "output of salloc's step: $(cat "$run/work/salloc.out" "$run/log/salloc")"
	expect_nothing_left
}

# Threads, a child in a new session whose parent has ended, and a step follow the share
# when it shrinks and when it grows. A share larger than the machine does no harm.
test_follows()
{
	local job
	two_cpus
	plugstack "share_from=$run/shares"
	job=$(submit --adaptive -w n1 -n 8 -t 5 "(setsid $build/tests/cluster/malleable idle 3 &)
		srun --overlap -n1 $build/tests/cluster/malleable idle 2 &
		$build/tests/cluster/malleable idle 4; wait")
	wait_start "$job"
	# bash, srun, and three programs with one thread more than their argument
	poll 60 has_threads "$job" 14 || fail "the job has $(threads_of "$job") threads"
	expect_count_and_cpus "$job" '8 0-1'
	expect_cpus "$job" 0-1
	share "$job" '1 0'
	expect_count_and_cpus "$job" '1 0'
	expect_cpus "$job" 0
	share "$job" '1 3'
	expect_count_and_cpus "$job" '1 1'
	expect_cpus "$job" 1
	share "$job" '6 0-5'
	expect_count_and_cpus "$job" '6 0-1'
	expect_cpus "$job" 0-1
	# Invalid content or a missing file changes nothing.
	share "$job" 'seven'
	poll 60 logged_on_node "their shares are unknown" || fail "the invalid content is not logged"
	share "$job" '1 1'
	expect_cpus "$job" 1
	rm "$run/shares/$job"
	# A new step starts with the controller's current value, which is 8 here.
	[ "$(srun --jobid "$job" --overlap -n1 echo step)" = step ] || fail "no step in the job"
	expect_count_and_cpus "$job" '8 0-1'
	expect_cpus "$job" 0-1
	share "$job" '1 1'
	expect_count_and_cpus "$job" '1 1'
	expect_cpus "$job" 1
	scancel "$job"
	wait_state "$job" CANCELLED
	poll 60 is_gone "$job" || fail "the job's folder is left"
	expect_nothing_left
}

# The share comes from the controller. When the controller is not available, the job
# continues, ends, and is removed from the node.
test_controller()
{
	local job over held
	plugstack
	job=$(submit --adaptive -w n1 -n 2 -t 5 "while [ ! -e go ]; do sleep 0.2; done; $build/tests/cluster/malleable pretend 2 10; echo over >over")
	over=$(submit --adaptive -w n1 -n 1 -t 5 "sleep 300")
	wait_start "$job"
	wait_start "$over"
	held=$(submit -H -n 1 -t 5 true)
	poll 60 test -e "$run/lxfw/n1.$job/leader" || fail "no step queries the controller"
	have_saved "$held"
	"$cluster" kill9-ctld "$run"
	# The controller does not respond for a while.
	poll 60 logged_on_node "their shares are unknown" ||
		fail "the controller's absence is not logged"
	has_count_and_cpus "$job" "2 $(cpus_of "$job")" || fail "job $job has '$(told "$job")'"
	touch "$run/work/go"
	poll 60 test -e "$run/work/over" || fail "the job does not continue"
	poll 60 is_gone "$job" || fail "the job's folder is left while the controller is down"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start"
	wait_done "$job"
	is_state "$over" RUNNING || fail "job $over is $(state "$over")"
	scancel "$over" "$held"
	wait_state "$over" CANCELLED
	poll 60 no_steps || fail "slurmstepd left over"
	expect_nothing_left
}

# Shares as the scheduler decides them: two jobs share a node, and one ends.
test_eqspatial()
{
	local first second
	lxfw_only
	plugstack
	set_params "$(live_params lxfw_policy=eqspatial,lxfw_eq_min_interval=2)"
	first=$(submit --adaptive -w n1 -n 1 -c 8 --mem 500 -t 5 "$build/tests/cluster/malleable idle 8")
	expect_count "$first" 8
	# shellcheck disable=SC2016
	second=$(submit --adaptive=2 -w n1 -n 1 -c 8 --mem 500 -t 5 'echo $LXFW_CPUS >began; sleep 300')
	expect_count "$second" 4
	poll 60 test -s "$run/work/began"
	[ "$(cat "$run/work/began")" = 4 ] || fail "job $second began with $(cat "$run/work/began")"
	expect_count "$first" 4
	scancel "$second"
	expect_count "$first" 8
	scancel "$first"
	wait_empty
	expect_nothing_left
}

# Print the CPUs in the environment of a job, one per line.
cpus_told()
{
	told "$1" | cut -d' ' -f2 | tr , '\n' | while IFS=- read -r first last; do
		seq "$first" "${last:-$first}"
	done
}

# No job has part of a core, if this machine has and reports cores with several threads.
expect_whole_cores()
{
	local cpu list
	for cpu in $(cpus_told "$1"); do
		list=/sys/devices/system/cpu/cpu$cpu/topology/thread_siblings_list
		[ -r "$list" ] || { echo "$cpu"; continue; }
		tr , '\n' <"$list" |
			while IFS=- read -r first last; do seq "$first" "${last:-$first}"; done
	done | sort -u >"$run/log/siblings"
	[ "$(cpus_told "$1" | sort -u)" = "$(cat "$run/log/siblings")" ] ||
		fail "job $1 has CPUs $(told "$1"): includes parts of cores"
}

has_lines()
{
	[ -e "$1" ] && [ "$(wc -l <"$1")" -ge "$2" ]
}

# Nodes of two cores with two threads each. If threads are allocated, an adaptive job
# keeps what it requested. If cores are allocated, both threads of a core change
# together.
test_threads()
{
	local node=n3 first second job
	lxfw_only
	plugstack
	set_params "$(live_params lxfw_policy=eqspatial,lxfw_eq_min_interval=2)"
	first=$(submit --adaptive -p threads -w n3 -n 1 -c 4 --mem 500 -t 5 "$build/tests/cluster/malleable idle 3")
	expect_count "$first" 4
	second=$(submit --adaptive -p threads -w n3 -n 1 -c 2 --mem 500 -t 5 'sleep 300')
	expect_logged "JobId=$first is not adaptive: its nodes do not allocate single cores with one thread"
	expect_pending "$second"
	scancel "$first"
	expect_count "$second" 2
	expect_whole_cores "$second"
	scancel "$second"

	node=n4
	# shellcheck disable=SC2016
	first=$(submit --adaptive -p threads -w n4 -n 1 -c 2 --mem 500 -t 5 -o threads.out \
		"echo \$LXFW_CPUS; srun --overlap -n1 -c1 bash -c 'echo \$LXFW_CPUS'; $build/tests/cluster/malleable idle 3")
	expect_count "$first" 2
	poll 60 has_lines "$run/work/threads.out" 2 && [ "$(xargs <"$run/work/threads.out")" = '2 2' ] ||
		fail "output of the job: $(cat "$run/work/threads.out")"
	second=$(submit --adaptive -p threads -w n4 -n 1 -c 2 --mem 500 -t 5 "$build/tests/cluster/malleable idle 3")
	expect_count "$second" 1
	expect_count "$first" 1
	for job in "$first" "$second"; do
		expect_whole_cores "$job"
		expect_cpus "$job" "$(told "$job" | cut -d' ' -f2)"
	done
	[ "$(nproc)" -lt 4 ] || [ "$(told "$first")" != "$(told "$second")" ] ||
		fail "both jobs have CPUs $(told "$first")"
	scancel "$second"
	expect_count "$first" 2
	scancel "$first"
	wait_empty
	expect_nothing_left
}

# Find the slurmstepd of the job's script.
stepd_of()
{
	"$cluster" processes "$run" |
		awk -v name="[$1.batch]" '$2 == "slurmstepd:" && $3 == name { print $1 }'
}

# Kill the slurmstepd and the script. Slurm checks for the script only occasionally.
kill_step()
{
	kill -9 "$(stepd_of "$1")"
	pids_of "$1" | xargs kill -9
	scancel "$1"
}

# exactly_one_queries JOB...: the step of exactly one job queries the controller; set
# asker to this job.
exactly_one_queries()
{
	local job askers=()
	for job in "$@"; do
		! readlink "/proc/$(stepd_of "$job")"/fd/* | grep -xF "$run/lxfw/n1.asker" >/dev/null ||
			askers+=("$job")
	done
	asker=${askers[0]-}
	[ ${#askers[@]} = 1 ]
}

# One step per node queries the controller for all jobs of the node. When it has ended,
# another one does.
test_one_step_queries()
{
	local jobs=() job i asker
	two_cpus
	plugstack "share_from=$run/shares"
	for i in 1 2 3; do
		jobs+=("$(submit --adaptive -w n1 -n 2 -t 5 'sleep 300')")
	done
	for job in "${jobs[@]}"; do
		wait_start "$job"
		expect_count_and_cpus "$job" '2 0-1'
	done
	while [ ${#jobs[@]} -gt 1 ]; do
		poll 60 exactly_one_queries "${jobs[@]}" || fail "not exactly one of jobs ${jobs[*]} queries"
		for job in "${jobs[@]}"; do
			share "$job" "1 $((${#jobs[@]} % 2))"
		done
		for job in "${jobs[@]}"; do
			expect_count_and_cpus "$job" "1 $((${#jobs[@]} % 2))"
			expect_cpus "$job" $((${#jobs[@]} % 2))
		done
		kill_step "$asker"
		mapfile -t jobs < <(printf '%s\n' "${jobs[@]}" | grep -vx "$asker")
	done
	scancel "${jobs[@]}"
	wait_empty
	srun --adaptive -w n1 -n1 -t 5 true || fail "srun fails"
	expect_nothing_left
}

# A killed slurmstepd leaves a folder behind, which the next job removes.
test_killed_step()
{
	local job
	plugstack
	job=$(submit --adaptive -w n1 -n 1 -t 5 "sleep 300")
	wait_start "$job"
	poll 60 test -e "$run/lxfw/n1.$job/cpus" || fail "the job has no folder"
	kill_step "$job"
	wait_state "$job" CANCELLED
	[ -e "$run/lxfw/n1.$job" ] || fail "the folder was removed early"
	srun --adaptive -w n1 -n1 -t 5 true || fail "srun fails"
	expect_nothing_left
}

[ -e "$build/.libs/spank_lxfw.so" ] || { echo "SKIP: spank_lxfw.so is not built"; exit 77; }
live_main "$@" -- --nodes 4 --cpus 8 --memory 16000 --conf MessageTimeout=5 \
	--partition 'p Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP' \
	--partition 'threads Nodes=n3,n4 MaxTime=INFINITE State=UP' \
	--node 'n3 Sockets=1 CoresPerSocket=2 ThreadsPerCore=2 CPUs=4' \
	--node 'n4 Sockets=1 CoresPerSocket=2 ThreadsPerCore=2 CPUs=2'
