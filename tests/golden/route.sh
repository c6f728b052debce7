#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw route: invalid options and files, clusters that do not answer, and clusters that are
# played by a program. The live test is tests/cluster/live-route.sh.

lxfw=${LXFW_TOP_BUILDDIR:-.}/lxfw
case $lxfw in /*) ;; *) lxfw=$PWD/$lxfw ;; esac
scratch=$(mktemp -d) || exit 99
trap 'kill $server 2>/dev/null; rm -rf "$scratch"' EXIT
cd "$scratch" || exit 99
failed=0 server=

complain()
{
	echo "$*"
	failed=1
	: >"$scratch/failed"	# of a subshell, too
}

# bad STATUS PATTERN ARGUMENT...: the command fails so, and prints nothing else.
bad()
{
	local status=$1 pattern=$2 got
	shift 2
	"$lxfw" route "$@" >out 2>err
	got=$?
	[ "$got" = "$status" ] || complain "lxfw route $*: exit status $got, not $status"
	[ -z "$pattern" ] || grep -qE -- "$pattern" err || complain "lxfw route $*: says '$(head -n 1 err)', not '$pattern'"
	[ "$status" = 1 ] || [ ! -s out ] || complain "lxfw route $*: prints $(head -n 1 out)"
}

printf 'cluster=alpha at=%s/alpha\ncluster=beta at=%s/beta speed=2\nrecords=%s/records\n' \
	"$scratch" "$scratch" "$scratch" >conf
mkdir -m 755 records

bad 2 'expected one of --request, --serve, --submit and --pull'
bad 2 'expected one of --request' --request '-n 1' --pull
bad 2 '1 arguments given' --conf conf --request '-n 1' more
bad 2 'without --journal' --serve /socket
bad 2 'without --serve' --request '-n 1' --journal file
bad 2 'without --pull' --request '-n 1' --every 5
for port in 99999 65536 0; do
	bad 2 'expected a port from 1 to 65535' --serve 127.0.0.1:$port --journal none --trusted-network
done
bad 2 'without --pull' --request '-n 1' --visits unit
bad 2 'without --pull' --request '-n 1' --pam su
bad 2 "expected unit or process" --pull --visits slice
for name in '' ../su a/b 'a b' "$(printf '%065d' 0)"; do
	bad 2 "expected 1 to 64 letters" --pull --pam "$name"
done
bad 2 'expected a path from /' --submit --sbatch sbatch
bad 2 "no option '-x'" --conf conf --request '-n 1 -x'
bad 2 'control character' --conf conf --request $'-n 1\nend'
bad 2 'absent: No such file' --conf absent --request '-n 1'
bad 2 'absent: No such file' --conf absent --pull
printf 'cluster=alpha\n' >wrong
bad 2 '^wrong:1: .*expected cluster=NAME at=' --conf wrong --request '-n 1'
mkfifo fifo
bad 2 '^fifo: expected a regular file$' --conf fifo --request '-n 1'
bad 2 'fifo: expected a regular file$' --conf fifo --pull

# No cluster answers.
bad 1 '' --conf conf --request '-n 1'
grep -q '^passed over alpha: .*No such file or directory$' out || complain "$(cat out)"

# A program plays the clusters: alpha starts the job first, beta ends it first. Questions are
# written to a file.
cat >play.py <<'END'
import os, socket, sys, threading
answers = {"alpha": "100 0 16 0 3600 1 1", "beta": "200 0 16 0 3600 1 1"}
def play(name):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(name)
    listener.listen(16)
    while True:
        one, _ = listener.accept()
        text = b""
        while not text.endswith(b"\nend\n"):
            text += one.recv(65536)
        with open(name + ".asked", "wb") as out:
            out.write(text)
        said = open(name + ".says").read() if os.path.exists(name + ".says") else \
            "lxfw-route 1 start " + answers[name] + "\n"
        one.sendall(said.encode())
        one.close()
for name in answers:
    threading.Thread(target=play, args=(name,)).start()
END
python3 play.py &
server=$!
for _ in $(seq 100); do
	[ ! -S alpha ] || [ ! -S beta ] || break
	sleep 0.1
done

# chooses NAME ARGUMENT...
chooses()
{
	local name=$1
	shift
	"$lxfw" route --conf conf --request '-n 4 -t 1:00:00' "$@" >out 2>err
	[ "$(head -n 1 out)" = "cluster $name" ] || complain "lxfw route $*: $(cat out err), not $name"
}

chooses beta
grep -qx 'offer alpha wait 100 run 3600 free 0 of 16' out || complain "$(cat out)"
grep -qx 'offer beta wait 200 run 1800 free 0 of 16' out || complain "$(cat out)"
[ "$(cat beta.asked)" = "$(printf 'lxfw-route 1\ncluster beta\nstart -n 4 -t 1:00:00\nqueue yes\nend')" ] ||
	complain "asked: $(cat beta.asked)"
# What was sent there is part of the next question.
chooses beta
grep -qE '^routed [0-9] -n 4 -t 1:00:00$' beta.asked || complain "asked: $(cat beta.asked)"
! grep -q routed alpha.asked || complain "asked: $(cat alpha.asked)"
chooses alpha --without beta
grep -q '^passed over beta: not asked' out || complain "$(cat out)"
echo 'rule=earliest' >>conf
chooses alpha
# Nine jobs of user 5 took 100 s on alpha, and 50 s on beta: a mean of 0.9 times that and 0.1
# times the limit.
nine_jobs()	# SECONDS
{
	for ((i = 1; i <= 9; i++)); do
		echo "$i $((i * 1000)) -1 $1 4 -1 -1 4 3600 -1 1 5 -1 -1 1 1 -1 -1"
	done
	echo "10 20000 -1 3000 4 -1 -1 4 3600 -1 1 7 -1 -1 1 1 -1 -1"	# another user's
}
nine_jobs 100 >alpha.swf
nine_jobs 50 >beta.swf
if "$lxfw" import --history times.db --machine alpha alpha.swf >/dev/null 2>err &&
	"$lxfw" import --history times.db --machine beta beta.swf >/dev/null 2>err; then
	chooses alpha --history times.db --user 5
	grep -qx 'offer alpha wait 100 run 450 free 0 of 16' out || complain "$(cat out)"
	grep -qx 'offer beta wait 200 run 225 free 0 of 16' out || complain "$(cat out)"
	for user in 6 '' "x'y"; do
		chooses alpha --history times.db --user "$user"
		grep -qx 'offer alpha wait 100 run 3600 free 0 of 16' out || complain "$(cat out)"
	done
	# Without a file, what the cluster says of the user: nine jobs of 100 s.
	echo 'lxfw-route 1 start 100 0 16 0 3600 1 1 9 100' >alpha.says
	chooses alpha
	grep -qx 'offer alpha wait 100 run 450 free 0 of 16' out || complain "$(cat out)"
	chooses alpha --history times.db --user 6
	grep -qx 'offer alpha wait 100 run 3600 free 0 of 16' out || complain "$(cat out)"
	rm alpha.says
	# A damaged history is reported, and not used.
	echo damaged >times.db
	chooses alpha --history times.db --user 5
	grep -q times.db err || complain "$(cat err)"
else
	grep -q 'without SQLite' err || complain "$(cat err)"
fi

# Answers that are old, refused, or none.
echo 'lxfw-route 1 start 0 0 16 0 3600 31 1' >alpha.says
chooses beta
grep -q '^passed over alpha: its controller has not answered for 31 s$' out || complain "$(cat out)"
echo 'lxfw-route 1 start 0 0 16 0 3600 1 151' >alpha.says
chooses beta
grep -q '^passed over alpha: its last pass was 151 s ago$' out || complain "$(cat out)"
echo 'lxfw-route 1 no no such partition' >alpha.says
chooses beta
grep -q '^passed over alpha: no such partition$' out || complain "$(cat out)"
printf 'HTTP/1.0 200 OK\r\n\r\n$(touch pwned)\n' >alpha.says
chooses beta
grep -q "^passed over alpha: it says 'HTTP/1.0 200 OK" out || complain "$(cat out)"
head -c 5000 /dev/zero >alpha.says
chooses beta
rm alpha.says

# A server with wrong times.
echo 'lxfw-route 1 start 100 5 10 3 1152921504606846976 1 1' >alpha.says
chooses beta
grep -q '^passed over alpha: it says ' out || complain "$(cat out)"
rm alpha.says

# --told: only a file of --submit is read and written.
for text in '' beta alpha,gamma; do
	printf %s "$text" >told
	[ "$text" = alpha,gamma ] && name=beta || name=alpha
	chooses $name --told "$PWD/told"
	[ "$(cat told)" = "=$name" ] || complain "--told: wrote $(cat told)"
done
for text in 'my thesis' $'beta\n' 'alpha,' ',' '=alpha' 'a,-b' "$(seq -s , 2000)"; do
	printf %s "$text" >told
	chooses alpha --told "$PWD/told"
	[ "$(cat told; echo .)" = "$text." ] || complain "--told: wrote over '${text:0:40}'"
	grep -q "told: not a file of 'lxfw route --submit', left alone" err || complain "$(cat err)"
done
printf beta >told
ln told link
chooses alpha --told "$PWD/told"
[ "$(cat told)" = beta ] || complain '--told: wrote to a file with two names'
rm told link

# --submit, with a program in place of sbatch. It notes each run, chooses as the script of
# cli_filter would, and does what the file `plays` says for this run.
cat >fake-sbatch <<'END'
#!/bin/bash
echo run >>runs
without=$(cat "$LXFW_ROUTE_TOLD")
name=alpha
case ,$without, in *,alpha,beta,*) name=gamma ;; *,alpha,*) name=beta ;; esac
printf =%s $name >"$LXFW_ROUTE_TOLD"
echo "$LXFW_ROUTE_TOLD" >told
. ./plays
END
chmod +x fake-sbatch
lost='sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)'

# submits STATUS RUNS ARGUMENT...: sbatch is run RUNS times.
submits()
{
	local status=$1 runs=$2 got
	shift 2
	: >runs
	"$lxfw" route --submit --sbatch "$PWD/fake-sbatch" -- "$@" >out 2>err
	got=$?
	[ "$got" = "$status" ] || complain "--submit $*: exit status $got, not $status: $(cat err)"
	[ "$(wc -l <runs)" = "$runs" ] || complain "--submit $*: $(wc -l <runs) runs, not $runs"
	[ ! -e "$(cat told)" ] || complain "--submit $*: $(cat told) is left"
}

echo "[ \$name = beta ] && echo Submitted batch job 5 on cluster beta || { echo '$lost' >&2; exit 1; }" >plays
submits 0 2 job.sh
[ "$(cat out)" = 'Submitted batch job 5 on cluster beta' ] || complain "$(cat out)"
grep -q 'cluster alpha cannot be reached' err || complain "$(cat err)"
# All that were tried are left out.
echo "[ \$name = gamma ] || { echo '$lost' >&2; exit 1; }" >plays
submits 0 3 job.sh
[ "$(grep -c 'cannot be reached' err)" = 2 ] || complain "$(cat err)"
for why in "No cluster 'alpha' known by database." \
	"'alpha' can't be reached now, or it is an invalid entry for --cluster." \
	'Batch job submission failed: Invalid account or account/partition combination specified'; do
	echo "[ \$name = beta ] || { echo \"sbatch: error: $why\" >&2; exit 1; }" >plays
	submits 0 2 job.sh
done
# A job that was submitted is not submitted again, whatever sbatch says of its wait.
retrying='Currently unable to load job state information, retrying: Unable to contact slurm controller (connect failure)'
for says in 'Submitted batch job 17 on cluster alpha' '17;alpha' 17 ''; do
	echo "echo '$says'; echo 'sbatch: error: $retrying' >&2; exit 3" >plays
	submits 3 1 --wait job.sh
	grep -qF "$retrying" err || complain "$(cat err)"
	[ "$(cat out)" = "$says" ] || complain "$(cat out)"
done
# Nor if the words are there, but not as sbatch says them of a submission that failed.
for line in "lxfw: $lost" "$lost" 'sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying'; do
	[ "$line" = "$lost" ] && says='echo Submitted batch job 17' || says=:
	echo "$says; echo '$line' >&2; exit 1" >plays
	submits 1 1 job.sh
done
# Nor if it said before that the submission failed. It waits until that has been read.
cat >once-read <<'END'
import fcntl, struct, termios
while struct.unpack("i", fcntl.ioctl(2, termios.FIONREAD, b"0000"))[0]:
    pass
END
for says in 'Submitted batch job 17' '17;alpha' 17; do
	echo "echo '$lost' >&2; python3 once-read; echo '$says'; exit 1" >plays
	submits 1 1 job.sh
	[ "$(cat out)" = "$says" ] || complain "$(cat out)"
	grep -qxF "$lost" err || complain "$(cat err)"
done
# What is lost after the request was sent may have been submitted.
echo "echo 'sbatch: error: Batch job submission failed: Zero Bytes were transmitted or received' >&2; exit 1" >plays
submits 1 1 job.sh

# A script from standard input reaches each try, from a pipe and from a file.
echo "cat >got.\$name; [ \$name = beta ] || { echo '$lost' >&2; exit 1; }" >plays
printf '#!/bin/sh\necho here\n' >job.sh
submits 0 2 -n 1 <job.sh
cmp -s job.sh got.beta || complain "second try: $(cat got.beta)"
rm got.*
seq 20000 | sed '1i #!/bin/sh' >large.sh
cat large.sh | submits 0 2 -n 1
[ "$(wc -l <runs)" = 2 ] && cmp -s large.sh got.alpha && cmp -s large.sh got.beta || complain 'a script from a pipe is lost'
# Standard input is left alone if sbatch does not read it.
echo "[ \$name = beta ] || { echo '$lost' >&2; exit 1; }" >plays
for words in job.sh '-n 1 job.sh' '-H job.sh' '--wrap=true'; do
	# shellcheck disable=SC2086
	left=$(printf 'one\ntwo\n' | { submits 0 2 $words >&2; cat; })
	[ "$left" = "$(printf 'one\ntwo')" ] || complain "--submit $words: leaves '$left'"
done

# A signal ends sbatch and this command, and nothing is left or tried again.
echo "echo \$\$ >pid.new; mv pid.new pid; exec sleep 600" >plays
for signal in TERM HUP INT; do
	rm -f pid
	: >runs
	# A shell without job control has background processes ignore SIGINT, and nohup SIGHUP.
	python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$lxfw" route --submit --sbatch "$PWD/fake-sbatch" -- job.sh </dev/null >out 2>err &
	submit=$!
	# bash drops a SIGINT that comes while it waits for mv.
	until [ -e pid ] && [ "$(cat "/proc/$(cat pid)/comm")" = sleep ]; do sleep 0.05; done
	kill -$signal $submit
	wait $submit
	[ $? = $((128 + $(kill -l $signal))) ] || complain "--submit: not ended by $signal"
	[ "$(wc -l <runs)" = 1 ] || complain "--submit: another run after $signal"
	[ ! -e "$(cat told)" ] || complain "--submit: $(cat told) is left after $signal"
	! kill -0 "$(cat pid)" 2>/dev/null || complain "--submit: sbatch is left after $signal"
done

# --pull, with programs in place of those of Slurm. No job is listed, and one of a move was
# lost; its folder is that of this user.
mkdir bin
chmod 711 .
mkdir -m 1777 seen
cat >bin/squeue <<'END'
#!/bin/bash
case $* in
*%U*)
	# A comment with a line break, of a user who wants another one to be visited.
	forged=
	[[ $* != *%k* ]] || forged=$'|a\n'$(cat seen/forged)'|lxfw:route:0123456789abcdef'
	for uid in $(cat seen/uids); do
		echo "$uid$forged"
	done ;;
*)
	# The first of them stops the process that visits it: this one's parent is timeout.
	if [ "$(id -u)" = "$(cat seen/stops)" ]; then
		read -r pid comm state parent rest <"/proc/$PPID/stat"
		echo $parent >>seen/stopped
		kill -STOP $parent
	fi
	# A process in a session of its own, whose parent is no more.
	if [ "$(id -u)" = "$(cat seen/strays)" ]; then
		setsid bash -c 'echo $$ >>seen/stray; exec sleep 300' </dev/null >/dev/null 2>&1 &
		until [ -s seen/stray ]; do sleep 0.05; done
	fi
	id -u >>seen/visited-$(id -u) ;;
esac
END
sed -i "s|seen/|$PWD/seen/|g" bin/squeue
chmod 755 bin/squeue
mine=records/$(id -u) marker=0123456789abcdef
mkdir -p "$mine"
chmod 700 "$mine"
cat >pull-sbatch <<'END'
#!/bin/bash
printf '%s\n' "$@" >MINE/submitted
END
sed -i "s|MINE|$PWD/$mine|" pull-sbatch
chmod +x pull-sbatch

# pulls STATUS ARGUMENT...
caps=
pulls()
{
	local status=$1 got
	shift
	[[ $* = *--sbatch* ]] || set -- --sbatch "$PWD/pull-sbatch" "$@"
	[[ $* = *--visits* ]] || set -- --visits process "$@"
	PATH=$PWD/bin:$PATH timeout -s KILL 60 $caps "$lxfw" route --conf conf --pull "$@" >out 2>err
	got=$?
	[ "$got" = "$status" ] || complain "--pull $*: exit status $got, not $status: $(cat err)"
}

lose()	# a job
{
	printf 'lxfw-job 1\nrequest -n 1\ncommand 2 1 22\nlimits\n/\0sbatch\0job.sh\0PATH=%s\0' "$PATH" >$mine/$marker.job
	echo "lxfw-move 1 alone 0 1 1 100 alpha 17 beta" >$mine/$marker.state
	rm -f $mine/submitted
}
id -u >seen/uids
echo none | tee seen/stops >seen/strays
echo none >seen/forged
lose
printf 'a name' >$mine/$marker.name
pulls 0
grep -qx -- '--job-name=a name' $mine/submitted || complain "submits $(cat $mine/submitted)"
# Nothing of the record runs, and no limit of it is taken on: sbatch has the environment and limits
# of the process that moves, and those of the job in a file. What the record says is the job's.
cat >clean-sbatch <<'END'
#!/bin/bash
env >MINE/environment
ulimit -S -t >MINE/cpu
for word; do
	[ "${word%=*}" != --export-file ] || tr '\0' '\n' <&"${word#*=}" >MINE/exported
done
printf '%s\n' "$@" >MINE/submitted
END
sed -i "s|MINE|$PWD/$mine|" clean-sbatch
chmod +x clean-sbatch
echo "echo ran >>$PWD/$mine/evil" >evil.sh
lose
{
	printf 'lxfw-job 1\nrequest -n 1\ncommand 2 1 22\nlimits 77 88 99 100\n/\0sbatch\0job.sh\0PATH=/evil\0'
	printf '%s\0' BASH_ENV="$PWD/evil.sh" LD_PRELOAD=/evil.so SLURM_CONF=/evil.conf SBATCH_QOS=low \
		SLURM_SUBMIT_DIR=/evil SLURM_JOB_NAME=evil 'LINES=a
b' 'BASH_FUNC_ls%%=() { echo; }'
} >$mine/$marker.job
SBATCH_QOS=mine SBATCH_ACCOUNT=mine pulls 0 --sbatch "$PWD/clean-sbatch"
[ ! -e $mine/evil ] || complain 'a file that the record names was run'
! grep -E 'evil|SBATCH_ACCOUNT|BASH_FUNC' $mine/environment || complain 'the environment of sbatch'
grep -qx SBATCH_QOS=low $mine/environment || complain "$(cat $mine/environment)"
[ "$(cat $mine/cpu)" = "$(ulimit -S -t)" ] || complain "processor time $(cat $mine/cpu)"
grep -qx SLURM_RLIMIT_CPU=77 $mine/exported && grep -qx SLURM_RLIMIT_FSIZE=99 $mine/exported ||
	complain "no limits in $(cat $mine/exported)"
for word in PATH=/evil LD_PRELOAD=/evil.so LINES=a b 'BASH_FUNC_ls%%=() { echo; }'; do
	grep -qxF -- "$word" $mine/exported || complain "no $word in $(cat $mine/exported)"
done
! grep SLURM_SUBMIT_DIR $mine/exported || complain 'the folder of an earlier job'
[ "$(grep '^SLURM_JOB_NAME=' $mine/exported)" = "SLURM_JOB_NAME=$(cat $mine/$marker.name)" ] ||
	complain "the job's name: $(cat $mine/exported)"

# FIFOs in the place of its files are no reason to wait.
lose
rm $mine/$marker.name
mkfifo $mine/$marker.name $mine/$marker.new
pulls 0
[ ! -e $mine/submitted ] || complain 'submitted without a record of it'
rm $mine/$marker.new
lose
pulls 0
[ -e $mine/submitted ] || complain "not submitted: $(cat err)"
# A move with a cluster that is none any more, and files that are damaged, are reported.
for number in 1 2 3; do
	echo damaged >$mine/${marker%?}$number.state
done
echo "lxfw-move 1 copying 0 1 1 100 gone 17 beta" >$mine/$marker.state
pulls 0
grep -qE '^(user [0-9]+: )?lxfw: job 17 of gone is in a move, and stays in it: .*conf has no cluster gone$' err || complain "$(cat err)"
grep -qE "^(user [0-9]+: )?lxfw: ${marker%?}1.state:1: not a state of 'lxfw route --pull'; its job does not move\$" err || complain "$(cat err)"
grep -qE '^(user [0-9]+: )?lxfw: 2 other jobs do not move, as their files cannot be read$' err || complain "$(cat err)"
rm -f $mine/*

# A user who stops the process for own jobs does not delay others.
if [ "$(id -u)" = 0 ] && other=$(id -u nobody 2>/dev/null) && last=$(id -u daemon 2>/dev/null); then
	for uid in $other $last; do
		mkdir -m 700 records/$uid
		chown $uid records/$uid
	done
	echo $other >seen/uids
	echo $last >seen/forged
	echo $other >seen/strays
	pulls 0
	[ -s seen/visited-$other ] || complain 'not visited'
	[ ! -e seen/visited-$last ] || complain 'a comment has the effect of a line'
	[ -s seen/stray ] || complain 'no process was left'
	for pid in $(cat seen/stray); do
		! kill -0 "$pid" 2>/dev/null || { complain 'a process outlives the visit'; kill -KILL "$pid"; }
	done
	echo none >seen/strays
	rm seen/visited-* seen/stray
	# Root makes the folder of a user, in a folder that no other user can write.
	rm -r records/$other
	chmod 1777 records
	pulls 2
	grep -q 'records: others can write it, expected a folder that only root can write' err ||
		complain "$(cat err)"
	[ ! -e records/$other ] && [ ! -e seen/visited-$other ] || complain 'made in a folder of all users'
	chmod 755 records
	pulls 0
	[ "$(stat -c %u,%a records/$other)" = "$other,700" ] || complain "$(ls -la records)"
	rm seen/visited-*
	# A folder that is there, by root without the capability to look into it, as in the unit.
	if setpriv --bounding-set=-dac_override,-dac_read_search true 2>/dev/null; then
		caps="setpriv --bounding-set=-dac_override,-dac_read_search" pulls 0
		[ -s seen/visited-$other ] || complain 'not visited by root without capabilities'
		rm -f seen/visited-*
	fi
	# As units of systemd, which a program plays: nothing of root's but two variables and the
	# output gets there. Without the PAM service no user is visited.
	cat >bin/systemd-run <<'END'
#!/bin/bash
[ "$(readlink /proc/self/fd/0)" = /dev/null ] || echo 'has an input' >>seen/run
[ "$(ps -o sid= -p $$)" -eq $$ ] || echo 'is in a session of root' >>seen/run
[ ! -t 1 ] && [ ! -t 2 ] && [ ! -e /proc/self/fd/9 ] || echo 'has a descriptor of root' >>seen/run
printf '%s\n' "$@" >>seen/run
printf 'job 1 of alpha moved\n\033[2J\nmore' >&2
exit "$(cat seen/status)"
END
	sed -i "s|seen/|$PWD/seen/|g" bin/systemd-run
	chmod 755 bin/systemd-run
	echo $other >seen/uids
	echo 0 >seen/status
	pulls 2 --visits unit --pam lxfw-of-nobody
	grep -q 'no PAM service lxfw-of-nobody: expected contrib/lxfw-route.pam' err || complain "$(cat err)"
	[ ! -e seen/run ] || complain 'visited without the PAM service'
	if [ -e /etc/pam.d/other ]; then
		SLURM_CONF=/a/b SECRET=word pulls 0 --visits unit --pam other --visit 77 --most 3 9>secret
		[ ! -e seen/visited-$other ] || complain 'visited in a process of root'
		printf 'user %s: job 1 of alpha moved\nuser %s: ?[2J\nuser %s: more\n' $other $other $other | cmp - err ||
			complain "a visit prints $(cat -v err)"
		! grep -E 'has a|SECRET|is in' seen/run || complain "$(cat seen/run)"
		for word in --wait --pipe --uid=$other --slice=user-$other.slice --collect \
				--unit=lxfw-route-visit-$other --setenv=SLURM_CONF=/a/b \
				--property=RuntimeMaxSec=77 --property=PAMName=other \
				--property=KillMode=control-group --property=NoNewPrivileges=yes \
				"$(realpath "$lxfw")" --pull "$PWD/conf" "$PWD/pull-sbatch" 3; do
			grep -qxF -- "$word" seen/run || complain "no $word in $(cat seen/run)"
		done
		rm seen/run
		echo 1 >seen/status
		pulls 2 --visits unit --pam other
		grep -q "^lxfw: user $other: the unit lxfw-route-visit-$other has failed" err || complain "$(cat err)"
		rm seen/run
		echo 0 >seen/status
		cp conf 'a ${HOME}.conf'
		pulls 0 --visits unit --pam other --conf 'a ${HOME}.conf'
		grep -qxF -- "$PWD/a \$\${HOME}.conf" seen/run || complain "$(cat seen/run)"
		rm seen/run
	fi
	echo "$other $last" >seen/uids
	echo $other >seen/stops
	pulls 2 --visit 2
	grep -qx "lxfw: user $other: not finished" err || complain "$(cat err)"
	[ -s seen/visited-$last ] || complain 'the other user was not visited'
	! kill -0 "$(cat seen/stopped)" 2>/dev/null || complain 'the stopped process is left'
	rm seen/visited-* seen/stopped
	PATH=$PWD/bin:$PATH "$lxfw" route --conf conf --pull --visits process --every 1 >out 2>err &
	pull=$!
	for ((i = 0; i < 600; i++)); do
		[ ! -e seen/visited-$last ] || [ "$(wc -l <seen/visited-$last)" -lt 6 ] || break
		sleep 0.05
	done
	[ "$i" -lt 600 ] || complain 'no further round while a process is stopped'
	[ "$(wc -l <seen/stopped)" = 1 ] || complain 'visited again while it is'
	kill $pull
	wait $pull 2>/dev/null
	kill -KILL $(cat seen/stopped)
fi

[ ! -e "$scratch/failed" ] || failed=1
exit $failed
