#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Commands that ask a PBS, with a program in place of lxfw-pbsd: when they do, how it is found and
# called, and what is printed of what it says.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99
mkdir bin sbin tools tmp
cp "$lxfw" bin/lxfw || exit 99
command=$work/bin/lxfw
# No scontrol is in this PATH.
ln -s "$(command -v timeout)" "$(command -v env)" tools
PATH_BEFORE=$PATH
TMPDIR=$work/tmp
PBS_CONF_FILE=$work/pbs.conf
export TMPDIR PBS_CONF_FILE
touch pbs.conf

cat > bin/lxfw-pbsd <<END
#!/bin/sh
echo "\$*" > "$work/called"
for each; do
	[ "\$before" = --journal ] && /bin/cp "$work/kept" "\$each"
	before=\$each
done
/bin/cat "$work/says" >&2
exit \$(/bin/cat "$work/status")
END
chmod +x bin/lxfw-pbsd
: > says
echo 0 > status
printf '; MaxProcs: 4\n1 0 -1 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1\n2 0 -1 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1\n' > log.swf
"$lxfw" simulate --policy easy --journal kept log.swf > out 2>&1 || fail "simulate: $(cat out)"

# run ARGUMENT...: the command where there is no Slurm
run()
{
	rm -f called
	PATH=$work/tools "$command" "$@" > out 2> err
}

# called_with PATTERN
called_with()
{
	grep -qx -e "$1" called || fail "called with: $(cat called 2>&1)"
}

look='--watch --once --patience 30 --journal .*/tmp/lxfw.[A-Za-z0-9]*/pbs'
for job in 2 2.server '2[].server'; do
	run why $job || fail "why $job: $(cat err)"
	called_with "$look"
	grep -q '^Job 2 started' out || fail "why $job: $(cat out)"
done
run why '2[3].server'
[ $? = 1 ] && grep -qx 'lxfw: PBS shows no such job that waits or runs' err || fail "why, a task: $(cat out err)"
run why '2[3'
[ $? = 2 ] || fail "why, no task: $(cat out err)"
run predict
called_with "$look"
run queue --pbs || fail "queue --pbs: $(cat err)"
called_with "$look"
run queue --slurm
[ $? = 2 ] && grep -q 'cannot be read: scontrol: not found$' err || fail "queue --slurm: $(cat out err)"
run queue --pbs --site x
[ $? = 2 ] && grep -q 'expected one of them' err || fail "queue --pbs --site: $(cat out err)"
[ -z "$(ls tmp)" ] || fail "left over: $(ls tmp)"

# Requests as for qsub.
# means REQUEST SBATCH: they are the same
means()
{
	"$lxfw" predict --journal kept --json --request "$1" > out 2> err || fail "$1: $(cat err)"
	grep -qF -e "\"$2\"" out || fail "$1: $(cat out)"
}
means '-l select=2:ncpus=2:mem=3gb -l walltime=1:30:00' '-n 2 -c 2 -t 01:30:00 --mem-per-cpu 1536M'
means '-lwalltime=90,select=3' '-n 3 -t 00:01:30'
means '-l place=scatter:excl,select=ncpus=2:mpiprocs=2,walltime=2:00' '-N 1 -n 1 -c 2 -t 00:02:00 --exclusive'
means '-l select=4:mem=1 -l place=pack -l walltime=1000:00:00' '-N 1 -n 4 -t 41-16:00:00 --mem-per-cpu 1M'
# misread REQUEST MESSAGE
misread()
{
	"$lxfw" predict --journal kept --request "$1" > out 2> err
	[ $? = 2 ] && grep -qF -e "$2" err || fail "$1: $(cat err)"
}
misread '-l select=1:ncpus=1+1:ncpus=2 -l walltime=1:00' "expected one kind of chunks"
misread '-l select=1:ncpus=0' "expected one kind of chunks"
misread '-l select=1:ngpus=1' "expected one kind of chunks"
misread '-l select=1:mem=1xb' "expected one kind of chunks"
misread '-l walltime=1:2:3:4' "expected walltime=H:M:S"
misread '-l walltime=' "expected walltime=H:M:S"
misread '-l place=here' "expected place="
misread '-l nodes=2:ppn=2' "expected select=, walltime= or place="
misread '-l' "'-l' without a value"
misread '-l select=1' "without a time limit"

# What it says is printed, but no control characters that users wrote.
printf 'lxfw-pbsd: one\033[2J\nlxfw-pbsd: two\n' > says
run why 2 || fail "with notes: $(cat err)"
[ "$(cat err)" = 'lxfw: lxfw-pbsd: one?[2J
lxfw: lxfw-pbsd: two' ] || fail "notes: $(cat err)"
echo 2 > status
run why 2
[ $? = 2 ] && grep -qx 'lxfw: no JOURNAL given, expected one, or a Slurm or PBS that answers: lxfw-pbsd: two' err &&
	grep -qx 'lxfw: lxfw-pbsd: one.*' err || fail "no answer: $(cat err)"
run predict
[ $? = 2 ] && grep -q 'PBS that answers: lxfw-pbsd: two$' err || fail "no answer, predict: $(cat err)"
: > says
run predict
[ $? = 2 ] && grep -q 'PBS that answers: lxfw-pbsd: failed$' err || fail "no words: $(cat err)"
echo 0 > status

# A watch becomes the program.
run watch --journal j --once || fail "watch --once: $(cat err)"
called_with '--watch --journal j --interval 60 --once'
run watch --journal j --interval 5m --params lxfw_reservations=3
called_with '--watch --journal j --interval 300 -o lxfw_reservations=3'
echo 2 > status
run watch --journal j --once
[ $? = 2 ] || fail "watch: the status"
echo 0 > status
run watch --once
[ $? = 2 ] && grep -q 'expected --journal FILE' err || fail "watch, no journal: $(cat err)"

# Which of both is asked.
cat > tools/scontrol <<END
#!/bin/sh
echo "Slurm is asked"
exit 1
END
chmod +x tools/scontrol
for each in 'why 2' predict 'watch --once --journal j'; do
	# shellcheck disable=SC2086
	run $each
	[ $? = 2 ] && [ ! -e called ] && grep -q 'Slurm is asked' err || fail "$each, both: $(cat err)"
	# shellcheck disable=SC2086
	run $each --pbs
	[ -e called ] || fail "$each --pbs: $(cat err)"
	# shellcheck disable=SC2086
	PBS_CONF_FILE=$work/none run $each --pbs
	[ -e called ] || fail "$each --pbs, no pbs.conf: $(cat err)"
done
rm tools/scontrol
for each in 'why 2' predict 'watch --once --journal j'; do
	# shellcheck disable=SC2086
	run $each --slurm
	[ $? = 2 ] && [ ! -e called ] || fail "$each --slurm: $(cat err)"
	# shellcheck disable=SC2086
	PBS_CONF_FILE=$work/none run $each
	[ $? = 2 ] && [ ! -e called ] || fail "$each, none: $(cat err)"
done

# Where the program is: beside the command, in sbin beside its folder, in PATH.
mv bin/lxfw-pbsd sbin
run why 2 || fail "in sbin: $(cat err)"
mv sbin/lxfw-pbsd tools
run why 2 || fail "in PATH: $(cat err)"
rm tools/lxfw-pbsd
for each in 'why 2' predict 'watch --once --journal j'; do
	# shellcheck disable=SC2086
	run $each
	[ $? = 2 ] && grep -q "lxfw-pbsd is neither beside lxfw nor in PATH: .* built by 'configure --with-pbs=PREFIX'" err ||
		fail "$each, no program: $(cat err)"
done
[ -z "$(ls tmp)" ] || fail "left over: $(ls tmp)"
PATH=$PATH_BEFORE

finish
