#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw-recover and its options, files and controllers, with simulated scontrol and
# squeue. live-quantum-death.sh tests it on a cluster.

recover=${LXFW_TOP_SRCDIR:-.}/plugins/slurm/lxfw-recover
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
failed=0
mkdir "$scratch/bin" "$scratch/state"

cat >"$scratch/bin/scontrol" <<END
#!/bin/sh
[ -e $scratch/down ] && { echo 'slurm_load_ctl_conf error' >&2; exit 1; }
case "\$*" in
'show config')
	echo "SchedulerType           = sched/\$(cat $scratch/scheduler)"
	echo "PluginDir               = /none:$scratch/plugins:/none"
	echo "StateSaveLocation       = $scratch/state" ;;
*'show job '*) cat $scratch/shown ;;
'show hostnames '*) shift 2; echo "\$1" ;;
*'show node n1,n2') cat $scratch/nodes; [ ! -s $scratch/nodes ] || : >$scratch/asked ;;
*show*) ;;
*) echo "\$*" >>$scratch/done ;;
esac
END
cat >"$scratch/bin/lxfw-job-cores" <<END
#!/bin/sh
[ -e $scratch/away ] && exit 2
cat $scratch/jobs
END
printf '#!/bin/sh\necho 9\n' >"$scratch/bin/squeue"
chmod +x "$scratch/bin/scontrol" "$scratch/bin/squeue" "$scratch/bin/lxfw-job-cores"
: >"$scratch/nodes"
# The output of scontrol contains text of users. A parser that trusts it would requeue,
# resume and wait for the wrong jobs.
cat >"$scratch/shown" <<END
JobId=7 JobName=a JobState=RUNNING Priority=5 NodeList=n1
   Nodes=n1 CPU_IDs=0-4294967295 Mem=0 GRES=
   JobState=RUNNING
END
echo backfill >"$scratch/scheduler"

# jobs LINE...: set the jobs of the controller.
jobs()
{
	printf '%s\n' "$@" >"$scratch/jobs"
}

# expect STATUS TEXT ARGUMENT...: check the status, and that the output contains TEXT.
expect()
{
	status=$1 text=$2
	shift 2
	PATH=$scratch/bin:$PATH timeout -k 1 120 "$recover" "$@" >"$scratch/out" 2>&1
	got=$?
	if [ $got != "$status" ] || ! grep -qF -- "$text" "$scratch/out"; then
		echo "lxfw-recover $*: status $got, not $status, or without \"$text\":"
		sed 's/^/  /' "$scratch/out"
		failed=1
	fi
}

file=$scratch/state/lxfw_quanta
write()
{
	printf '%s\n' "$@" >"$file"
}

expect 0 'usage: lxfw-recover' --help
expect 2 '--nonsense: unknown option' --nonsense
expect 2 'b: one file only' a b
expect 0 'nothing was under way' -n
expect 0 'there is no /nowhere/at/all' /nowhere/at/all
touch "$scratch/down"
expect 2 'the controller does not respond'
rm "$scratch/down"
echo lxfw >"$scratch/scheduler"
expect 2 'does this by itself'
echo backfill >"$scratch/scheduler"
mkdir "$scratch/plugins"
echo 'LXF&W priority backfill scheduler' >"$scratch/plugins/sched_backfill.so"
expect 2 'does this by itself'
echo builtin >"$scratch/scheduler"
expect 0 'nothing was under way'
echo backfill >"$scratch/scheduler"
echo 'Slurm Backfill Scheduler plugin' >"$scratch/plugins/sched_backfill.so"
expect 0 'nothing was under way'

expect 2 "$scratch: cannot be read" "$scratch"
: >"$file"
expect 2 "$file:0: cut off"
write 'something else'
expect 2 "$file:1: not of sched/lxfw"
write 'lxfw-quanta 1' 'lent 7 priority 5 for 8'
expect 2 "$file:2: cut off, expected end"
write 'lxfw-quanta 1' 'lent 7 prio' 'end 00000000'
expect 2 "$file:2: damaged"
write 'lxfw-quanta 1' 'end 00000000' 'lent 7 priority 5 for 8'
expect 2 "$file:3: more after the end"
[ ! -e "$scratch/done" ] || { echo "a bad file was acted on: $(cat "$scratch/done")"; failed=1; }

jobs '7 7 SUSPENDED 0' '8 8 RUNNING 5'
write 'lxfw-quanta 1' 'lent 7 priority 5 for 8' \
	'served 8 id 8 until 99 submit 1 accrue 1 cut 1' \
	'served 9 id 9 until 0 submit 1 accrue 1 cut 0' 'victim 7 suspended 2' 'victims 1' \
	'end 00000000'
expect 0 'scontrol requeue 8' -n
[ -e "$file" ] && [ ! -e "$scratch/done" ] || { echo 'a dry run did something'; failed=1; }
expect 0 'scontrol resume 7'

# did TEXT: check the commands that were run, and that the file was renamed.
did()
{
	[ "$(xargs <"$scratch/done")" = "$1" ] ||
		{ echo "done, in place of $1: $(xargs <"$scratch/done")"; failed=1; }
	[ ! -e "$file" ] && [ -e "$file.recovered" ] || { echo 'the file was not put away'; failed=1; }
	rm -f "$scratch/done" "$file.recovered"
}
did 'requeue 8 resume 7'

# A job whose requeue was not saved still has the run that was ended, which began at 9
# according to squeue. A later run is not requeued.
jobs '7 7 RUNNING 5' '8 8_1 SUSPENDED 5' '9 9 RUNNING 5' '10 10 PENDING 5'
write 'lxfw-quanta 1' 'requeued 7 began 9' 'requeued 8 began 0' 'requeued 9 began 5' \
	'requeued 10 began 9' 'end 00000000'
expect 0 'scontrol requeue 7'
did 'requeue 7 requeue 8_1'
write 'lxfw-quanta 1' 'requeued 7 began soon' 'end 00000000'
expect 2 "$file:2: damaged"

# lent ID...: these jobs are suspended for job 8.
lent()
{
	write 'lxfw-quanta 1' "$(printf 'lent %s priority 5 for 8\n' "$@")" 'end 00000000'
}

# The state, the priority and the quantum count, not the text in a job's name.
jobs '7 7 PENDING 5 n1 0-3'
write 'lxfw-quanta 1' 'served 7 id 7 until 99 submit 1 accrue 1 cut 1' 'end 00000000'
PATH=$scratch/bin:$PATH "$recover" >/dev/null || failed=1
[ ! -e "$scratch/done" ] || { echo "done by a job's name: $(cat "$scratch/done")"; failed=1; }

# A task of an array is resumed by its array name, because its number may be the
# array's.
lent 7 8
jobs '7 7_4 SUSPENDED 3 n1 0-3' '8 7_1 PENDING 0' '9 7_2 SUSPENDED 3 n1 0-3'
expect 0 'scontrol resume 7_4'
did 'resume 7_4 release 7_1'

# The allocated cores count, not the text in the name of job 9.
lent 7
jobs '7 7 SUSPENDED 3 n1 4-7,12 n2 0' '9 9 RUNNING 3 n1 0-3,8-11 n3 0 n22 0'
expect 0 'scontrol resume 7'
did 'resume 7'
for taken in '9 9 RUNNING 3 n0 0 n1 3-4' '9 9 COMPLETING 3 n2 0-4294967295' \
	'9 9 RUNNING 3 n1 1,12'; do
	lent 7
	jobs '7 7 SUSPENDED 3 n1 4-7,12 n2 0' "$taken"
	expect 0 'when nobody has its processors' -n
	expect 0 'scontrol resume 7' --now
	did 'resume 7'
done

# If its nodes have not reported, the job is not resumed before they have.
lent 7
jobs '7 7 SUSPENDED 3 n1 4-7 n2 0'
echo '   BootTime=None SlurmdStartTime=None' >"$scratch/nodes"
(
	tries=0
	until [ -e "$scratch/asked" ] || [ $((tries += 1)) -gt 100 ]; do sleep 0.1; done
	: >"$scratch/nodes"
) &
expect 0 'scontrol resume 7'
did 'resume 7'
[ -e "$scratch/asked" ] || { echo 'no node was asked for'; failed=1; }

# No job is considered ended because the controller does not respond.
lent 7
touch "$scratch/away"
expect 2 'the controller does not say how jobs are'
rm "$scratch/away"
jobs '7 7 SUSPENDED 3 n1 4-7' 'name JobState=SUSPENDED'
expect 2 'something else than jobs'
[ -e "$file" ] && [ ! -e "$scratch/done" ] || { echo 'acted without an answer'; failed=1; }
exit $failed
