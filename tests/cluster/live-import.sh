#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw import from a running Slurm, from slurmrestd with slurmdbd and the controller. It
# must import the same data as sacct prints. Tokens that Slurm rejects must cause an
# error message.

# Slurm's own scheduler is sufficient.
LXFW_SCHEDULER=backfill
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

columns=JobID,JobIDRaw,Submit,Eligible,Start,End,Elapsed,Suspended,NCPUS,ReqCPUS
columns+=,NNodes,ReqMem,Timelimit,State,Partition,User,Group,NodeList,MaxRSS,NTasks
columns+=,ReqTRES,AllocTRES,QOS,Reservation,Account

# Jobs of the preceding tests are included.
since=$((EPOCHSECONDS - 60))
since_text=$(date -d "@$since" +%Y-%m-%dT%H:%M:%S)

# Slurm omits a job that becomes eligible in the last second of the period.
until=$((EPOCHSECONDS + 3600))
until_text=$(date -d "@$until" +%Y-%m-%dT%H:%M:%S)

# Run lxfw import from slurmrestd with further options.
import()
{
	"$build/lxfw" import --slurm-rest "$LXFW_REST" --since "$since" --until "$until" "$@"
}

token()
{
	scontrol token "$@" | sed 's/^SLURM_JWT=//'
}

base64url()
{
	base64 -w0 | tr '+/' '-_' | tr -d =
}

# refused WHAT MESSAGE import ...: no file is written, and the message gives the reason
refused()
{
	local what=$1 message=$2 status
	shift 2
	rm -f "$run/work/none.swf"
	"$@" --out "$run/work/none.swf" >"$run/work/out" 2>"$run/work/told"
	status=$?
	[ $status = 2 ] || fail "$what: exit status $status"
	[ ! -s "$run/work/out" ] && ! ls "$run"/work/none.swf* >/dev/null 2>&1 ||
		fail "$what: an incomplete file was left"
	grep -qE "$message" "$run/work/told" ||
		fail "$what: the message is '$(cat "$run/work/told")', not '$message'"
}

# sacct does not give memory for a host and for a processor differently.
records()
{
	grep -v '^; \(Conversion\|Note\)' "$1" | sed 's/,node-memory//'
}

# Wait until the database has these jobs and their ends. Some records arrive late.
accounted()
{
	local job
	sacct -n -X -a --duplicates -S "$since_text" -E "$until_text" \
		-o jobidraw,state >"$run/work/accounted" 2>>"$run/log/sacct" || return
	for job in "$@"; do
		grep -qE "^$job +(COMPL|FAIL|CANC)" "$run/work/accounted" || return
	done
}

past()
{
	((EPOCHSECONDS > $1))
}

test_same_as_sacct()
{
	local first wide array failing waits again last submit_line=
	# Jobs to be suspended or requeued run until that has happened.
	rm -f "$run/work/go"
	first=$(submit -n 3 -t 5 --mem-per-cpu=500 'until [ -e go ]; do sleep 0.3; done')
	wide=$(submit -N 2 -n 4 -t 1:30 --mem=2000 'sleep 0')
	array=$(submit -n 1 -t 1 --array=1-3 'sleep 0')
	# up to v0.0.38, slurmrestd does not distinguish UNLIMITED from the partition's
	# limit
	failing=$(submit -n 1 -t 2-03:04:05 'exit 3')
	again=$(submit --requeue -n 1 -t 5 'until [ -e go ]; do sleep 0.3; done')
	wait_start "$again"
	wait_start "$first"
	waits=$(submit -N 2 --exclusive --mem=1000 -t 10 'sleep 0')
	# the two records of a job must differ by at least a second
	poll 5 past "$(started "$again")" || fail "the second run does not start later"
	scontrol requeue "$again" || fail "the requeue failed"
	scancel "$waits"
	scontrol suspend "$first" && scontrol resume "$first" ||
		fail "job $first cannot be suspended"
	touch "$run/work/go"
	# the job would start again in two minutes; one run is sufficient
	last=$(submit -n 1 -t 1 --dependency="afterany:$first" 'sleep 0')
	wait_done "$last"
	poll 60 accounted "$first" "$wide" "$array" "$failing" "$waits" "$last" ||
		fail "the database lacks jobs: $(cat "$run/work/accounted")"
	SLURM_JWT=$(token) import --out "$run/work/rest.swf" ||
		fail "import from slurmrestd fails"
	# slurmrestd names the submit line, and with it dependencies, since v0.0.40.
	! grep -q '^; Dependency' "$run/work/rest.swf" || submit_line=,SubmitLine
	sacct -a --duplicates --noconvert --parsable2 -S "$since_text" -E "$until_text" \
		-o "$columns$submit_line" >"$run/work/sacct" || fail "sacct fails"
	"$build/lxfw" import --out "$run/work/sacct.swf" "$run/work/sacct" ||
		fail "import of sacct's records fails"
	[ "$(grep -cv '^;' "$run/work/rest.swf")" = 9 ] || fail "$(cat "$run/work/rest.swf")"
	diff <(records "$run/work/rest.swf") <(records "$run/work/sacct.swf") ||
		fail "slurmrestd and sacct differ"
}

# Wait until a job has ended, in the database too.
one_job()
{
	local job
	job=$(submit -n 1 -t 1 'sleep 0')
	wait_done "$job"
	poll 60 accounted "$job" || fail "job $job is not in the database"
}

test_slices_and_socket()
{
	one_job
	SLURM_JWT=$(token)
	export SLURM_JWT
	import --until now 2>/dev/null && fail "--until accepts an invalid date"
	import --out "$run/work/whole.swf" || fail "import fails"
	import --until "$((EPOCHSECONDS + 60))" --slice 7 --out "$run/work/slices.swf" ||
		fail "import in slices fails"
	cmp "$run/work/whole.swf" "$run/work/slices.swf" || fail "the import in slices differs"
	"$build/lxfw" import --slurm-rest "unix:$run/rest/socket" --since "$since" --until "$until" \
		--out "$run/work/socket.swf" || fail "import through the socket fails"
	cmp "$run/work/whole.swf" "$run/work/socket.swf" || fail "the import through the socket differs"
	refused "nothing in that time" 'none of 0 jobs ended in this period' \
		import --until "$((since + 1))"
}

test_tokens()
{
	one_job
	unset SLURM_JWT
	(umask 077 && scontrol token >"$run/work/token")
	import --token-file "$run/work/token" --out "$run/work/file.swf" ||
		fail "import with a token file fails"
	import --jwt-key "$run/rest/key" --out "$run/work/key.swf" || fail "import with the cluster's key fails"
	cmp "$run/work/file.swf" "$run/work/key.swf" || fail "the imports by token and key differ"
}

test_refused()
{
	local header claims expired
	unset SLURM_JWT
	refused "no token" 'refused \(HTTP 401.*no token was given' import
	expired=$(token lifespan=1)
	poll 10 past "$(expiry "$expired")" || fail "the token does not expire"
	SLURM_JWT=$expired refused "expired" 'refused .*the token expired 20' import
	(umask 077 && head -c 32 /dev/urandom >"$run/work/key")
	refused "wrong key" "refused .*the key of --jwt-key is not" \
		import --jwt-key "$run/work/key"
	header=$(printf '{"alg":"none","typ":"JWT"}' | base64url)
	claims=$(printf '{"sun":"%s","exp":%d}' "$(id -un)" $((EPOCHSECONDS + 600)) | base64url)
	SLURM_JWT=$header.$claims. refused "alg none" 'refused .*not signed \(alg none\)' import
	SLURM_JWT=$(token username=nobody) refused "wrong user" \
		"refused .*the token is for user nobody, but the request is for user $(id -un)" \
		import --user "$(id -un)"
	scontrol token >"$run/work/token"
	chmod 644 "$run/work/token"
	refused "a token for all to read" 'accessible to other users \(mode 0644\)' \
		import --token-file "$run/work/token"
}

# described FILE: print the nodes and partitions that import wrote
described()
{
	grep -E '^(NodeName|PartitionName)=' "$1"
}

# The cluster as described by slurm.conf, slurmrestd and scontrol.
test_cluster()
{
	local form
	one_job
	SLURM_JWT=$(token) import --out "$run/work/log.swf" --cluster-out "$run/work/rest.cluster" ||
		fail "import fails"
	"$build/lxfw" import --cluster "$run/etc/slurm.conf" --cluster-out "$run/work/conf.cluster" \
		--out "$run/work/copy.swf" "$run/work/log.swf" || fail "slurm.conf"
	cmp "$run/work/log.swf" "$run/work/copy.swf" || fail "importing a trace changes it"
	[ "$(described "$run/work/conf.cluster" | wc -l)" = 4 ] ||
		fail "slurm.conf: $(cat "$run/work/conf.cluster")"
	diff <(described "$run/work/rest.cluster") <(described "$run/work/conf.cluster") ||
		fail "slurmrestd has other nodes than slurm.conf"
	for form in '' --oneliner --json; do
		# shellcheck disable=SC2086
		{ scontrol show node $form && scontrol show partition $form; } \
			>"$run/work/nodes" 2>/dev/null ||
			{ [ "$form" = --json ] && continue; fail "scontrol $form fails"; }
		"$build/lxfw" import --cluster "$run/work/nodes" --out "$run/work/copy.swf" \
			--cluster-out "$run/work/nodes.cluster" "$run/work/log.swf" ||
			fail "scontrol show node $form"
		diff <(described "$run/work/nodes.cluster") <(described "$run/work/conf.cluster") ||
			fail "scontrol show node $form has other nodes than slurm.conf"
	done
	"$build/lxfw" compare --cluster "$run/work/rest.cluster" "$run/work/log.swf" \
		>/dev/null || fail "compare does not accept the imported files"
}

# request_of FILE JOB: print partition and needs of a job in a trace
request_of()
{
	awk -v job="$2" '
		$1 == ";" && $2 == "Request:" { text[$3] = $4 }
		$1 == ";" && $2 == "Queue:" { queue[$3] = $4 }
		$1 == job { print queue[$15], text[$14] }' "$1"
}

# Requests beyond processors and memory are restored from accounting. In a simulation on
# this cluster, the jobs run on the nodes that Slurm had to select.
test_needs()
{
	local gadgets wide spread from
	gadgets=$(submit -n 2 -t 1 --gres=gadget:3 'sleep 2')
	wide=$(submit -N 2 -n 2 -t 1 'sleep 2')
	spread=$(submit -n 2 -p one -t 1 'sleep 2')
	wait_done "$gadgets" && wait_done "$wide" && wait_done "$spread"
	poll 60 accounted "$gadgets" "$wide" "$spread" ||
		fail "the database lacks jobs: $(cat "$run/work/accounted")"
	SLURM_JWT=$(token) import --out "$run/work/rest.swf" \
		--cluster-out "$run/work/rest.cluster" || fail "import from slurmrestd fails"
	sacct -a --duplicates --noconvert --parsable2 -S "$since_text" -E "$until_text" \
		-o "$columns" >"$run/work/sacct" || fail "sacct fails"
	"$build/lxfw" import --out "$run/work/sacct.swf" "$run/work/sacct" || fail "import fails"
	for from in rest sacct; do
		[[ $(request_of "$run/work/$from.swf" "$gadgets") = \
			"p nodes=1,gres/gadget=3"* ]] || fail "$from: $(cat "$run/work/$from.swf")"
		[[ $(request_of "$run/work/$from.swf" "$wide") = "p nodes=2,least-nodes=2"* ]] ||
			fail "$from: $(cat "$run/work/$from.swf")"
		[[ $(request_of "$run/work/$from.swf" "$spread") = "one nodes=1"* ]] ||
			fail "$from: $(cat "$run/work/$from.swf")"
	done
	"$build/lxfw" simulate --cluster "$run/work/rest.cluster" \
		--jobs-out "$run/work/jobs.csv" "$run/work/rest.swf" >/dev/null || fail "simulate"
	grep -q "^$gadgets,.*,n2,0,0" "$run/work/jobs.csv" &&
		grep -q "^$spread,.*,n1,0,0" "$run/work/jobs.csv" ||
		fail "other nodes: $(cat "$run/work/jobs.csv")"
}

expiry()
{
	cut -d. -f2 <<<"$1" | tr -- '-_' '+/' | base64 -di 2>/dev/null |
		sed -E 's/.*"exp":([0-9]+).*/\1/'
}

# A server that does not respond: check that other users cannot read the token, that
# Ctrl-C ends the command, and that it times out.
test_silent_server()
{
	local pid server status
	server=$(cat "$run/pid/slurmrestd.started")
	rm -f "$run/work/token"
	(umask 077 && scontrol token >"$run/work/token")
	kill -STOP "$server"
	# shellcheck disable=SC2064
	trap "kill -CONT $server" EXIT
	# bash makes background commands ignore SIGINT
	env --default-signal=INT "$build/lxfw" import --slurm-rest "$LXFW_REST" \
		--since "$since" --timeout 60 --token-file "$run/work/token" \
		--out "$run/work/none.swf" 2>"$run/work/told" &
	pid=$!
	poll 10 connected "$pid" || fail "no connection: $(cat "$run/work/told")"
	! tr '\0' ' ' <"/proc/$pid/cmdline" | grep -qF "$(sed 's/.*=//' "$run/work/token")" ||
		fail "the token is in the process list"
	kill -INT "$pid"
	wait "$pid"
	status=$?
	[ $status = 130 ] || fail "SIGINT: exit status $status"
	! ls "$run"/work/none.swf* >/dev/null 2>&1 || fail "SIGINT: an incomplete file was left"
	refused "silent server" 'too slow|[Tt]imed out|[Tt]imeout' \
		import --token-file "$run/work/token" --timeout 1
}

connected()
{
	[[ $(ls -l "/proc/$1/fd" 2>/dev/null) = *socket:* ]]
}

for program in slurmrestd slurmdbd mariadbd mariadb-install-db sacctmgr; do
	PATH=$PATH:/usr/sbin type -P $program >/dev/null || skip "$program is not installed"
done
[ -e "$(dirname "$(ldd "$(PATH=$PATH:/usr/sbin type -P slurmrestd)" |
	awk '/libslurmfull/ { print $3 }')")/auth_jwt.so" ] ||
	skip "Slurm's plugin auth/jwt is not installed"
live_main "$@" -- --accounting --rest --nodes 2 \
	--conf GresTypes=gadget --gres 'NodeName=n2 Name=gadget Count=4' \
	--conf AccountingStorageTRES=gres/gadget \
	--node 'n2 CPUs=24 Gres=gadget:4' \
	--partition 'p Nodes=ALL Default=YES' \
	--partition 'one Nodes=n1 MaxTime=2:00:00 PriorityTier=3'
