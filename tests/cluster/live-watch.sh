#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw watch` as a user without privileges, beside Slurm's own scheduler: its journal has the
# machine, what runs and what waits, its reservations are at the times that Slurm's backfill
# expects, and later looks record starts, ends and holds.

LXFW_SCHEDULER=backfill
export LXFW_SCHEDULER
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/user.sh
. "$(dirname "$0")/user.sh"

# look JOURNAL: look once
look()
{
	as_nobody watch --once --journal "$run/work/$1" >"$run/work/$1.out" 2>&1 ||
		fail "watch: $(cat "$run/work/$1.out")"
}

events()
{
	as_nobody journal "$run/work/$1"
}

# Print 'JOB SECOND' of the starts that are expected, by the journal and by Slurm.
reserved()
{
	events "$1" | awk '$2 == "action" && $3 == "reserve" { at[$4] = $6 }
		END { for (job in at) print job, at[job] }' | sort
}

# Starts that Slurm expects are of its last pass, and rounded up to a minute.
agrees_with_slurm()
{
	rm -f "$run/work/expected"
	look expected
	reserved expected >"$run/work/ours"
	[ "$(wc -l <"$run/work/ours")" = "$1" ] || return 1
	squeue -h -t PD -o '%i %S' | sort >"$run/work/slurms"
	join "$run/work/ours" "$run/work/slurms" | awk -v count="$1" '
		$3 ~ /^[0-9]+$/ && $3 - $2 >= -60 && $3 - $2 <= 120 { near++ }
		END { exit near != count }'
}

test_expected_starts()
{
	submit -t 10 -N2 --exclusive 'sleep 600' >/dev/null
	submit -t 20 -N2 --exclusive 'sleep 600' >/dev/null
	poll 60 all_busy || fail "not started"
	submit -t 30 -N3 --exclusive 'sleep 600' >/dev/null
	submit -t 5 -n6 'sleep 600' >/dev/null
	submit -t 40 -N4 --exclusive 'sleep 600' >/dev/null
	poll 90 agrees_with_slurm 3 ||
		fail "expected starts: $(join "$run/work/ours" "$run/work/slurms" | xargs -d '\n' printf '%s; ')"
	as_nobody predict --json --journal "$run/work/expected" >"$run/work/predicted" 2>&1 ||
		fail "predict: $(cat "$run/work/predicted")"
	# One command without any option.
	as_nobody predict >"$run/work/predicted" 2>&1 || fail "predict: $(cat "$run/work/predicted")"
	grep -q '2 jobs run, 3 wait$' "$run/work/predicted" || fail "predict: $(cat "$run/work/predicted")"
	as_nobody why "$(squeue -h -t PD -o %i | head -n 1)" >"$run/work/why" 2>&1 ||
		fail "why: $(cat "$run/work/why")"
	grep -q ' has waited for ' "$run/work/why" || fail "why: $(cat "$run/work/why")"
}

all_busy()
{
	[ "$(squeue -h -t R | wc -l)" = 2 ]
}

test_reasons()
{
	local held later after
	held=$(submit -H -t 10 -n1 'sleep 1') || exit 1
	later=$(submit --begin=now+1hour -t 10 -n1 'sleep 1') || exit 1
	after=$(submit -t 10 -n1 -d "afterok:$held" 'sleep 1') || exit 1
	expect_pending "$held" JobHeldUser
	expect_pending "$later" BeginTime
	expect_pending "$after" Dependency
	look reasons
	events reasons >"$run/work/text"
	grep -q "not-eligible $held reason held_by_user" "$run/work/text" || fail "held: $(cat "$run/work/text")"
	grep -q "not-eligible $later reason begin_time.* until [0-9]*$" "$run/work/text" || fail "later"
	grep -q "not-eligible $after reason dependency" "$run/work/text" || fail "dependency"
	as_nobody why "$after" "$run/work/reasons" >"$run/work/text" 2>&1
	grep -q "waits for other jobs\|depend" "$run/work/text" || fail "why: $(cat "$run/work/text")"
}

# A watch that continues records starts and ends, over a restart of the controller.
test_continues()
{
	local first second watcher
	first=$(submit -t 10 -n1 "while [ ! -e $run/work/first-over ]; do sleep 0.2; done") || exit 1
	wait_state "$first" RUNNING
	become_nobody watch --interval 10 --journal "$run/work/on" >"$run/work/on.out" 2>&1 &
	watcher=$!
	poll 60 has_event "run $first " || fail "no start: $(cat "$run/work/on.out")"
	touch "$run/work/first-over"
	poll 60 has_event "end $first\$" || fail "no end"
	"$cluster" stop-ctld "$run" || fail "the controller does not stop"
	poll 90 grep -q 'trying again' "$run/work/on.out" || fail "no message: $(cat "$run/work/on.out")"
	"$cluster" start-ctld "$run" && "$cluster" wait-up "$run" || fail "the controller does not start"
	second=$(submit -t 10 -n1 'sleep 600') || exit 1
	wait_state "$second" RUNNING
	poll 90 has_event "run $second " || fail "no start after the restart"
	# It may have been submitted and started between two looks.
	has_event "submit $second " || fail "no submission: $(events on | tail -n 5)"
	grep -q 'answers again' "$run/work/on.out" || fail "no message: $(cat "$run/work/on.out")"
	kill -TERM "$watcher"
	wait "$watcher" || fail "exit status $?"
	as_nobody replay "$run/work/on" || fail "the journal does not replay"
}

has_event()
{
	events on 2>/dev/null | grep -q "event $1"
}

# What a site publishes is read by any user, without a question to the controller, and has its age
# when the controller does not answer.
test_publishes()
{
	local watcher site=$run/work/site jobs
	wait_state "$(submit -t 10 -N4 --exclusive 'sleep 600')" RUNNING
	jobs=$(submit -t 10 -N2 --exclusive 'sleep 1') || exit 1
	submit -H -t 10 -n1 'sleep 1' >/dev/null
	rm -rf "$site"
	mkdir "$site" && chmod 777 "$site" || exit 1
	become_nobody watch --interval 10 --journal "$run/work/public" >"$run/work/public.out" 2>&1 &
	watcher=$!
	poll 60 has_waiting "$jobs" || fail "not watched: $(cat "$run/work/public.out")"
	as_nobody predict --journal "$run/work/public" --publish "$site" --users >"$run/work/text" 2>&1 ||
		fail "publish: $(cat "$run/work/text")"
	for file in index.html queue.json starts predictions.db; do
		[ -s "$site/$file" ] || fail "no $file: $(cat "$run/work/text")"
	done
	LXFW_SITE=$site as_nobody queue --running >"$run/work/text" 2>&1 || fail "queue: $(cat "$run/work/text")"
	grep -q "^   1 $jobs .* 8 *10.0m" "$run/work/text" || fail "queue: $(cat "$run/work/text")"
	grep -q 'its user holds it' "$run/work/text" || fail "held: $(cat "$run/work/text")"
	grep -q 'runs, until about' "$run/work/text" || fail "running: $(cat "$run/work/text")"
	LXFW_SITE=$site as_nobody predict --request '-n 4 -t 5' >"$run/work/text" 2>&1 ||
		fail "request: $(cat "$run/work/text")"
	grep -q '^lxfw: expected start' "$run/work/text" || fail "request: $(cat "$run/work/text")"
	unasked "$site" "$jobs"
	# Without a service: from what Slurm shows.
	LXFW_SITE=$run/work/none as_nobody queue "$jobs" >"$run/work/text" 2>&1 ||
		fail "queue: $(cat "$run/work/text")"
	grep -q "^   1 $jobs " "$run/work/text" || fail "queue: $(cat "$run/work/text")"
	kill -TERM "$watcher"
	wait "$watcher"
	# As if the watch had no answer any more.
	touch -d '20 minutes ago' "$run/work/public"
	as_nobody predict --journal "$run/work/public" --publish "$site" >"$run/work/text" 2>&1 ||
		fail "publish: $(cat "$run/work/text")"
	as_nobody queue --site "$site" >"$run/work/text" 2>&1 || fail "queue: $(cat "$run/work/text")"
	grep -q 'does not run, and has not seen the workload manager for 2' "$run/work/text" ||
		fail "no watch: $(cat "$run/work/text")"
	# Slurm knows better then.
	LXFW_SITE=$site as_nobody queue >"$run/work/text" 2>&1 || fail "queue: $(cat "$run/work/text")"
	! grep -q 'does not run' "$run/work/text" || fail "not asked: $(cat "$run/work/text")"
}

# unasked SITE JOB: what users ask beside a service costs the controller nothing. Programs that note
# who calls them stand for it.
unasked()
{
	local program deaf=$run/work/deaf text=$run/work/text
	mkdir "$deaf" || exit 1
	for program in squeue scontrol; do
		printf '#!/bin/sh\necho "$0 $*" >>%s/asked\nexit 1\n' "$deaf" >"$deaf/$program"
		chmod 755 "$deaf/$program"
	done
	chmod 777 "$deaf"
	PATH=$deaf:$PATH LXFW_SITE=$1 as_nobody why "$2" >"$text" 2>&1 || fail "why: $(cat "$text")"
	grep -q 'ago, which the site publishes$' "$text" || fail "why, no age: $(cat "$text")"
	grep -q '^It waits for the ends* of' "$text" || fail "why: $(cat "$text")"
	PATH=$deaf:$PATH LXFW_SITE=$1 as_nobody predict --json --request '-p threads -n 4 -t 5' \
		>"$text" 2>&1 || fail "request: $(cat "$text")"
	grep -q '"expected_start":' "$text" || fail "request: $(cat "$text")"
	PATH=$deaf:$PATH LXFW_SITE=$1 as_nobody predict --futures 20 "$2" >"$text" 2>&1 ||
		fail "predict: $(cat "$text")"
	[ ! -e "$deaf/asked" ] || fail "asked: $(cat "$deaf/asked")"
	# Of a job that is not published, it is.
	! PATH=$deaf:$PATH LXFW_SITE=$1 as_nobody why 999999 >"$text" 2>&1 || fail "why: $(cat "$text")"
	[ -s "$deaf/asked" ] || fail "not asked"
	rm -rf "$deaf"
}

has_waiting()
{
	events public 2>/dev/null | grep -q "event submit $1 "
}

# Processors that a job has
cpus_of()
{
	squeue -h -j "$1" -O tres-alloc:60 | sed 's/cpu=\([0-9]*\),.*/\1/'
}

# What Slurm gives jobs on nodes with two threads a core, and tasks of an array that exclude a
# node, is what the journal has while they wait.
test_cores_and_tasks()
{
	local busy threads single array
	busy=$(submit -p threads -t 10 -N2 --exclusive 'sleep 600') || exit 1
	wait_state "$busy" RUNNING
	threads=$(submit -p threads -t 10 -n3 'sleep 600') || exit 1
	single=$(submit -p threads -t 10 -n1 --hint=nomultithread 'sleep 600') || exit 1
	array=$(submit -p threads -t 10 --array=2,4-8:2 -x n5 'sleep 600') || exit 1
	look cores
	events cores >"$run/work/text"
	grep -q " submit $threads 1 hosts:4:" "$run/work/text" || fail "threads: $(cat "$run/work/text")"
	grep -q " submit $single 1 hosts:2:" "$run/work/text" || fail "one thread: $(cat "$run/work/text")"
	[ "$(grep -c " submit ${array}_[2468] 1 hosts:2:" "$run/work/text")" = 4 ] ||
		fail "tasks: $(cat "$run/work/text")"
	grep -q " hosts set [0-9]* of 1$" "$run/work/text" || fail "excluded: $(cat "$run/work/text")"
	scancel "$busy"
	wait_state "$threads" RUNNING
	wait_state "$single" RUNNING
	poll 30 task_runs "$array" || fail "no task runs: $(squeue)"
	[ "$(cpus_of "$threads") $(cpus_of "$single")" = "4 2" ] ||
		fail "Slurm gives $(cpus_of "$threads") and $(cpus_of "$single") processors"
	[ "$(squeue -h -j "$array" -t R -o %N | sort -u)" = n6 ] || fail "excluded: $(squeue)"
}

task_runs()
{
	squeue -h -j "$1" -t R | grep -q .
}

# Jobs that this user may not see use their nodes.
test_private()
{
	[ "$(id -u)" = 0 ] || { echo "  (one user only)"; exit 0; }
	"$cluster" conf "$run" --conf PrivateData=jobs && scontrol reconfigure || fail "not reconfigured"
	wait_state "$(submit -t 10 -w n1 -n3 'sleep 600')" RUNNING
	look private
	events private >"$run/work/text"
	! grep -q 'event run' "$run/work/text" || fail "a job is shown"
	grep -q 'event block 1 .* n1:3:' "$run/work/text" || fail "not in use: $(cat "$run/work/text")"
	# A service of such a user names the cause.
	rm -rf "$run/work/site"
	mkdir "$run/work/site" && chmod 777 "$run/work/site" || exit 1
	as_nobody predict --journal "$run/work/private" --publish "$run/work/site" >"$run/work/text" 2>&1 ||
		fail "publish: $(cat "$run/work/text")"
	as_nobody queue --site "$run/work/site" >"$run/work/text" 2>&1
	grep -q '(PrivateData) to the service that publishes this' "$run/work/text" ||
		fail "queue: $(cat "$run/work/text")"
	grep -q '(PrivateData) to the service' "$run/work/site/index.html" || fail "the page does not say so"
}

two_threads='CPUs=4 Sockets=1 CoresPerSocket=2 ThreadsPerCore=2'
live_main "$@" -- --nodes 6 --cpus 4 --node "n5 $two_threads" --node "n6 $two_threads" \
	--partition 'p Nodes=n[1-4] Default=YES' --partition 'threads Nodes=n[5-6]'
