#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw route on three clusters with one slurmdbd: the cluster of each job, clusters and
# controllers that are dead, and waiting jobs that move.

# Slurm accepts heterogeneous jobs only under this name of the scheduler.
export LXFW_STOCK_NAME=1
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"
# shellcheck source=tests/cluster/accounts.sh
. "$(dirname "$0")/accounts.sh"
# shellcheck source=tests/cluster/route.sh
. "$(dirname "$0")/route.sh"

route_options=(--nodes 2 --cpus 4)
route_conf=(answer=3 age=10 margin=30 settle=2 moves=2)

# anywhere COMMAND...: run it for each cluster.
anywhere()
{
	local name
	for name in "${routed_clusters[@]}"; do
		on "$name" "$@"
	done
}

# send OPTIONS... COMMAND: as a user does. Prints "NUMBER CLUSTER".
as=()	# a command that runs sbatch as another user
send()
{
	(cd "$run/work" && "${as[@]}" sbatch -o /dev/null "${@:1:$#-1}" --wrap "${*: -1}" 2>>"$run/log/sbatch") |
		sed -n 's/^Submitted batch job \([0-9]*\) on cluster \(.*\)/\1 \2/p; s/^Submitted batch job \([0-9]*\)$/\1 home/p'
}

# occupy CLUSTER SECONDS [NODES]: fill its nodes.
occupy()
{
	local id
	id=$(on "$1" sbatch --parsable -D "$run/work" -o /dev/null -N "${3:-2}" --exclusive \
		-t "$((($2 + 59) / 60))" --wrap "sleep $2") || fail "$1: sbatch"
	poll 60 is_running "$1" "$id" || fail "job $id of $1 does not start"
	echo "$id"
}

is_running()
{
	[ "$(on "$1" squeue -h -t all -j "$2" -o %T)" = RUNNING ]
}

is_pending()
{
	[ "$(on "$1" squeue -h -t all -j "$2" -o %T)" = PENDING ]
}

# The cluster of the job with this name, and all others in which it is.
where()
{
	local name
	for name in "${routed_clusters[@]}"; do
		on "$name" squeue -h -t all -n "$1" -o "$name"
	done | xargs
}

# start_controller CLUSTER: and a new server, since the old one may still believe that the
# controller answers, and then find that it did not while it was down.
start_controller()
{
	"$cluster" start-ctld "$(folder_of "$1")" || fail "$1 does not start"
	stop_server "$1" KILL 2>/dev/null
	start_server "$1"
	poll 60 answers "$1" || fail "$1 does not answer"
}

# No jobs anywhere, and all controllers and servers up.
reset_all()
{
	local name
	rm -f "$run/then"
	for name in "${routed_clusters[@]}"; do
		on "$name" controller_up || start_controller "$name"
		on "$name" scancel -u "$(id -un)" 2>/dev/null
		on "$name" scancel -u daemon 2>/dev/null
		server_runs "$name" || start_server "$name"
	done
	for name in "${routed_clusters[@]}"; do
		poll 90 on "$name" none_unfinished || fail "$name: jobs left: $(on "$name" squeue)"
		"$cluster" wait-up "$(folder_of "$name")" || fail "$name: nodes are not idle"
		poll 60 answers "$name" || fail "$name does not answer"
	done
	write_filter
	rm -rf "${run:?}"/records/*
}

# Jobs go where they start at once.
test_goes_where_it_starts()
{
	local id name job=one$RANDOM
	lxfw_only
	reset_all
	occupy alpha 300 >/dev/null
	occupy gamma 300 >/dev/null
	poll 60 wait_of alpha 100 || fail "$(ask -n 1 -t 1)"
	poll 60 is_best beta -n 1 -t 1 || fail "$(ask -n 1 -t 1)"
	read -r id name <<<"$(send -J "$job" -n 1 -t 1 'sleep 1')"
	[ "$name" = beta ] || fail "on cluster '$name'"
	grep -q '^lxfw: cluster beta, expected start at once$' "$run/log/sbatch" || fail "$(tail -n 3 "$run/log/sbatch")"
	[ "$(where "$job")" = beta ] || fail "it is on $(where "$job")"
}

# is_best CLUSTER OPTIONS...: true if it is chosen.
is_best()
{
	[ "$(ask "${@:2}" | head -n 1)" = "cluster $1" ]
}

# wait_of CLUSTER SECONDS: a job there waits at least so long.
wait_of()
{
	ask -n 1 -t 1 | awk -v name="$1" -v least="$2" '
		$1 == "offer" && $2 == name && $4 >= least { found = 1 }
		END { exit !found }'
}

# -M, the variable, and jobs that the clusters cannot be asked for, go where they always did.
test_respects_the_user()
{
	local id name option
	lxfw_only
	reset_all
	occupy alpha 300 >/dev/null
	poll 60 wait_of alpha 100 || fail "$(ask -n 1 -t 1)"
	read -r id name <<<"$(send -M gamma -n 1 -t 1 true)"
	[ "$name" = gamma ] || fail "-M gamma: on '$name'"
	read -r id name <<<"$(SBATCH_CLUSTERS=gamma send -n 1 -t 1 true)"
	[ "$name" = gamma ] || fail "SBATCH_CLUSTERS=gamma: on '$name'"
	read -r id name <<<"$(LXFW_ROUTE=no send -n 1 -t 1 true)"
	[ "$name" = home ] || fail "LXFW_ROUTE=no: on '$name'"
	for option in --array=1-2 --dependency=singleton --hold --begin=now+60 --nodelist=n1; do
		read -r id name <<<"$(send "$option" -n 1 -t 1 true)"
		[ "$name" = home ] || fail "$option: on '$name'"
	done
	read -r id name <<<"$(send -n 1 -t 1 : -n 1 true)"
	[ "$name" = home ] || fail "a heterogeneous job: on '$name'"
	id=$(sbatch --parsable -D "$run/work" -o /dev/null -n 1 -t 1 --wrap true)
	[[ $id =~ ^[0-9]+$ ]] || fail "--parsable prints '$id'"
	id=$(LXFW_ROUTE=yes sbatch --parsable -D "$run/work" -o /dev/null -n 1 -t 1 --wrap true)
	[[ $id =~ ^[0-9]+\;(beta|gamma)$ ]] || fail "--parsable with LXFW_ROUTE=yes prints '$id'"
}

# A server that is dead or does not answer, and a controller that is dead, are passed over.
test_dead_are_passed_over()
{
	local begin name
	lxfw_only
	reset_all
	occupy alpha 300 >/dev/null
	occupy gamma 300 >/dev/null
	poll 60 wait_of gamma 100 || fail "$(ask -n 1 -t 1)"
	poll 60 is_best beta -n 1 -t 1 || fail "$(ask -n 1 -t 1)"
	stop_server beta STOP
	begin=$(date +%s%N)
	ask -n 1 -t 1 >"$run/log/ask"
	(($(date +%s%N) - begin < 20000000000)) || fail "asked for $((($(date +%s%N) - begin) / 1000000)) ms"
	grep -q '^passed over beta: .*no answer in time' "$run/log/ask" || fail "$(cat "$run/log/ask")"
	grep -q '^cluster \(alpha\|gamma\)$' "$run/log/ask" || fail "$(cat "$run/log/ask")"
	stop_server beta CONT
	"$cluster" kill9-ctld "$run/beta"
	poll 60 passed_over beta 'its controller has not answered' || fail "$(ask -n 1 -t 1)"
	stop_server beta KILL
	poll 60 passed_over beta 'Connection refused' || fail "$(ask -n 1 -t 1)"
	read -r _ name <<<"$(send -J other -n 1 -t 1 true)"
	[[ $name =~ ^(alpha|gamma)$ ]] || fail "on '$name'"
}

passed_over()
{
	ask -n 1 -t 1 | grep -q "^passed over $1: .*$2"
}

# A controller dies between the answer and the submission.
test_dies_in_between()
{
	# Names of this run of the test alone: squeue shows jobs for a while after their end.
	local said status between=between$RANDOM alone=alone$RANDOM
	lxfw_only
	reset_all
	occupy alpha 300 >/dev/null
	poll 60 wait_of alpha 100 || fail "$(ask -n 1 -t 1)"
	write_program
	write_filter "$run/lxfw"
	poll 60 is_best beta -n 1 -t 1 || fail "$(ask -n 1 -t 1)"
	# beta is the first of equal clusters.
	echo "rm '$run/then'; '$cluster' kill9-ctld '$run/beta'" >"$run/then"
	said=$("$build/lxfw" route --submit --sbatch "$(type -P sbatch)" -- -D "$run/work" -o /dev/null -J "$between" \
		-n 1 -t 1 --wrap "echo ran >>$run/$between" 2>&1)
	status=$?
	[ "$status" = 0 ] || fail "exit status $status: $said"
	[ ! -e "$run/then" ] || fail "nothing was killed"
	[[ $said = *'cluster beta cannot be reached'*'on cluster gamma'* ]] || fail "$said"
	poll 60 test -s "$run/$between" || fail "the job does not run: $(where "$between")"
	start_controller beta
	[ "$(where "$between")" = gamma ] || fail "it is on $(where "$between")"
	[ "$(wc -l <"$run/$between")" = 1 ] || fail "it ran $(wc -l <"$run/$between") times"
	# sbatch alone fails, and nothing is submitted. Until the nodes have answered the new controller,
	# beta may be the best one of its old state and then none at all: a job shows that they have.
	on beta srun -D "$run/work" -n 1 -t 1 true || fail "beta runs no job"
	poll 60 is_best beta -n 1 -t 1 || fail "$(ask -n 1 -t 1)"
	echo "rm '$run/then'; '$cluster' kill9-ctld '$run/beta'" >"$run/then"
	said=$(sbatch -D "$run/work" -o /dev/null -J "$alone" -n 1 -t 1 --wrap true 2>&1) && fail "$said"
	[ ! -e "$run/then" ] || fail "nothing was killed"
	start_controller beta
	[ -z "$(where "$alone")" ] || fail "it is on $(where "$alone")"
}

# share_burst LEAST: each cluster has at least that number of the twelve jobs.
share_burst()
{
	local counts
	counts=$(where "$burst" | tr ' ' '\n' | sort | uniq -c | awk '{ print $1 }' | xargs)
	[ "$(where "$burst" | wc -w)" = 12 ] || fail "$(where "$burst")"
	[ "$(tr ' ' '\n' <<<"$counts" | sort -n | head -n 1)" -ge "$1" ] &&
		[ "$(wc -w <<<"$counts")" = 3 ] || fail "jobs per cluster: $counts"
}

# Jobs that are submitted faster than the plugins look are shared: evenly if one is submitted
# after the other. Those that ask at the same time do not know of each other.
test_burst()
{
	local i burst
	lxfw_only
	reset_all
	anywhere true
	for i in alpha beta gamma; do
		occupy "$i" 300 >/dev/null
	done
	for i in alpha beta gamma; do
		poll 60 wait_of "$i" 100 || fail "$(ask -n 1 -t 1)"
	done
	burst=even$RANDOM
	for ((i = 0; i < 12; i++)); do
		send -J "$burst" -N 2 --exclusive -t 2 true >/dev/null
	done
	share_burst 3
	burst=burst$RANDOM
	for ((i = 0; i < 12; i++)); do
		send -J "$burst" -N 2 --exclusive -t 2 true >/dev/null &
	done
	wait
	share_burst 1
}

#
# Moves.
#
occupy_all()
{
	local name
	blockers=()
	for name in "${routed_clusters[@]}"; do
		blockers+=("$(occupy "$name" 3600)")
	done
	for name in "${routed_clusters[@]}"; do
		poll 60 wait_of "$name" 3000 || fail "$(ask -n 1 -t 1)"
	done
}

# Fill all clusters, and submit a job with OPTIONS that waits for an hour. Sets `job`, its name, `home`, where
# it waits, `number`, and `other`, which is then made free.
wait_somewhere()
{
	occupy_all
	rm -f "$run/work/ran"
	job=moves$RANDOM
	read -r number home <<<"$(send -J "$job" -N 2 --exclusive -t 3 "$@" \
		"echo \"ran \$PWD \$MARK \$SLURM_CLUSTER_NAME \$(umask)\" >>'$run/work/ran'")"
	wait_there
}

# wait_as COMMAND...: the same for the job that a command submits in the folder work, whose
# output has the line "Submitted batch job ...", and whose name is `job`.
wait_as()
{
	occupy_all
	rm -f "$run/work/ran"
	read -r number home <<<"$(cd "$run/work" && "$@" 2>>"$run/log/sbatch" |
		sed -n 's/^Submitted batch job \([0-9]*\) on cluster \(.*\)/\1 \2/p')"
	wait_there
}

wait_there()
{
	local name
	[[ $home =~ ^(alpha|beta|gamma)$ ]] || fail "on '$home': $(tail -n 3 "$run/log/sbatch")"
	other=gamma
	[ "$home" != gamma ] || other=beta
	for name in "${!routed_clusters[@]}"; do
		[ "${routed_clusters[name]}" != "$other" ] || on "$other" scancel "${blockers[name]}"
	done
	poll 60 free "$other" || fail "$(ask -n 1 -t 1; on "$other" squeue -t all -o '%i %T %u %l %N')"
}

free()
{
	! wait_of "$1" 1
}

pull()
{
	(cd / && "$build/lxfw" route --pull --visits process --conf "$run/route.conf" --sbatch "$(type -P sbatch)" "$@") \
		>>"$run/log/pull" 2>&1
}

pull_until()
{
	pull
	"$@"
}

has_run()
{
	[ -s "$run/work/ran" ]
}

# The job has run once, and no other one is left of it.
expect_once()
{
	local name left
	poll 90 pull_until has_run || fail "it does not run: $(where "$job"); $(tail -n 5 "$run/log/pull")"
	poll 60 pull_until at_rest || fail "the move does not end: $(cat "$run"/records/*/*.state)"
	left=$(for name in "${routed_clusters[@]}"; do
		on "$name" squeue -h -t PD,R,CG,S -n "$job" -o "$name %i %T"
	done | grep -v COMPLETING)
	[ -z "$left" ] || fail "left over: $left"
	[ "$(grep -c '^ran ' "$run/work/ran")" = 1 ] || fail "it ran $(grep -c '^ran ' "$run/work/ran") times: $(cat "$run/work/ran")"
}

at_rest()
{
	! grep -qvE '^lxfw-move 1 (rest|done) ' "$run"/records/*/*.state 2>/dev/null
}

# A job that waits moves to a cluster that starts it earlier, as it was submitted.
test_pull()
{
	local job home number other
	lxfw_only
	reset_all
	export MARK='a "word" and
another line'
	(umask 027; wait_somewhere; echo "$job $home $number $other" >"$run/moved") || exit 1
	read -r job home number other <"$run/moved"
	pull --dry-run
	[ "$(where "$job")" = "$home" ] || fail "--dry-run: it is on $(where "$job")"
	expect_once
	grep -q "^user 0: job $number of $home moved to $other as job" "$run/log/pull" || fail "$(cat "$run/log/pull")"
	[ "$(cat "$run/work/ran")" = "ran $run/work $MARK $other 0027" ] || fail "$(cat "$run/work/ran")"
	[ "$(on "$home" squeue -h -t all -j "$number" -o %T)" = CANCELLED ] || fail "the old job: $(on "$home" squeue -t all)"
}

# The same for a script with options in its lines, with arguments, and for one from the
# standard input. The file is not there any more when the job moves.
test_pull_scripts()
{
	local job home number other
	lxfw_only
	reset_all
	cat >"$run/work/script.sh" <<-'END'
	#!/bin/bash
	#SBATCH -J with-lines -N 2 -t 3
	#SBATCH --exclusive -o /dev/null
	echo "ran $# <$1> <$2>" >>"$SLURM_SUBMIT_DIR/ran"
	END
	job=with-lines
	wait_as sbatch script.sh "an argument" '$(touch pwned)'
	rm "$run/work/script.sh"
	expect_once
	[ "$(cat "$run/work/ran")" = 'ran 2 <an argument> <$(touch pwned)>' ] || fail "$(cat "$run/work/ran")"
	[ ! -e "$run/work/pwned" ] || fail "a shell has run an argument"
	reset_all
	printf '#!/bin/bash\necho "ran $SLURM_JOB_NAME" >>"$SLURM_SUBMIT_DIR/ran"\n' >"$run/work/input"
	job=sbatch
	wait_as sh -c 'sbatch -N 2 -t 3 --exclusive -o /dev/null <input'
	expect_once
	[ "$(cat "$run/work/ran")" = 'ran sbatch' ] || fail "$(cat "$run/work/ran")"
}

# Root moves the job of another user, as that user.
test_pull_for_a_user()
{
	local job home number other plain=daemon name
	lxfw_only
	[ "$(id -u)" = 0 ] || { echo "  (only as root)"; return; }
	reset_all
	for name in "${routed_clusters[@]}"; do
		manage add account plain cluster="$name"
		manage add user $plain account=plain cluster="$name"
		poll 60 on "$name" knows_user $plain || fail "$name does not know $plain"
	done
	as=(setpriv "--reuid=$plain" "--regid=$(id -g $plain)" --clear-groups)
	# The user may not be able to read the folder of the build.
	cp "$build/lxfw" "$run/bin/lxfw" || fail "lxfw cannot be copied"
	write_filter "$run/bin/lxfw"
	# The first job of a user has no record, and root makes the folder for the next ones.
	send -J first -n 1 -t 1 true >/dev/null
	pull
	wait_somewhere
	[ "$(stat -c '%U %a' "$run/records/$(id -u $plain)")" = "$plain 700" ] || fail "$(ls -la "$run/records")"
	expect_once
	[ "$(stat -c %U "$run/work/ran")" = $plain ] || fail "it ran as $(stat -c %U "$run/work/ran")"
	[ "$(on "$other" squeue -h -t all -n "$job" -o %u)" = $plain ] || fail "$(on "$other" squeue -t all)"
	! find "$run/records/$(id -u $plain)" ! -user $plain | grep . || fail "files of another user"
}

knows_user()
{
	scontrol show assoc_mgr flags=assoc 2>/dev/null | grep -q "UserName=$1("
}

# Jobs that must stay: arrays, dependencies, those with -M, a comment or LXFW_ROUTE=stay, and
# those that were changed later.
test_stays()
{
	local job home number other i change
	lxfw_only
	reset_all
	LXFW_ROUTE=stay wait_somewhere
	send --array=1-2 -N 2 --exclusive -t 3 true >/dev/null
	send -M "$home" -J "$job" -N 2 --exclusive -t 3 true >/dev/null
	for ((i = 0; i < 3; i++)); do
		pull
	done
	[ "$(where "$job" | tr ' ' '\n' | sort -u)" = "$home" ] || fail "they are on $(where "$job")"
	[ ! -e "$run/work/ran" ] || fail "it has run"
	# Slurm changes the number of tasks with the number of nodes.
	for change in TimeLimit=2 NumNodes=1; do
		reset_all
		wait_somewhere
		on "$home" scontrol update "jobid=$number" "$change" || fail "scontrol"
		poll 60 pull_until grep -q "job $number on $home was changed after its submission (${change:0:3}" "$run/log/pull" ||
			fail "$(tail -n 5 "$run/log/pull")"
		pull
		on "$home" is_pending "$home" "$number" || fail "$(on "$home" squeue -t all)"
		[ ! -e "$run/work/ran" ] || fail "it has run"
	done
}

# The process that moves a job is killed before or after its call number N of a program of Slurm,
# and another one continues.
kill_at()
{
	local job home number other name
	reset_all
	wait_somewhere
	mkdir -p "$run/kill"
	for name in scontrol scancel sbatch squeue; do
		cat >"$run/kill/$name" <<-END
		#!/bin/bash
		exec 9>"$run/kill/lock"
		flock 9
		count=\$((\$(cat "$run/kill/count") - 1))
		echo \$count >"$run/kill/count"
		victim=\$PPID
		[ "\$(cat /proc/\$victim/comm)" != timeout ] || victim=\$(cut -d' ' -f4 /proc/\$victim/stat)
		[ "\$count $2" != '0 before' ] || { kill -9 \$victim; exit 1; }
		"$(type -P $name)" "\$@" 9>&-
		status=\$?
		[ "\$count $2" != '0 after' ] || kill -9 \$victim
		exit \$status
		END
		chmod 755 "$run/kill/$name"
	done
	echo "$1" >"$run/kill/count"
	for ((name = 0; name < 60; name++)); do
		(cd / && PATH=$run/kill:$PATH "$build/lxfw" route --pull --visits process --conf "$run/route.conf" \
			--sbatch "$run/kill/sbatch") >>"$run/log/pull" 2>&1
		[ "$(cat "$run/kill/count")" -gt 0 ] || break
		! has_run || break
	done
	[ "$(cat "$run/kill/count")" -le 0 ] || echo "  (call $1 is not reached)"
	expect_once
}

test_pull_killed()
{
	local at when places='7,before 9,after 14,after'
	lxfw_only
	[ -z "${LXFW_SLOW-}" ] || places=$(for ((at = 4; at <= 40; at++)); do echo "$at,before $at,after"; done)
	for at in $places; do
		when=${at#*,}
		kill_at "${at%,*}" "$when"
	done
}

# have_saved_on CLUSTER: wait until all jobs that it has now are saved. Slurm saves them some
# seconds after a change, here of a job that is held.
have_saved_on()
{
	local held
	held=$(on "$1" sbatch --parsable -D "$run/work" -o /dev/null --hold -n 1 -t 1 --wrap true) || fail "$1: sbatch"
	touch -d '+1 second' "$run/now"
	poll 120 change_and_look_on "$1" "${held%;*}" || fail "$1 does not save its state"
}

change_and_look_on()
{
	on "$1" scontrol update "jobid=$2" "admincomment=$RANDOM" &&
		[ "$(folder_of "$1")/state/job_state" -nt "$run/now" ]
}

is_copying()
{
	grep -qs 'lxfw-move 1 copying' "$run"/records/*/*.state
}

# The controller of either cluster dies while a job moves.
test_pull_controller_dies()
{
	local job home number other victim
	lxfw_only
	for victim in old new; do
		reset_all
		wait_somewhere
		[ "$victim" = old ] && victim=$home || victim=$other
		poll 60 pull_until is_copying || fail "$(cat "$run/log/pull")"
		have_saved_on "$victim"
		"$cluster" kill9-ctld "$(folder_of "$victim")"
		pull
		pull
		start_controller "$victim"
		expect_once
	done
}

# --- what users may write

# Nothing that a user gives reaches a shell.
test_injection()
{
	local bad name
	lxfw_only
	reset_all
	for bad in "'; touch $run/pwned; '" "\$(touch $run/pwned)" "\`touch $run/pwned\`" '"' $'a\nb'; do
		sbatch -D "$run/work" -o /dev/null -n 1 -t 1 -J "$bad" --wrap true >/dev/null 2>&1
		sbatch -D "$run/work" -o /dev/null -n 1 -t 1 -p "$bad" --wrap true >/dev/null 2>&1
		sbatch -D "$run/work" -o /dev/null -n "$bad" -t "$bad" --mem "$bad" --wrap true >/dev/null 2>&1
		sbatch -D "$run/work" -o /dev/null -n 1 -t 1 --comment "$bad" --wrap true >/dev/null 2>&1
		LXFW_ROUTE_TOLD="/tmp/lxfw-route.$bad" sbatch -D "$run/work" -o /dev/null -n 1 -t 1 --wrap true >/dev/null 2>&1
		LXFW_ROUTE=$bad sbatch -D "$run/work" -o /dev/null -n 1 -t 1 --wrap true >/dev/null 2>&1
		ask "$bad" >/dev/null 2>&1
	done
	[ ! -e "$run/pwned" ] || fail "a shell has run $run/pwned"
	# And jobs with ordinary options are still routed.
	occupy alpha 60 >/dev/null
	poll 60 wait_of alpha 10 || fail "$(ask -n 1 -t 1)"
	read -r _ name <<<"$(send -n 1 -t 1 true)"
	[[ $name =~ ^(beta|gamma)$ ]] || fail "on '$name'"
}

# Clients that send anything, or nothing, do not keep a server from answering.
test_bad_clients()
{
	lxfw_only
	reset_all
	python3 - "$run/beta.socket" <<-'END' || fail "the server is gone"
	import os, random, socket, sys, time
	def client():
	    one = socket.socket(socket.AF_UNIX)
	    one.settimeout(5)
	    for number in range(6000):
	        try:
	            one.connect(sys.argv[1])
	            break
	        except BlockingIOError:	# the queue of the socket is full
	            time.sleep(0.01)
	    return one
	idle = []
	for number in range(200):
	    idle.append(client())
	    if number % 2:
	        idle[-1].send(b"lxfw-route 1\nstart -n 1")
	random.seed(1)
	for number in range(200):
	    one = client()
	    try:
	        one.sendall(os.urandom(random.choice([1, 100, 200000])) + b"\nend\n")
	        one.recv(1000)
	    except OSError:
	        pass
	one = client()
	one.settimeout(60)
	one.sendall(b"lxfw-route 1\nstart -n 1 -t 1\n" + b"routed 1 -n 1 -t 5\n" * 64 + b"end\n")
	answer = one.recv(1000)
	sys.exit(not answer.startswith(b"lxfw-route 1 start "))
	END
	answers beta || fail "$(ask -n 1 -t 1)"
	server_runs beta || fail "the server has ended"
}

# question CLUSTER LINE [COMMAND...]: what a server answers, asked by a command that runs as another user.
question()
{
	"${@:3}" perl -MSocket -e 'socket(my $one, PF_UNIX, SOCK_STREAM, 0) or die $!;
		connect($one, sockaddr_un($ARGV[0])) or die $!;
		syswrite($one, "lxfw-route 1\n$ARGV[1]\nend\n");
		print <$one>;' "$run/$1.socket" "$2"
}

# A job that waits is shown to root, SlurmUser and its owner.
test_job_is_private()
{
	local id name other
	lxfw_only
	[ "$(id -u)" = 0 ] || { echo "  (only as root)"; return; }
	reset_all
	occupy beta 3600 >/dev/null
	on beta manage add account plain cluster=beta
	on beta manage add user daemon account=plain cluster=beta
	poll 60 on beta knows_user daemon || fail "beta does not know daemon"
	as=(setpriv --reuid=daemon "--regid=$(id -g daemon)" --clear-groups)
	read -r id name <<<"$(send -M beta -N 2 --exclusive -t 3 true)"
	[ "$name" = beta ] || fail "on '$name': $(tail -n 3 "$run/log/sbatch")"
	poll 60 shown "$id" "${as[@]}" || fail "not to its owner: $(question beta "job $id" "${as[@]}")"
	shown "$id" || fail "not to root: $(question beta "job $id")"
	other=$(question beta "job $id" setpriv --reuid=nobody --clear-groups)
	[ "$other" = 'lxfw-route 1 no no such job waits' ] || fail "to another user: $other"
	on beta scancel "$id"
}

shown()	# JOB [COMMAND...]
{
	[[ $(question beta "job $1" "${@:2}") = 'lxfw-route 1 start '*' 180 '* ]]
}

# Over the network, users are known by the munge of the clusters.
test_network()
{
	local folder port pid
	lxfw_only
	ldd "$build/lxfw" | grep libmunge >/dev/null || { echo "  (built without munge)"; return; }
	reset_all
	folder=$(folder_of beta)
	port=$(python3 -c 'import socket
one = socket.socket()
one.bind(("127.0.0.1", 0))
print(one.getsockname()[1])')
	(
		eval "$("$cluster" env "$folder")"
		LXFW_CLUSTER=$run exec setsid "$build/lxfw" route --serve "127.0.0.1:$port" --journal "$folder/journal" \
			--metrics "$folder/metrics" --ping 1 --munge "$run/munge/socket"
	) </dev/null >>"$run/log/serve.network" 2>&1 &
	pid=$!
	printf '%s\n' "cluster=beta at=127.0.0.1:$port" "munge=$run/munge/socket" "records=$run/asked" answer=3 \
		>"$run/network.conf"
	poll 60 offers_beta || fail "no answer: $(cat "$run/log/serve.network")"
	# A plain question has no answer.
	printf '%s\n' "cluster=beta at=127.0.0.1:$port" network=trusted "records=$run/asked" answer=3 >"$run/network.conf"
	! offers_beta || fail "it answers a plain question"
	kill "$pid"
}

offers_beta()
{
	"$build/lxfw" route --conf "$run/network.conf" --request '-n 1 -t 1' 2>&1 | grep -q '^offer beta '
}

# Folders and files of the user may be anything.
test_bad_records()
{
	local job home number other folder=$run/records/$(id -u)
	lxfw_only
	reset_all
	wait_somewhere
	mkfifo "$folder/0000000000000000.job" "$folder/0000000000000001.state"
	head -c 100000 /dev/urandom >"$folder/0000000000000002.job"
	head -c 100000 /dev/urandom >"$folder/0000000000000003.state"
	ln -s /etc/passwd "$folder/0000000000000004.state"
	mkdir "$folder/0000000000000005.state"
	echo "lxfw-move 1 cancelling 0 1 1 0 nowhere 1 elsewhere" >"$folder/0000000000000006.state"
	timeout 60 "$build/lxfw" route --pull --visits process --conf "$run/route.conf" --sbatch "$(type -P sbatch)" >>"$run/log/pull" 2>&1
	[ $? != 124 ] || fail "it hangs"
	rm -rf "$folder"/000000000000000*
	expect_once
	rm -rf "$folder"
	ln -s /etc "$folder"
	"$build/lxfw" route --conf "$run/route.conf" --request '-n 1 -t 1' >/dev/null || fail "no answer without a folder"
	timeout 60 "$build/lxfw" route --pull --visits process --conf "$run/route.conf" >/dev/null 2>&1
	[ $? != 124 ] || fail "it hangs"
	[ ! -e /etc/recent ] || fail "/etc/recent was written"
	rm "$folder"
}

# The metrics are in the folder of each cluster.
live_params()
{
	echo "defer,sched_interval=-1,lxfw_policy=easy,lxfw_journal=$run/journal,lxfw_metrics=$run/metrics"
}

live_parts 3 "$@"
live_main "$@" -- --nodes 2 --cpus 4 --accounting --name alpha \
	--conf CliFilterPlugins=cli_filter/lua
