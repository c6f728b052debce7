#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw tune --slurm with programs in the place of Slurm's, which run the tasks of an array at
# once: the result is that of a local search, lost tasks are run again, files of tasks that do
# not belong to the round are reported, and nothing is left behind.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99
mkdir bin
PATH=$work/bin:$PATH

# sbatch: each of its arguments in a line of `submitted`, its job number, which follows a line of
# the site as with some wrappers. The tasks of `lost` do not run the first time.
cat > bin/sbatch <<'EOS'
#!/bin/sh
printf '%s\n' "$@" >> submitted
for argument in "$@"; do
	case $argument in
	--array=*) list=${argument#--array=} ;;
	--output=*) out=${argument#--output=} ;;
	--refuse) echo 'sbatch: error: refused' >&2; exit 1 ;;
	--mute) echo 'welcome to the cluster'; exit 0 ;;
	*) script=$argument ;;
	esac
done
tasks=$(echo "$list" | tr , '\n' |
	awk -F- '{ for (i = $1; i <= (NF > 1 ? $2 : $1); i++) print i }')
for task in $tasks; do
	if [ -e lost ] && grep -qx "$task" lost; then
		continue
	fi
	SLURM_ARRAY_TASK_ID=$task sh "$script" > "$(echo "$out" | sed "s/%a/$task/")" 2>&1
done
if [ -e spoil ]; then
	. ./spoil
fi
rm -f lost
echo 'welcome to the cluster'
echo '4711;cluster'
EOS
# squeue: the array is over. Slurm forgets its jobs after some time.
cat > bin/squeue <<'EOS'
#!/bin/sh
printf '%s\n' "$@" > asked
echo 'slurm_load_jobs error: Invalid job id specified' >&2
exit 1
EOS
cat > bin/scancel <<'EOS'
#!/bin/sh
echo "$@" >> cancelled
EOS
chmod +x bin/*

awk 'BEGIN {
	print "; MaxProcs: 8"
	for (day = 0; day < 8; day++)
		for (i = 0; i < 16; i++) {
			n++
			run = (i * 37 + day * 11) % 24 * 300 + 60
			procs = (i * 5 + day) % 8 + 1
			print n, day * 86400 + i, -1, run, procs, -1, -1, procs, run * 2, -1, 1, 1, 1, 1, 1, 1, -1, -1
		}
}' > trace.swf

# tune OPTIONS
tune()
{
	"$lxfw" tune --warmup 1d --period 1d --minimize mean_wait --keep none --round 10 \
		--settings 20 --format json "$@" trace.swf
}

# array OPTIONS: the same with arrays; the result in `there`
array()
{
	rm -f submitted cancelled asked
	tune --slurm "$@" > there 2> said
}

# refuses MESSAGE OPTIONS: exit status 2, without a result
refuses()
{
	message=$1
	shift
	array "$@"
	[ $? = 2 ] || fail "$message: exit status is not 2"
	[ ! -s there ] || fail "$message: a result was printed"
	grep -q -- "$message" said || fail "expected '$message': $(cat said)"
}

tune > here || fail "here: exit status $?"
[ "$failures" = 0 ] || exit 1

array --tasks 3 --sbatch '--partition=short --time=60' || fail "there: $?: $(cat said)"
cmp here there || fail 'the result differs from the local one'
[ -z "$(ls -d lxfw-tune-* 2> /dev/null)" ] || fail "left behind: $(ls)"
sed 's|lxfw-tune-[^/]*|FOLDER|' submitted | head -n 7 > is
cat > expected <<'EOE'
--parsable
--job-name=lxfw-tune
--array=1-3
--output=FOLDER/round-1/out-%a
--partition=short
--time=60
FOLDER/round-1/task.sh
EOE
diff -u expected is || fail 'arguments of sbatch'
# the rounds have folders of their own; the last one has the settings that are left
grep '/task.sh$' submitted | sed 's|.*/round-\([0-9]*\)/task.sh|\1|' > is
seq "$(wc -l < is)" | diff -u - is || fail 'numbers of rounds'

# more tasks than settings, and a name with a quote
mkdir "a b'c"
array --tasks 1000 --folder "a b'c" || fail "1000 tasks: $?: $(cat said)"
cmp here there || fail 'the result with 1000 tasks differs'
[ "$(sed -n 3p submitted)" = --array=1-10 ] || fail "tasks: $(sed -n 3p submitted)"
[ -e "a b'c/round-1/part-10" ] || fail "not kept: $(ls -R "a b'c")"

# Tasks 2, 4 and 5 leave nothing. They run again, and no others.
mkdir again
printf '%s\n' 2 4 5 > lost
array --tasks 6 --folder again || fail "lost tasks: $?: $(cat said)"
cmp here there || fail 'the result with lost tasks differs'
grep -q 'tasks 2,4-5 of job 4711 left no result (see again/round-1/out-\*), running them again' \
	said || fail "lost tasks are not reported: $(cat said)"
[ "$(sed -n 8p submitted)" = --array=2,4-5 ] || fail "again: $(sed -n 8p submitted)"
printf '%s\n' --noheader --format=%i --jobs 4711 | diff -u - asked || fail 'arguments of squeue'
[ ! -e cancelled ] || fail 'an array that was over was cancelled'

refuses 'sbatch: error: refused' --sbatch --refuse
refuses "sbatch: no job ID in 'welcome to the cluster" --sbatch --mute
rm -rf lxfw-tune-*

# Files that are not those of the round. An array that is not complete is cancelled.
spoil()
{
	rm -rf bad
	mkdir bad
	echo "$1" > spoil
	array --tasks 2 --folder bad
	[ $? = 2 ] || fail "$1: exit status is not 2"
	grep -q -- "$2" said || fail "$1: expected '$2': $(cat said)"
	rm spoil
}
spoil "sed -i '1s/ 1/ 2/' bad/round-1/part-1" \
	"bad/round-1/part-1:1: begins with 'lxfw-tune-2 [0-9a-f]* 2/2', expected 'lxfw-tune-2 [0-9a-f]* 1/2'"
[ "$(cat cancelled)" = 4711 ] || fail "cancelled: $(cat cancelled)"
spoil "sed -i '3s/ .*/ x/' bad/round-1/part-2" "part-2:3: '.* x', expected [0-9]* numbers"
spoil "sed -i '3s/\$/ 1/' bad/round-1/part-2" "part-2:3: '.*', expected [0-9]* numbers"
spoil "sed -i 4d bad/round-1/part-1" "part-1: values of fewer than 5 settings"
spoil "sed -i '4p' bad/round-1/part-2" "part-2: values of more than 5 settings"
[ -z "$(cat cancelled)" ] && fail "not cancelled"

# A task reads the settings of its folder.
part()
{
	tune --part "$1:round" > there 2> said
	[ $? = 2 ] || fail "$1: exit status is not 2"
	grep -q -- "$2" said || fail "$1: expected '$2': $(cat said)"
}
mkdir round
part 1/2 'round/settings: No such file'
mark=$(sed -n '1s/lxfw-tune-2 //p' bad/round-1/settings)
echo "lxfw-tune-1 $mark" > round/settings
part 1/2 'round/settings:1: not a file of settings, expected lxfw-tune-2'
printf 'lxfw-tune-2 %s\n%s\nlxfw_polcy=x\n' "$mark" "$(sed -n 2p bad/round-1/settings)" \
	> round/settings
part 1/2 'round/settings:3: '
sed '1s/.*/lxfw-tune-2 12345678/' bad/round-1/settings > round/settings
part 1/2 'round: the settings belong to another trace, machine, set of blocks or goals'
# and evaluates those of its part, whose number of values is that of any other division
cp bad/round-1/settings round/settings
[ "$(wc -l < round/settings)" = 11 ] || fail "settings: $(cat round/settings)"
for i in $(seq 10); do
	tune --part "$i/10:round" || fail "part $i: $?"
done
for i in 1 3 5 7 9; do
	sed -n 2p "round/part-$i"
done > is
tune --part 1/2:round && sed 1d round/part-1 | diff -u is - || fail 'part 1 of 2'
tune --part 11/12:round || fail 'part 11 of 12'
[ "$(cat round/part-11)" = "lxfw-tune-2 $mark 11/12" ] || fail "part 11: $(cat round/part-11)"

finish
