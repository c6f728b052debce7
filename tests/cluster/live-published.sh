#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the users of a site whose service publishes cost the controller, by the numbers of sdiag: nothing, or
# one run of squeue for jobs that are not published; also where users do not see the jobs of others,
# and when the controller does not answer.

LXFW_SCHEDULER=backfill
export LXFW_SCHEDULER
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/user.sh
. "$(dirname "$0")/user.sh"

# Other users than that of the service have to ask.
[ "$(id -u)" = 0 ] || skip "only root can be several users"

# The user who asks, bin.
asker=2
sleeps='sleep 3600'

as_asker()
{
	setpriv --reuid=$asker --regid=$asker --clear-groups env -i "PATH=$PATH" "SLURM_CONF=$SLURM_CONF" \
		"LXFW_SITE=$run/work/site" "$@"
}

submit_as_asker()
{
	(cd /tmp && as_asker sbatch --parsable -o /dev/null "$@" --wrap "$sleeps") || fail "bin's job is refused"
}

# Questions of bin that the controller has answered.
count()
{
	local number
	number=$(sdiag | sed -n "s/^[[:space:]]*bin *( *$asker) count:\([0-9]*\) .*/\1/p")
	echo "${number:-0}"
}

# asks QUESTIONS STATUS COMMAND...: bin's command, with its output in $run/work/out and its messages in
# $run/work/messages
asks()
{
	local most=$1 status=$2 is=0 before after
	shift 2
	before=$(count)
	as_asker "$run/work/lxfw" "$@" >"$run/work/out" 2>"$run/work/messages" || is=$?
	after=$(count)
	[ "$is" = "$status" ] || fail "lxfw $*: status $is: $(cat "$run/work/out" "$run/work/messages")"
	((after - before <= most)) || fail "lxfw $*: $((after - before)) questions: $(cat "$run/work/messages")"
}

# says PATTERN: the last answer has such a line.
says()
{
	grep -qE -e "$1" "$run/work/out" "$run/work/messages" ||
		fail "no '$1': $(cat "$run/work/out" "$run/work/messages")"
}

# --- the service ------------------------------------------------------------------------

# service USER: the watch and the publisher, as this user
service()
{
	local whose=$1 command=become_nobody
	[ -x "$run/work/lxfw" ] || cp "$build/lxfw" "$run/work/lxfw" || exit 1
	[ "$whose" = nobody ] || command="exec $run/work/lxfw"
	rm -rf "$run/work/site" "$run/work/journal"*
	mkdir "$run/work/site" && chmod 755 "$run/work/site" || exit 1
	[ "$whose" != nobody ] || chown 65534 "$run/work/site"
	(cd "$run/work" && umask 022 && $command watch --interval 10 --journal "$run/work/journal" >"$run/work/watch.out" 2>&1) &
	watcher=$!
	poll 60 test -s "$run/work/journal" || fail "nothing is watched: $(cat "$run/work/watch.out")"
	publish "$whose"
}

# A round of the service with all that Slurm shows now. Services begin with one.
publish()
{
	local command=become_nobody
	[ "$1" = nobody ] || command="exec $run/work/lxfw"
	[ -z "${publisher-}" ] || end_process "$publisher"
	rm -f "$run/work/site/queue.json"
	$command predict --journal "$run/work/journal" --publish "$run/work/site" --every 60 --moments 0 \
		>>"$run/work/publish.out" 2>&1 &
	publisher=$!
	poll 90 test -s "$run/work/site/queue.json" || fail "nothing is published: $(cat "$run/work/publish.out")"
}

end_process()
{
	kill -TERM "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

end_service()
{
	end_process "$watcher"
	end_process "$publisher"
	publisher=
}

# is_watched JOB...: the watch has seen them
is_watched()
{
	local job
	for job; do
		"$build/lxfw" journal "$run/work/journal" 2>/dev/null | grep -qE "(submit|run|not-eligible) $job( |\$)" ||
			return 1
	done
}

# --- tests ------------------------------------------------------------------------------

# Node n1 is in use, and jobs of root and bin wait.
make_jobs()
{
	runs=$(submit -N1 -w n1 --exclusive -t 60 "$sleeps") || exit 1
	wait_state "$runs" RUNNING
	wide=$(submit -N3 --exclusive -t 30 "$sleeps") || exit 1
	own=$(submit_as_asker -N3 --exclusive -t 20) || exit 1
	held=$(submit_as_asker -H -n1 -t 20) || exit 1
	ended=$(submit -n1 -t 1 'true') || exit 1
	scancel "$ended"
}

test_nothing_is_asked()
{
	local name
	make_jobs
	service nobody
	poll 60 is_watched "$wide" "$own" "$held" || fail "jobs are not seen: $(cat "$run/work/watch.out")"
	publish nobody
	asks 0 0 queue
	says "^ +1 $wide .* 12 "
	asks 0 0 queue --me --running
	says "^ +2 $own +bin "
	! grep -q ' root ' "$run/work/out" || fail "jobs of others: $(cat "$run/work/out")"
	asks 0 0 status
	asks 0 0 predict
	for name in "$own" "00$own" "$own.0" "$own.batch"; do
		asks 0 0 predict "$name"
		asks 0 0 why "$name"
		says "^Job $own has waited"
		asks 0 0 queue "$name"
	done
	asks 0 1 predict "$held"
	asks 0 0 why "$held"
	# The last hosts are free, and no job may start there before the wide one.
	for request in '-n 4 -t 10' '-N 2 -n 8 -t 10' '-n 1 -c 2 -t 10' '-w n2 -n 1 -t 10' '-x n1 -n 8 -t 10' \
		'-C old&big -n 1 -t 10' '-C old|big -n 1 -t 10' '-C old -n 1 -t 10' '-L lic:1 -n 1 -t 10' \
		"-d afterok:$own -n 1 -t 10" '--begin=now+1hour -n 1 -t 10'; do
		asks 0 0 predict --request "$request"
		says 'expected start|^-'
	done
	asks 0 2 predict --request '-C none -n 1 -t 10'
	asks 0 2 predict --request '-w n77 -n 1 -t 10'
	# Jobs that are not published: squeue asks for these, and for the partitions.
	for name in "$ended" 999999; do
		for command in why predict queue; do
			asks 2 1 $command "$name"
			says "job $name: Slurm shows no such job"
		done
	done
	asks 2 1 queue 999991 999992 999993 999994 999995 999996 999997 999998 "$own" "$wide"
	new=$(submit_as_asker -n1 -t 20) || exit 1
	asks 2 1 why "$new"
	says "job $new was submitted after the last round"
	end_service
	! grep -qaE 'Job is at|bin|root' <(sed -n '/^RUNNING\|^PENDING/p' "$run/work/site/look") ||
		fail "users: $(cat "$run/work/site/look")"
}

# While the controller does not answer, users do not wait for it.
test_silence()
{
	local began
	make_jobs
	service nobody
	poll 60 is_watched "$wide" "$own" || fail "jobs are not seen"
	publish nobody
	kill -STOP "$(cat "$run/pid/slurmctld.started")" || fail "slurmctld does not stop"
	end_process "$publisher"
	publisher=
	began=$SECONDS
	# Its first round waits for squeue.
	become_nobody predict --journal "$run/work/journal" --publish "$run/work/site" --every 60 --moments 0 \
		>"$run/work/publish.out" 2>&1 &
	publisher=$!
	poll 240 grep -q '"manager_answers":false' "$run/work/site/queue.json" ||
		fail "no round: $(cat "$run/work/publish.out")"
	echo "  (a round of a silent controller: $((SECONDS - began)) s)"
	began=$SECONDS
	silent 0 queue --me
	says "^ +2 $own +bin +p "
	! grep -q ' root ' "$run/work/out" || fail "jobs of others: $(cat "$run/work/out")"
	silent 0 queue
	silent 0 predict "$own"
	silent 0 why "$own"
	says 'the workload manager did not answer after that'
	silent 0 status
	silent 0 predict --request '-w n2 -n 1 -t 10'
	for command in why predict queue; do
		silent 1 $command 999999
		says 'job 999999 was not in the queue .* ago, and Slurm does not answer'
	done
	((SECONDS - began < 60)) || fail "$((SECONDS - began)) s for nine answers"
	kill -CONT "$(cat "$run/pid/slurmctld.started")"
	end_service
}

silent()
{
	local status=$1 is=0
	shift
	as_asker timeout 60 "$run/work/lxfw" "$@" >"$run/work/out" 2>"$run/work/messages" || is=$?
	[ "$is" = "$status" ] || fail "lxfw $*: status $is: $(cat "$run/work/out" "$run/work/messages")"
}

# With PrivateData, a service without privileges sees none of the jobs. The last test: this stays configured.
test_hidden_jobs()
{
	local own array wide
	"$cluster" conf "$run" --conf PrivateData=jobs && reconfigure || fail "reconfigure fails"
	wide=$(submit -N3 --exclusive -t 30 "$sleeps") || exit 1
	wait_state "$wide" RUNNING
	own=$(submit_as_asker -N3 --exclusive -t 20) || exit 1
	array=$(submit_as_asker --array=1-3 -N3 --exclusive -t 20) || exit 1
	poll 60 planned "$own" || fail "Slurm plans no start: $(squeue)"
	service nobody
	publish nobody
	asks 2 0 queue --me
	says "^ +$own +bin +p +[0-9]+ .* Slurm says: .*, and plans its start at"
	says "^ +${array}_\[1-3\] +bin "
	! grep -q ' root ' "$run/work/out" || fail "jobs of others: $(cat "$run/work/out")"
	for command in why predict queue; do
		asks 2 1 $command "$own"
		says "job $own waits \(.*\), and Slurm plans its start at .*; the service that publishes here does not see it"
		! grep -q 'the next one is due' "$run/work/messages" || fail "a promise: $(cat "$run/work/messages")"
	done
	asks 0 0 predict --request '-n 4 -t 10'
	says 'does not show the jobs of users'
	as_asker "$run/work/lxfw" why --slurm "$own" >"$run/work/out" 2>&1 || fail "why --slurm: $(cat "$run/work/out")"
	says 'No job of yours is before it in the queue; how many of others are is not known'
	grep -q 'PrivateData hides the jobs of others from this user' "$run/work/publish.out" ||
		fail "the service does not say so: $(cat "$run/work/publish.out")"
	end_service
	# One that sees all of them.
	service root
	poll 60 is_watched "$own" || fail "jobs are not seen: $(cat "$run/work/watch.out")"
	publish root
	asks 0 0 why "$own"
	says "^Job $own has waited"
	asks 2 0 queue --me
	says "^ +1 $own +bin "
	! grep -q 'not in what is published' "$run/work/messages" || fail "hidden: $(cat "$run/work/messages")"
	[ ! -e "$run/work/site/owners" ] || fail "users are published"
	! grep -q '"user"' "$run/work/site/queue.json" || fail "users are published: $(cat "$run/work/site/queue.json")"
	end_service
}

planned()
{
	squeue -h -j "$1" -o %S | grep -qx '[0-9]*'
}

live_main "$@" -- --nodes 3 --cpus 4 --conf Licenses=lic:2 --node 'n1 Feature=old' \
	--node 'n2 Feature=old,big' --node 'n3 Feature=big' --partition 'p Nodes=n[1-3] Default=YES'
