#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw check-conf --try` starts slurmctld with a slurm.conf as it is and as it is corrected,
# in a folder of its own, says what it saw, starts nothing of the site, and leaves nothing
# behind. It needs no private cluster.
set -u -o pipefail
export LC_ALL=C
build=${LXFW_TOP_BUILDDIR:-$(cd "$(dirname "$0")" && pwd)/../..}
PATH=$PATH:/usr/sbin:/sbin
failures=0

skip()
{
	echo "SKIP: $*"
	exit 77
}

fail()
{
	echo "FAIL: $*"
	failures=$((failures + 1))
}

lxfw=$(cd "$build" && pwd)/lxfw
work=$(mktemp -d "${TMPDIR:-/tmp}/lxfw-try.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
[ -z "${LXFW_SLURM_PREFIX-}" ] || skip "the Slurm of a prefix is not searched"
for program in slurmctld munged scontrol sbatch; do
	type -P $program >/dev/null && continue
	echo ClusterName=c >site.conf
	"$lxfw" check-conf --try site.conf | grep -q 'not tried: .* not installed on this machine \[trial, note\]$' ||
		fail "without $program: $("$lxfw" check-conf --try site.conf)"
	[ $failures = 0 ] || exit 1
	skip "$program is not installed"
done

# A site with programs that would leave a file, and services that are not there.
for name in prolog suspend resume health mail off; do
	printf '#!/bin/sh\ntouch %s/started-%s\n' "$work" "$name" >"$name"
	chmod 755 "$name"
done
cat >site.conf <<END
ClusterName=site
SlurmctldHost=one(192.0.2.1)
StateSaveLocation=$work/state-of-the-site
SlurmctldPidFile=$work/pid-of-the-site
SlurmctldLogFile=$work/log-of-the-site
PrologSlurmctld=$work/prolog
SlurmctldPrimaryOnProg=$work/health
SlurmctldPrimaryOffProg=$work/off
SuspendProgram=$work/suspend
ResumeProgram=$work/resume
SuspendTime=1
MailProg=$work/mail
JobSubmitPlugins=lua
JobCompType=jobcomp/script
JobCompLoc=$work/mail
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=192.0.2.2
AccountingStorageEnforce=limits
SchedulerType=sched/lxfw
SchedulerParameters=defer,sched_interval=-1,lxfw_quantum=60,lxfw_journal=$work/journal-of-the-site
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=100
NodeName=n[1-200] CPUs=4 RealMemory=8000 NodeAddr=192.0.2.[1-200] Port=7000
NodeName=c[1-4] CPUs=4 RealMemory=8000 State=CLOUD
PartitionName=DEFAULT MaxTime=60
PartitionName=batch Nodes=n[1-200] Default=YES AllowGroups=nosuch
PartitionName=cloud Nodes=c[1-4] QOS=nosuch SuspendTime=1
END
mkdir state-of-the-site

# try WHAT LEVEL PATTERN [OPTION...]: the finding of the trial of changed.conf.
try()
{
	local what=$1 level=$2 pattern=$3
	shift 3
	"$lxfw" check-conf --try "$@" changed.conf >out 2>told
	status=$?
	[ $status -le 1 ] && [ ! -s told ] || fail "$what: exit status $status: $(cat told)"
	[ "$(grep -cF "[trial, $level]" out)" = 1 ] || fail "$what: $(cat out)"
	grep -F "[trial, $level]" out | grep -qE -- "$pattern" ||
		fail "$what: no '$pattern': $(grep -F '[trial' out)"
}

# quiet WHAT: nothing of the site was started or written, and nothing is left.
quiet()
{
	local found
	found=$(ls -d started-* ./*-of-the-site state-of-the-site/* 2>/dev/null | grep -v '^./state-of-the-site$')
	[ -z "$found" ] || fail "$1: left: $found"
	for found in $folders; do
		[ ! -e "$found" ] || fail "$1: $found is left"
		! pgrep -f "$found/" >/dev/null || fail "$1: processes are left: $(pgrep -af "$found/")"
	done
}
folders=

# --- the file as it is -----------------------------------------------------------
cp site.conf changed.conf
try 'a site' note "slurmctld [0-9.]*, tried in a private folder, starts with the corrected file.* and each of the partitions batch, cloud takes a plain job; left out: .*JobSubmitPlugins, .*AllowGroups, QOS, SuspendTime|SuspendTime.*QOS"
for name in PrologSlurmctld SlurmctldPrimaryOnProg SuspendProgram ResumeProgram JobCompType AccountingStorageType; do
	grep '\[trial' out | grep -qw "$name" || fail "a site: $name is not named: $(grep '\[trial' out)"
done
quiet 'a site'
if [ -e "$build/.libs/sched_lxfw.so" ]; then
	try 'with the plugin' note 'corrected file, sched/lxfw runs, and each' --plugin-dir "$build/.libs"
	quiet 'with the plugin'
else
	try 'without the plugin' note 'and sched/backfill, since sched_lxfw.so for this release is not in PluginDir'
fi

# --- files that do not start -----------------------------------------------------
sed 's/^SelectType=.*/SelectType=select\/linear/; s/CR_Core_Memory/CR_Core/' site.conf >changed.conf
try 'corrected' note 'starts with the corrected file.*; it does not with the file as it is: fatal: '
sed 's/^DefMemPerCPU=.*/DefMemPerCPU=90000/' site.conf >changed.conf
try 'a default that is too large' note 'batch, cloud takes a plain job'
sed 's/^NodeName=c.*/&\n&/' site.conf >changed.conf
try 'not corrected' 'stops jobs' 'does not start with the corrected file, nor with the file as it is: fatal: .*Duplicated'
[ $status = 1 ] || fail "not corrected: exit status $status"
sed 's/^PartitionName=cloud.*/& State=INACTIVE/' site.conf >changed.conf
try 'a partition that refuses' note 'partition batch takes a plain job; partition cloud takes none, as before: error: '
echo 'NosuchKey=1' >>changed.conf
try 'a key that does not exist' note 'it does not with the file as it is: '
quiet 'files that do not start'

# --- what the commands say about the file ----------------------------------------
# A plain file, with the lines of the standard input.
minimal()
{
	printf '%s\n' ClusterName=x SlurmctldHost=h StateSaveLocation=/var/lib/slurm \
		SelectType=select/cons_tres SelectTypeParameters=CR_Core >changed.conf
	cat >>changed.conf
}
minimal <<'END'
NodeName=n0x[1-5] CPUs=5 Sockets=1 CoresPerSocket=6
NodeName=n1x[1-5] CPUs=5 Sockets=1 CoresPerSocket=6
NodeName=n2x[1-5] CPUs=5 Sockets=1 CoresPerSocket=6
PartitionName=p Nodes=ALL MaxTime=1-0
PartitionName=off Nodes=ALL MaxTime=1-0 State=INACTIVE
END
try 'warnings' note 'partition p takes .* as before: error: Batch job submission failed: .*inactive'

# --- values that a trial changes or has ------------------------------------------
minimal <<'END'
SchedulerParameters=lxfw_journal=/var/log/x
NodeName=n1 CPUs=4
PartitionName=a Nodes=n1 Default=YES MaxTime=1-0
PartitionName=spare Nodes="" MaxTime=1-0
END
# From 24.11 on Slurm refuses a job in a partition without nodes.
try 'empty values' note \
	'starts with the corrected file.*(partitions a, spare takes|spare takes none, as before)'
! grep -q 'it does not with' out || fail "empty values: $(cat out)"
minimal <<'END'
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageTRES=gres/gpu
PriorityType=priority/multifactor
PriorityWeightTRES=cpu=10,gres/gpu=20
GresTypes=gpu
NodeName=n1 CPUs=4 Gres=gpu:2
PartitionName=a Nodes=n1 MaxTime=1-0 TRESBillingWeights="CPU=1.0,GRES/gpu=2.0"
END
try 'weights of GPUs' note 'partition a takes.*PriorityWeightTRES.*TRESBillingWeights'
! grep -q 'it does not with' out || fail "weights of GPUs: $(cat out)"

minimal <<'END'
TaskPluginParam=Sched
NodeName=n1 CPUs=4
PartitionName=a Nodes=n1 MaxTime=1-0
END
try 'a parameter of tasks' 'stops jobs' 'Bad TaskPluginParam: Sched'

# --- what is no fault of the file ------------------------------------------------
minimal <<'END'
NodeName=n1 CPUs=4
PartitionName=a Nodes=n1 MaxTime=1-0
PartitionName=off Nodes=n1 State=INACTIVE
END
echo 'PluginDir=/nosuch/slurm' >>changed.conf
if [ -e "$build/.libs/sched_lxfw.so" ]; then
	try 'no PluginDir here' note 'sched/lxfw runs, and partition a takes' \
		--plugin-dir "$build/.libs"
fi
sed -i '/^PluginDir/d' changed.conf
chmod 755 "$work"
if [ "$(id -u)" = 0 ] && ! getent passwd 54321 >/dev/null &&
	setpriv --reuid=54321 --clear-groups test -x "$lxfw" 2>/dev/null; then
	setpriv --reuid=54321 --clear-groups "$lxfw" check-conf --try changed.conf >out 2>told
	grep -q 'not tried: .* either: .*\[trial, note\]' out ||
		fail "a user without a name: $(cat out told)"
fi
echo 'CacheGroups=0' >>changed.conf
echo 'FastSchedule=1' >>changed.conf
try 'a reason' note 'off takes none: .*not with the file as it is: .*CacheGroups'

# --- a signal --------------------------------------------------------------------
folder_of()
{
	folders=$(pgrep -P "$1" -a | grep -o '/tmp/lxfw-trial\.[A-Za-z0-9]*' | sort -u)
	[ -n "$folders" ] || ! kill -0 "$1" 2>/dev/null
}
cp site.conf changed.conf
for signal in TERM HUP KILL; do
	# a signal that is ignored, as HUP under nohup, stays so
	env --default-signal=HUP,TERM "$lxfw" check-conf --try changed.conf >out 2>told &
	pid=$!
	until folder_of $pid; do
		sleep 0.02
	done
	kill -s $signal $pid 2>/dev/null
	wait $pid 2>/dev/null
	status=$?
	[ $status = $((128 + $(kill -l $signal))) ] || fail "$signal: exit status $status"
	[ ! -s out ] || fail "$signal: $(cat out)"
	if [ $signal = KILL ]; then
		# Its processes end with it; the folder stays.
		for _ in $(seq 100); do
			pgrep -f "$folders/" >/dev/null || break
			sleep 0.1
		done
		rm -rf "$folders"
	fi
	quiet "$signal"
done

# --- misuse ------------------------------------------------------------------------
"$lxfw" check-conf --try --no-files changed.conf >out 2>told
[ $? = 2 ] && grep -q 'no effect with --no-files' told || fail "--no-files: $(cat out told)"
"$lxfw" check-conf --try --pbs changed.conf >out 2>told
[ $? = 2 ] && grep -q -- '--try has no effect with --pbs' told || fail "--pbs: $(cat out told)"
release=26.05
case $(slurmctld -V) in
*26.05*) release=22.05 ;;
esac
try 'another release' note "not tried: slurmctld on this machine is [0-9.]*, which --release is not" --release $release
[ $failures = 0 ] && echo 'all tried'
exit $((failures > 0))
