#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Logs that do not fit in memory: the trace and the messages are the same as in memory, and no
# file is left. The logs are those of other tests, and random ones with duplicates, runs, steps
# and unfinished jobs. A small --memory makes many files of them.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

case $golden in
/*) ;;
*) golden=$PWD/$golden ;;
esac
case $lxfw in
/*) ;;
*) lxfw=$OLDPWD/$lxfw ;;
esac
cd "$work" || exit 99
mkdir folder || exit 99
TMPDIR=$work/folder
export TMPDIR

# same WHAT LOG...: the trace with little memory, with the default, and of jobs that are kept in
# memory for --cluster-out
same()
{
	what=$1
	shift
	"$lxfw" import --out large.swf "$@" > large.out 2> large.told
	status=$?
	for memory in 1K 20K; do
		"$lxfw" import --memory $memory --out small.swf "$@" > small.out 2> small.told
		[ $? -eq $status ] || fail "$what: --memory $memory: $(cat small.told)"
		diff large.told small.told > diff || fail "$what: --memory $memory: $(cat diff)"
		[ ! -s small.out ] || fail "$what: $(cat small.out)"
		[ -z "$(ls folder)" ] || fail "$what: left $(ls folder)"
		[ $status -ne 0 ] || cmp -s large.swf small.swf ||
			fail "$what: --memory $memory: $(diff large.swf small.swf)"
	done
	"$lxfw" import --cluster-out hosts --out kept.swf "$@" > out 2> kept.told || return
	diff large.told kept.told > diff || fail "$what: in memory: $(cat diff)"
	cmp -s large.swf kept.swf || fail "$what: in memory: $(diff large.swf kept.swf)"
	same_logs=$((same_logs + 1))
}

# --- logs of other tests ----------------------------------------------------------
same_logs=0
for log in "$golden"/odd/* "$golden"/../fuzz/corpus/sacct/* "$golden"/../fuzz/corpus/pbs/* \
	   "$golden"/../fuzz/corpus/lsf/* "$golden"/../fuzz/corpus/scontrol/* \
	   "$golden"/../fuzz/corpus/swf/*; do
	same "$(basename "$log")" "$log"
done
[ $same_logs -ge 15 ] || fail "only $same_logs logs of other tests have hosts"

# A trace is copied in its order.
{
	echo '; Computer: two'
	awk 'BEGIN { for (i = 900; i > 0; i--)
		print i, i % 7, 1, 2, 3, -1, 4, 3, 5, 6, 1, i % 5, 1, -1, 2, -1, -1, -1 }'
	echo '; Note: at the end'
} > unsorted.swf
same 'a trace' unsorted.swf
grep -v '^;' unsorted.swf > should
grep -v '^;' small.swf | cmp -s - should || fail "a trace: $(head small.swf)"

# --- random logs ------------------------------------------------------------------
# random_log SEED: few job numbers and times, so that most records have others like them
random_log()
{
	awk -v "seed=$1" -v "depends=$(($1 % 2))" 'function below(n) { return int(rand() * n) }
	function wants() {
		if (!depends || below(4))
			return ""
		return "sbatch --dependency=after" (below(2) ? "ok:" : "any:") 1 + below(number) \
			(below(2) ? ":" 1 + below(number) : below(2) ? "_" below(4) : "") " x"
	}
	function record() {
		number = 1 + below(40)
		id = below(3) ? number : int(number / 4) "_" number % 4
		submit = 1735689600 + int(number / 5) + (below(9) ? 0 : 1)
		start = below(6) ? submit + below(3) * 10 : "Unknown"
		state = start == "Unknown" ? "PENDING" : below(4) ? "COMPLETED" : "RUNNING"
		end = state == "COMPLETED" ? start + 5 * below(4) : "Unknown"
		procs = 1 + below(4)
		text = id "|" number "|" submit "|" submit + 2 * below(2) "|" start "|" end "|" \
			procs "|" state "|q" below(3) "|u" number % 7 "|n" 1 + below(3) "|" wants()
		print text "||"
		while (below(3) == 0)
			print id "." below(3) "|" number ".0|" submit "|" submit "|" start "|" \
				end "|1|COMPLETED|||||" below(2000) "M|" 1 + below(2)
		return text
	}
	BEGIN {
		srand(seed)
		print "JobID|JobIDRaw|Submit|Eligible|Start|End|NCPUS|State|Partition|User|" \
			"NodeList|SubmitLine|MaxRSS|NTasks"
		for (i = 0; i < 300; i++) {
			text = record()
			if (below(3) == 0)
				print text "||"
		}
	}'
}

seed=${LXFW_SEED:-1}
echo "import-large.sh: LXFW_SEED=$seed"
same_logs=0
cases=$(random_cases 3 30)
for i in $(seq "$cases"); do
	random_log $((1000 * seed + i)) > one
	random_log $((1000 * seed + i + 500)) > two
	same "seed $seed, case $i" one
	grep -q 'duplicates' large.told || fail "seed $seed, case $i: no duplicates"
	[ $(((1000 * seed + i) % 2)) -eq 0 ] || grep -q '; after other jobs: ' large.told ||
		fail "seed $seed, case $i: no dependencies"
	same "seed $seed, case $i, two logs" one two one
done
[ $same_logs -eq $((2 * cases)) ] || fail "only $same_logs random logs"

# From a pipe, to a pipe.
"$lxfw" import --out should.swf one 2> told || fail "$(cat told)"
gzip -c one | "$lxfw" import --memory 1K - 2> told | cmp -s - should.swf || fail "a pipe: $(cat told)"

# --- PBS --------------------------------------------------------------------------
# More jobs than the reader keeps: those that have not ended are not forgotten. 1 is deleted at
# the end, 2 is suspended for 50 s before and ends after the others, 3 has no end.
awk 'BEGIN {
	day = "01/01/2025 00:00:"
	print day "00;Q;1.s;user=ann queue=q ctime=1735689600"
	print day "00;Q;2.s;user=ann queue=q ctime=1735689600"
	print day "01;S;2.s;user=ann"
	print day "01;z;2.s;"
	print day "51;r;2.s;"
	print day "00;Q;3.s;user=ann queue=q ctime=1735689600"
	for (i = 4; i < 1100000; i++)
		print day "59;E;" i ".s;ctime=1735689600 start=1735689610 end=1735689659"
	print day "59;D;1.s;"
	print "01/01/2025 00:01:41;E;2.s;user=ann ctime=1735689600 start=1735689601 end=1735689701"
}' | "$lxfw" import --out pbs.swf - 2> told || fail "PBS: $(cat told)"
grep -q ': 1099997 of jobs, .* 1 jobs deleted while waiting; 1 jobs have no end;' told ||
	fail "PBS: $(cat told)"
[ "$(grep -v '^;' pbs.swf | head -n 3 | cut -d ' ' -f 1-4)" = "1 0 59 -1
2 0 1 50
4 0 10 49" ] || fail "PBS: $(head -n 20 pbs.swf)"

# --- failures ---------------------------------------------------------------------
# bad MESSAGE: the command that was run failed with it
bad()
{
	[ $status -eq 2 ] || fail "$1: exit status $status"
	grep -q -e "$1" told || fail "$1: $(cat told)"
	[ ! -e none.swf ] && [ -z "$(ls folder)" ] || fail "$1: a file is left"
}

(
	trap '' XFSZ
	ulimit -f 8
	exec "$lxfw" import --memory 1K --out none.swf one two > out 2> told
)
status=$?
bad "/folder/lxfw-......: File too large"
TMPDIR=$work/absent "$lxfw" import --memory 1K --out none.swf one > out 2> told
status=$?
bad "/absent/lxfw-......: No such file"
TMPDIR=$work/absent "$lxfw" import --out none.swf one 2> told ||
	fail "a file although there is memory: $(cat told)"
rm none.swf
for size in 0 x -1 10P 1.x ''; do
	"$lxfw" import --memory "$size" --out none.swf one > out 2> told
	status=$?
	bad "--memory .*expected a size such as 768M"
done

finish
