# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Functions shared by the live tests. A test script sources this file, defines functions
# test_NAME, and ends with
#
#	live_main "$@" -- OPTIONS OF `cluster start`
#
# live_main starts one cluster and runs all tests, or those named in the arguments, each
# on the cluster without jobs. At the end, the journal of the whole run is replayed.
# Exit status 77: the test cannot run here.
#
# Environment: LXFW_TOP_BUILDDIR, the build directory; LXFW_SCHEDULER, a scheduler
# plugin other than lxfw, for comparison with Slurm's own; LXFW_SELECT, cons_tres or
# cons_tres_lxfw; LXFW_STOCK_NAME=1, load lxfw as sched/backfill; LXFW_CTLD_UNDER, a
# command that slurmctld runs under; LXFW_KEEP=1, keep the folder of a failed run;
# LXFW_SLOW=1, also run the tests that are too slow for `make check`; LXFW_SECOND_TRY=1,
# repeat a failed test once, so that a rare race of a test with the daemons does not fail
# the whole suite (the output reports it); LXFW_SLURM_PREFIX,
# the folder of the Slurm that the build is for, which a build that was configured
# --with-slurm=PREFIX knows.

set -u -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cluster=$here/cluster
scheduler=${LXFW_SCHEDULER:-lxfw}
selector=${LXFW_SELECT:-cons_tres}
build=${LXFW_TOP_BUILDDIR:-$here/../..}
LXFW_SLURM_PREFIX=${LXFW_SLURM_PREFIX-$(sed -n 's/^SLURM_PREFIX = *//p' "$build/Makefile" 2>/dev/null)}
export LXFW_SLURM_PREFIX
# The daemons are in folders that the PATH of an ordinary user lacks.
PATH=$PATH:/usr/sbin:/sbin
[ -z "$LXFW_SLURM_PREFIX" ] || PATH=$LXFW_SLURM_PREFIX/sbin:$LXFW_SLURM_PREFIX/bin:$PATH
run=
# A pass follows its cause within this many seconds. It takes milliseconds, but the machine may
# be busy; a pass without a cause is made every 30 s only.
prompt=${LXFW_CTLD_UNDER:+25}
prompt=${prompt:-15}

skip()
{
	echo "SKIP: $*"
	exit 77
}

# End the current test with a failure.
fail()
{
	echo "  $(caller 0 | awk '{ print $2 ":" $1 }'): $*" >&2
	exit 1
}

# poll SECONDS COMMAND...: repeat the command until it succeeds, else fail. It is repeated less
# often after a second, because many tests wait at the same time, and the pauses are as long as
# it takes: on a busy machine, looks would keep it busy. The command sees these variables.
poll()
{
	local deadline=$((SECONDS + $1)) tries=0 look_began pause_us
	shift
	look_began=${EPOCHREALTIME//[.,]/}
	until "$@"; do
		((SECONDS < deadline)) || return 1
		pause_us=$((${EPOCHREALTIME//[.,]/} - look_began))
		((pause_us >= 400000)) || pause_us=$((++tries < 8 ? 100000 : 400000))
		((pause_us <= 2000000)) || pause_us=2000000
		printf -v pause_us '%d.%06d' $((pause_us / 1000000)) $((pause_us % 1000000))
		sleep "$pause_us"
		look_began=${EPOCHREALTIME//[.,]/}
	done
}

#
# Jobs.
#
# submit OPTIONS... COMMAND: submit a job and print its id. A command that ends without a
# message is repeated: under a fast clock, few seconds of a busy machine are minutes.
submit()
{
	local id tries status error
	error=$(mktemp "$run/log/sbatch.XXXXXX") || exit 1
	for tries in 1 2 3; do
		status=0
		id=$(sbatch --parsable -D "$run/work" -o /dev/null "${@:1:$#-1}" \
			--wrap "${*: -1}" 2>"$error") || status=$?
		[ "$status" != 0 ] && [ ! -s "$error" ] || break
	done
	cat "$error" >>"$run/log/sbatch"
	[ "$status" = 0 ] || fail "sbatch ${*}: status $status in $tries tries: $(tail -n 1 "$error")"
	rm -f "$error"
	echo "$id"
}

# Set `record` to the record of a job. The controller of a busy machine may not answer in time.
read_record()
{
	local tries
	for tries in 1 2 3 4 5; do
		record=$(scontrol -o show job "$1" 2>&1) && return
		[[ $record != *[Ii]nvalid\ job\ id* ]] || { record=; return 1; }
		record=
		sleep 0.5
	done
}

job_record()
{
	local record
	read_record "$1" || return
	echo "$record"
}

# field JOB NAME: print a field of `scontrol show job`. It is called very often, so that it
# starts no other process.
field()
{
	local record
	read_record "$1" || return
	[[ ! $record =~ (^|[[:space:]])"$2"=([^[:space:]]*) ]] || echo "${BASH_REMATCH[2]}"
}

state()  { field "$1" JobState; }
reason() { field "$1" Reason; }
submitted() { field "$1" SubmitTime; }
started() { field "$1" StartTime; }
ended()  { field "$1" EndTime; }
nodes_of() { scontrol show hostnames "$(field "$1" NodeList)" | xargs; }

is_state()
{
	[[ " $2 " = *" $(state "$1") "* ]]
}

# wait_state JOB 'STATE ...' [SECONDS]: a step reports its end again after a minute if the
# controller did not take the report.
wait_state()
{
	poll "${3:-150}" is_state "$1" "$2" ||
		fail "job $1 is $(state "$1") ($(reason "$1")), not $2"
}

wait_start()
{
	wait_state "$1" 'RUNNING COMPLETING COMPLETED' "${2:-150}"
}

# saved_since SECOND: true if Slurm's records of jobs were written after this second.
saved_since()
{
	[ "$(stat -c %Y "$run/state/job_state" 2>/dev/null || echo 0)" -ge "$1" ]
}

# have_saved JOB: wait until the records are saved. Slurm saves them some seconds after
# a change, here of JOB, and loses unsaved changes when it is killed.
have_saved()
{
	poll 120 change_and_look "$1" "$(($(date +%s) + 1))" || fail "Slurm does not save its state"
}

change_and_look()
{
	scontrol update "jobid=$1" "admincomment=$RANDOM" && saved_since "$2"
}

# Print jobs that are known to the controller and have not ended.
unfinished()
{
	squeue -h -t all -o '%i %T' |
		grep -vE ' (COMPLETED|CANCELLED|FAILED|TIMEOUT|NODE_FAIL|DEADLINE|PREEMPTED)$'
}

none_unfinished()
{
	! unfinished >/dev/null
}

wait_empty()
{
	poll "${1:-150}" none_unfinished || fail "jobs left over: $(unfinished | xargs)"
}

wait_done()
{
	local job
	for job in "$@"; do
		wait_state "$job" COMPLETED 180
	done
}

# expect_pending JOB [REASON pattern]: the scheduler knows the job, and it is pending.
expect_pending()
{
	is_state "$1" PENDING || fail "job $1 is $(state "$1"), but should be pending"
	[ $# -lt 2 ] || poll 60 has_reason "$1" "$2" ||
		fail "job $1 waits for $(reason "$1"), not $2"
}

has_reason()
{
	[[ $(reason "$1") =~ $2 ]]
}

# The job started at once after its submission (or after second $2).
expect_prompt()
{
	local since=${2:-} start
	wait_start "$1"
	[ -n "$since" ] || since=$(submitted "$1")
	start=$(started "$1")
	((start - since <= prompt)) || fail "job $1 started after $((start - since)) s"
}

# The first job starts no later than the second.
expect_order()
{
	local first second
	wait_start "$1"
	wait_start "$2"
	first=$(started "$1")
	second=$(started "$2")
	((first <= second)) || fail "job $1 started $((first - second)) s after job $2"
}

# The first job starts only after the second has ended.
expect_after()
{
	local start end
	wait_start "$1"
	start=$(started "$1")
	end=$(ended "$2")
	is_state "$2" 'COMPLETED CANCELLED' && ((end <= start)) ||
		fail "job $1 started at $start, job $2 ended at $end ($(state "$2"))"
}

#
# The controller.
#
# replacements NODE: how often its slurmd has begun to replace itself by a new process.
replacements()
{
	grep -c 'Triggering reconfigure' "$run/log/slurmd.$1"
}

# is_replaced NODE TIMES: true if its slurmd has replaced itself more often, and the new process
# is ready, or if no slurmd runs.
is_replaced()
{
	"$cluster" runs "$run" "slurmd.$1" || return 0
	(($(replacements "$1") > $2)) &&
		grep -E 'Triggering reconfigure|slurmd started on' "$run/log/slurmd.$1" | tail -n 1 |
		grep -q 'slurmd started on'
}

# reconfigure: scontrol reconfigure. Since 23.11 each slurmd replaces itself then, which takes
# seconds if a job has just ended there; a job that is launched meanwhile fails and is held.
reconfigure()
{
	local node nodes=() before=()
	if ! [[ $("$cluster" release) < 23.11 ]]; then
		mapfile -t nodes < <(sinfo -h -N -t idle,mixed,allocated,completing -o %N | sort -u)
	fi
	for node in "${nodes[@]}"; do
		before+=("$(replacements "$node")")
	done
	scontrol reconfigure || return
	for node in "${!nodes[@]}"; do
		poll 30 is_replaced "${nodes[node]}" "${before[node]}" ||
			echo "  (slurmd of ${nodes[node]} has not been reconfigured)"
	done
}

# set_params STRING: change SchedulerParameters.
set_params()
{
	"$cluster" conf "$run" --params "$1" && reconfigure ||
		fail "reconfigure fails"
	params=$1
}

logged()
{
	grep -qE "$1" "$run/log/slurmctld"
}

times_logged()
{
	grep -cE "$1" "$run/log/slurmctld"
}

# logged_again PATTERN TIMES: true if it was logged more than TIMES times.
logged_again()
{
	(($(times_logged "$1") > $2))
}

expect_logged()
{
	poll "${2:-60}" logged "$1" || fail "the controller's log lacks: $1"
}

# A node state that was restored from the saved records is no report from the node.
nodes_up()
{
	[ -z "$(sinfo -h -N -t down,unknown -o %N)" ] &&
		[ "$(scontrol -o show node | grep -c ' SlurmdStartTime=[0-9]')" = \
			"$(grep -c '^NodeName=' "$run/etc/slurm.conf")" ]
}

# start_anew OPTION OF cluster...: stop controller and nodes, and start them with these
# lines in slurm.conf.
start_anew()
{
	local all name
	all=$(sed -n 's/^NodeName=\([^ ]*\) .*/\1/p' "$run/etc/slurm.conf")
	! controller_up || "$cluster" stop-ctld "$run" || fail "slurmctld does not end"
	for name in $all; do
		"$cluster" kill9-node "$run" "$name"
	done
	"$cluster" conf "$run" "$@"
	"$cluster" start-ctld "$run" || fail "slurmctld does not start with $*"
	for name in $all; do
		"$cluster" start-node "$run" "$name"
	done
	poll 120 nodes_up || fail "nodes do not come back"
}

# with_addresses: copy lines of a slurm.conf from standard input, with an address of this
# machine for each node: slurmctld tries for seconds to resolve a name.
with_addresses()
{
	local line names count lines=0
	while read -r line; do
		names=$(grep -oiE '^NodeName=[^ ]*' <<<"$line" | cut -d= -f2)
		if [ -n "$names" ] && [ "$names" != DEFAULT ]; then
			count=$(scontrol show hostnames "$names" | wc -l)
			line+=" NodeAddr=127.0.$((++lines)).[1-$count]"
		fi
		echo "$line"
	done
}

# use_select NAME: Slurm requires a restart of all daemons after this change.
use_select()
{
	start_anew --conf "SelectType=select/$1"
}

# Parameters with the journal and further keys; only our scheduler starts jobs. Those of
# select_params are for select/cons_tres_lxfw, which reads them with any scheduler.
live_params()
{
	local further=${select_params:+,$select_params}
	if [ "$scheduler" = lxfw ]; then
		echo "defer,sched_interval=-1,lxfw_journal=$run/journal${1:+,$1}$further"
	else
		echo "bf_interval=1,sched_interval=2$further"
	fi
}

# Skip the rest of a test under another scheduler. A test calls it first.
lxfw_only()
{
	[ "$scheduler" = lxfw ] || { echo "  (not with sched/$scheduler)"; exit 0; }
}

# True if select/cons_tres_lxfw checks resumptions.
is_guarded()
{
	[ "$selector" = cons_tres_lxfw ]
}

# resume_refused JOB: true if the plugin does not let it resume.
resume_refused()
{
	! scontrol resume "$1" 2>"$run/log/resume" || fail "job $1 was resumed"
	grep -qi 'busy' "$run/log/resume" || fail "no clear reason: $(xargs <"$run/log/resume")"
	is_state "$1" SUSPENDED || fail "job $1 is $(state "$1")"
}

#
# The run.
#
# Several runs of a script at the same time, each on a cluster of its own.
#
side_pids=() side_titles=() side_folder=

# beside TITLE COMMAND...: begin a run. `besides` prints its output.
beside()
{
	[ -n "$side_folder" ] || side_folder=$(mktemp -d "${TMPDIR:-/tmp}/lxfw-runs.XXXXXX") || exit 1
	trap 'kill "${side_pids[@]}" 2>/dev/null; wait; rm -rf "$side_folder"; exit 130' INT TERM HUP
	side_titles+=("$1")
	"${@:2}" >"$side_folder/${#side_pids[@]}" 2>&1 &
	side_pids+=($!)
}

# besides: wait for the runs, and print their output in turn. The status is 0 if all
# succeeded, else that of a failed run if there is one, else 77.
besides()
{
	local i status=0 one
	[ ${#side_pids[@]} -gt 0 ] || return 1
	for i in "${!side_pids[@]}"; do
		one=0
		wait "${side_pids[i]}" || one=$?
		echo "${side_titles[i]}"
		cat "$side_folder/$i"
		[ "$one" = 0 ] || { [ "$one" = 77 ] && [ "$status" != 0 ]; } || status=$one
	done
	rm -rf "$side_folder"
	trap - INT TERM HUP
	side_pids=() side_titles=() side_folder=
	return "$status"
}

# live_schedulers ARGUMENTS OF THE SCRIPT...: run the script with Slurm's own scheduler and
# with ours.
live_schedulers()
{
	local name
	for name in backfill lxfw; do
		beside "with sched/$name" env "LXFW_SCHEDULER=$name" "$0" "$@"
	done
	besides
}

# live_expectations ARGUMENTS OF THE SCRIPT...: run the script with our scheduler. With
# LXFW_SLOW=1, Slurm's own one must meet the same expectations.
live_expectations()
{
	if [ -n "${LXFW_SLOW-}" ]; then
		live_schedulers "$@"
	else
		LXFW_SCHEDULER=lxfw "$0" "$@"
	fi
}

# outcome LINE: what is the same with Slurm's own scheduler, see live_outcomes.
outcome()
{
	echo "  $1"
	[ -z "${LXFW_OUTCOMES-}" ] || echo "$live_name: $1" >>"$LXFW_OUTCOMES/$scheduler.$live_name"
}

# live_outcomes COUNT [TEST...]: run these tests, or all, with our scheduler in this many parts,
# and exit. Their outcomes must be those in the file of the script's name that ends in
# .outcomes. They are what Slurm's own scheduler does, which must be so with LXFW_SLOW=1.
live_outcomes()
{
	local count=$1 names i from to each
	shift
	names=("$@")
	[ $# -gt 0 ] || mapfile -t names < <(live_names)
	LXFW_OUTCOMES=$(mktemp -d "${TMPDIR:-/tmp}/lxfw-outcomes.XXXXXX") || exit 1
	export LXFW_OUTCOMES
	trap 'rm -rf "$LXFW_OUTCOMES"' EXIT
	for ((i = 0; i < count; i++)); do
		((from = ${#names[@]} * i / count, to = ${#names[@]} * (i + 1) / count, 1))
		((to > from)) || continue
		for each in ${LXFW_SLOW:+backfill} lxfw; do
			beside "with sched/$each" env "LXFW_SCHEDULER=$each" "$0" "${names[@]:from:to - from}"
		done
	done
	besides || exit
	for each in lxfw ${LXFW_SLOW:+backfill}; do
		diff <(for i in "${names[@]}"; do grep "^$i: " "${0%.sh}.outcomes"; done) \
			<(for i in "${names[@]}"; do cat "$LXFW_OUTCOMES/$each.$i" 2>/dev/null; done) &&
			continue
		echo "not ok - other outcomes with sched/$each"
		[ "$each" = lxfw ] && exit 1
		compare_again "${names[@]}"
	done
	exit 0
}

# compare_again [TEST...]: what Slurm's own scheduler and ours did differs. With
# LXFW_SECOND_TRY, repeat these tests, or all, with both, since what Slurm does may depend on a
# moment. Exits.
compare_again()
{
	[ -n "${LXFW_SECOND_TRY-}" ] && [ -z "${LXFW_COMPARED-}" ] || exit 1
	echo "second try of ${*:-all}"
	LXFW_COMPARED=1 "$0" "$@" || exit 1
	echo "flaky - the comparison of ${*:-all}"
	exit 0
}

# Print the names of the tests of the script.
live_names()
{
	sed -n 's/^test_\([a-z0-9_]*\)()$/\1/p' "$0"
}

# live_parts COUNT ARGUMENTS OF THE SCRIPT...: if there are none, run the tests in this
# many parts, and exit.
live_parts()
{
	local count=$1 names i from to
	shift
	[ $# = 0 ] || return 0
	mapfile -t names < <(live_names)
	for ((i = 0; i < count; i++)); do
		((from = ${#names[@]} * i / count, to = ${#names[@]} * (i + 1) / count, 1))
		((to > from)) || continue
		beside "part $((i + 1)) of $count" "$0" "${names[@]:from:to - from}"
	done
	besides
	exit
}

# live_selectors TEST... -- ARGUMENTS OF THE SCRIPT...: run the script with both select
# plugins: all tests with Slurm's own and those named with ours. With LXFW_SLOW=1, run
# all tests with both. Returns if the caller or this function has selected a plugin.
live_selectors()
{
	local ours=()
	while [ "$1" != -- ]; do
		ours+=("$1")
		shift
	done
	shift
	[ -z "${LXFW_SELECT-}" ] || return 0
	[ $# = 0 ] && [ -z "${LXFW_SLOW-}" ] || ours=("$@")
	beside "with select/cons_tres" env LXFW_SELECT=cons_tres "$0" "$@"
	beside "with select/cons_tres_lxfw" env LXFW_SELECT=cons_tres_lxfw "$0" "${ours[@]}"
	besides
	exit
}

live_setup()
{
	local option=()
	type -P slurmctld >/dev/null || type -P slurmctld-wlm >/dev/null ||
		skip "Slurm is not installed"
	type -P munged >/dev/null || skip "munge is not installed"
	if [ "$scheduler" = lxfw ]; then
		[ -e "$build/.libs/sched_lxfw.so" ] ||
			skip "sched_lxfw.so is not built (--without-slurm?)"
		option=(--plugins "$build/.libs")
	fi
	if is_guarded; then
		[ -e "$build/.libs/select_cons_tres_lxfw.so" ] ||
			skip "select_cons_tres_lxfw.so is not built (--without-slurm?)"
		option=(--plugins "$build/.libs" --conf SelectType=select/cons_tres_lxfw)
	fi
	[ -z "${LXFW_CTLD_UNDER-}" ] || option+=(--ctld-under "$LXFW_CTLD_UNDER")
	run=$(mktemp -d "${TMPDIR:-/tmp}/lxfw-live.XXXXXX") || exit 1
	trap live_cleanup EXIT
	trap 'exit 1' INT TERM HUP
	params=$(live_params "${live_policy-lxfw_policy=lxfw}")
	"$cluster" start "$run" --owner $$ --scheduler "$scheduler" \
		--params "$params" "${option[@]}" "$@" || exit $?
	eval "$("$cluster" env "$run")"
	# A script may start more.
	! declare -F live_ready >/dev/null || live_ready || exit 1
}

live_cleanup()
{
	local status=$?
	[ -n "$run" ] || return
	! declare -F live_end >/dev/null || live_end
	# What a test that failed has left running, as another user perhaps.
	pkill -f "^$run/work/lxfw "
	"$cluster" stop "$run"
	if [ "$status" != 0 ] && [ -n "${LXFW_KEEP-}" ]; then
		echo "kept: $run"
	else
		rm -rf "$run"
	fi
	exit "$status"
}

# Since 25.11 scancel refuses the user name "nobody". A task of an array may have no record of its number.
cancel_all()
{
	squeue -h -o %u | sort -u | xargs -rn 1 scancel --quiet -u 2>/dev/null
	squeue -h -u 65534 -o %A 2>/dev/null | xargs -r scancel --quiet 2>/dev/null
}

# A node that boots may go down after its first report.
come_back()
{
	local name
	for name in $(sinfo -h -N -t drain,draining,drained,down -o %N | sort -u); do
		scontrol update "nodename=$name" state=resume
	done
	"$cluster" is-up "$run"
}

# Reset between tests: no jobs, all nodes and partitions up, the initial parameters.
# During a reconfiguration, slurmctld can reject a message (Slurm reads AuthInfo without a
# lock). slurmstepd then waits 60 s before it reports the end of its step again, and the job
# stays COMPLETING for so long.
live_reset()
{
	local first_params=$1 name
	for name in $(scontrol -o show reservation 2>/dev/null | sed -n 's/^ReservationName=\([^ ]*\).*/\1/p'); do
		scontrol delete reservation "$name"
	done
	cancel_all
	# A controller that is replaced by a new process (since 23.11, scontrol reconfigure)
	# may forget what it has done since it saved its state.
	poll 30 none_unfinished || cancel_all
	poll 150 none_unfinished || fail "jobs not cancelled: $(unfinished | xargs)"
	come_back
	[ "$(scontrol show config | sed -n 's/^SchedulerParameters *= *//p')" = "$first_params" ] ||
		set_params "$first_params"
	poll 180 come_back || fail "nodes do not come back: $(sinfo -h -N -o '%N %T %E' | xargs)"
}

# Print what daemons have said as they crashed, and where. log/backtrace has all threads.
live_crashes()
{
	local core
	grep -E '^(double free|free\(\)|corrupted|malloc|realloc\(\)|munmap_chunk|tcache|\*\*\* )|Sanitizer:|ssertion .*failed' \
		"$run"/log/*.out | sed "s,^$run/log/,  crashed: ,"
	for core in "$run"/log/core*; do
		[ -e "$core" ] || continue
		echo "  core: $core"
		! type -P gdb >/dev/null || gdb -nx -batch -ex 'backtrace 20' -ex 'thread apply all backtrace' \
			-c "$core" "$run/bin/slurmctld" 2>&1 | tee "$run/log/backtrace" |
			grep '^#' | head -n 21 | sed 's/^/  /'
	done
}

# Print what helps to find the reason of a failure.
live_explain()
{
	live_crashes
	echo "  --- jobs"
	scontrol -o show job 2>/dev/null | awk -v last="$2" '
		{
			split($1, id, "=")
			if (id[2] <= last + 0)
				next
			line = " "
			for (i = 1; i <= NF; i++)
				if ($i ~ /^(JobId|JobState|Reason|SubmitTime|StartTime|EndTime|NodeList)=/)
					line = line " " $i
			print line
		}' | tail -n 25
	echo "  --- log of slurmctld since the test began"
	tail -n "+$1" "$run/log/slurmctld" | grep -E 'lxfw|error|warning' | tail -n 25 | sed 's/^/  /'
}

controller_up()
{
	scontrol ping 2>/dev/null | grep -q 'is UP'
}

controller_is_dead()
{
	! "$cluster" runs "$run" slurmctld
}

# Run a test. Return 1 if it fails.
live_test()
{
	local name=$1 begun=$SECONDS lines last
	live_name=$name
	[ -z "${LXFW_OUTCOMES-}" ] || rm -f "$LXFW_OUTCOMES/$scheduler.$name"
	lines=$(wc -l <"$run/log/slurmctld")
	last=$(scontrol -o show job 2>/dev/null |
		sed -n 's/^JobId=\([0-9]*\).*/\1/p' | sort -n | tail -n 1)
	if (live_reset "$params" && "test_$name"); then
		echo "ok - $name ($((SECONDS - begun)) s)"
	else
		echo "not ok - $name ($((SECONDS - begun)) s)"
		live_explain "$((lines + 1))" "$last"
		# A script may keep more files while its cluster is up.
		! declare -F live_failed >/dev/null || live_failed "$name"
		return 1
	fi
}

# With LXFW_SECOND_TRY, repeat a failed test. live_main counts those that then pass.
live_again()
{
	[ -n "${LXFW_SECOND_TRY-}" ] && controller_up || return 1
	echo "second try of $1"
	live_test "$1" && again=$((again + 1)) && echo "flaky - $1"
}

# The simulator and the cluster use the same scheduler.
test_replay()
{
	lxfw_only
	[ -s "$run/journal" ] || fail "no journal was written"
	"$build/lxfw" replay "$run/journal" || fail "the journal does not replay"
}

live_main()
{
	local names=() name failed=0 again=0
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		names+=("$1")
		shift
	done
	[ $# = 0 ] || shift
	[ ${#names[@]} -gt 0 ] ||
		mapfile -t names < <(live_names)
	live_setup "$@"
	for name in "${names[@]}"; do
		poll 20 controller_up || {
			echo "not ok - the controller died before $name"
			tail -n 20 "$run/log/slurmctld.out" | sed 's/^/  /'
			live_crashes
			exit 1
		}
		live_test "$name" || live_again "$name" || failed=$((failed + 1))
	done
	live_test replay || failed=$((failed + 1))
	echo "$((${#names[@]} + 1)) tests, $failed failed, $again passed on the second try"
	[ "$failed" = 0 ]
}
