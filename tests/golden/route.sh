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
mkdir -m 1777 records

bad 2 'expected one of --request, --serve, --submit and --pull'
bad 2 'expected one of --request' --request '-n 1' --pull
bad 2 '1 arguments given' --conf conf --request '-n 1' more
bad 2 'without --journal' --serve /socket
bad 2 'without --serve' --request '-n 1' --journal file
bad 2 'without --pull' --request '-n 1' --every 5
bad 2 'expected a path from /' --submit --sbatch sbatch
bad 2 "no option '-x'" --conf conf --request '-n 1 -x'
bad 2 'control character' --conf conf --request $'-n 1\nend'
bad 2 'absent: No such file' --conf absent --request '-n 1'
bad 2 'absent: No such file' --conf absent --pull
printf 'cluster=alpha\n' >wrong
bad 2 '^wrong:1: .*expected cluster=NAME at=' --conf wrong --request '-n 1'

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
[ "$(cat beta.asked)" = "$(printf 'lxfw-route 1\nstart -n 4 -t 1:00:00\nqueue yes\nend')" ] ||
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

exit $failed
