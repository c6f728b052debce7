#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw-recover and what it is given: options, files, controllers. A scontrol and a
# squeue that only pretend; what it does with a cluster is for live-quantum-death.sh.

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
	echo "StateSaveLocation       = $scratch/state" ;;
*'show job 7') echo 'JobId=7 JobState=SUSPENDED NodeList=(null) Priority=0' ;;
*'show job 8') echo 'JobId=8 JobState=RUNNING NodeList=(null) Priority=5' ;;
*show*) ;;
*) echo "\$*" >>$scratch/done ;;
esac
END
printf '#!/bin/sh\n' >"$scratch/bin/squeue"
chmod +x "$scratch/bin/scontrol" "$scratch/bin/squeue"
echo backfill >"$scratch/scheduler"

# expect STATUS TEXT ARGUMENT...: that status, and the text somewhere.
expect()
{
	status=$1 text=$2
	shift 2
	PATH=$scratch/bin:$PATH "$recover" "$@" >"$scratch/out" 2>&1
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
expect 2 'the controller does not answer'
rm "$scratch/down"
echo lxfw >"$scratch/scheduler"
expect 2 'does this by itself'
echo backfill >"$scratch/scheduler"

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

write 'lxfw-quanta 1' 'lent 7 priority 5 for 8' \
	'served 8 id 8 until 99 submit 1 accrue 1 cut 1' \
	'served 9 id 9 until 0 submit 1 accrue 1 cut 0' 'end 00000000'
expect 0 'scontrol requeue 8' -n
[ -e "$file" ] && [ ! -e "$scratch/done" ] || { echo 'a dry run did something'; failed=1; }
expect 0 'scontrol resume 7'
[ "$(xargs <"$scratch/done")" = 'requeue 8 resume 7' ] ||
	{ echo "done: $(xargs <"$scratch/done")"; failed=1; }
[ ! -e "$file" ] && [ -e "$file.recovered" ] || { echo 'the file was not put away'; failed=1; }
exit $failed
