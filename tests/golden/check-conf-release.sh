#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw check-conf --release: a slurm.conf is read as the release reads it. Keys and plugins
# that the release does not have stop its daemons and are removed; what is missing has the
# defaults of the release.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

cat > good.conf <<'END'
ClusterName=c
SlurmctldHost=h
SchedulerType=sched/lxfw
SchedulerParameters=defer,sched_interval=-1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
NodeName=n[1-2] CPUs=4 RealMemory=8000
PartitionName=p Nodes=n[1-2] MaxTime=60
END

releases='22.05 23.02 23.11 24.05 24.11 25.05 25.11 26.05'

# check WHAT SED: change good.conf, and set `stops` to the releases for which a finding stops
# jobs, with their names. Nothing is left to correct in the corrected file.
check()
{
	sed "$2" good.conf > changed.conf
	stops=
	for release in $releases; do
		"$lxfw" check-conf --no-files --release $release --write new.conf changed.conf > out 2> told
		status=$?
		[ $status -le 1 ] && [ ! -s told ] || fail "$1, $release: exit status $status: $(cat told)"
		names=$(sed -n 's/.*\[\([a-z-]*\), stops jobs\]$/\1/p' out | sort -u)
		[ -z "$names" ] || stops="$stops$release $names "
		"$lxfw" check-conf --no-files --release $release new.conf > again 2>&1 ||
			fail "$1, $release, corrected: $(cat again)"
	done
	stops=$(echo $stops)
}

# expect WHAT SED STOPS
expect()
{
	check "$1" "$2"
	[ "$stops" = "$3" ] || fail "$1: stops jobs in '$stops', not '$3'"
}

# all NAME FROM TO: this finding in the releases FROM to TO.
all()
{
	echo $(for release in $releases; do echo $release $1; done |
		sed -n "/^${2:-22.05} /,/^${3:-26.05} /p")
}

expect 'all is right' '' ''

# --- keys -----------------------------------------------------------------------
expect 'a key that no release has' '1s/$/\nDefMemPerCpus=3/' "$(all unknown-keys)"
expect 'an operator' '1s/$/\nLicenses+=a:2/' ''
expect 'a newer key' '1s/$/\nPrologTimeout=30/' "$(all unknown-keys 22.05 24.11)"
expect 'an older key' '1s/$/\nSLURMCTLDPLUGSTACK=nonstop/' "$(all unknown-keys 23.02)"
expect 'keys of a node' '8s/$/ RestrictedCoresPerGPU=2/' "$(all unknown-keys 22.05 23.11)"
grep -q 'RestrictedCoresPerGPU' new.conf || fail "removed for 26.05: $(cat new.conf)"
expect 'keys of a partition' '9s/$/ ExclusiveTopo=YES Nosuch=1/' "$(all unknown-keys)"
grep -qx 'PartitionName=p Nodes=n\[1-2\] MaxTime=60 ExclusiveTopo=YES' new.conf ||
	fail "keys of a partition: $(cat new.conf)"
expect 'a key of the cluster on the line of a node' '8s/$/ ReturnToService=1/' "$(all several-keys)"
grep -qx 'ReturnToService=1' new.conf && grep -qx 'NodeName=n\[1-2\] CPUs=4 RealMemory=8000' new.conf ||
	fail "a key of the cluster: $(cat new.conf)"
expect 'two keys' '1s/$/ JobRequeue=1/' "$(all several-keys)"
grep -qx 'ClusterName=c' new.conf && grep -qx 'JobRequeue=1' new.conf || fail "two keys: $(cat new.conf)"
expect 'keys on continued lines' '1s/$/ \\\n\tJobRequeue=1 MaxJobCount=9/' "$(all several-keys)"
grep -qx 'MaxJobCount=9' new.conf && grep -qx 'JobRequeue=1' new.conf || fail "continued: $(cat new.conf)"
expect 'a key that is refused' '1s/$/\nFastSchedule=2/' "$(all removed-keys)"
grep -qx 'SlurmdParameters=config_overrides' new.conf || fail "FastSchedule=2: $(cat new.conf)"
expect 'a value that is ignored' '1s/$/\nFastSchedule=1/' ''
expect 'a key that is refused, then unknown' '1s/$/\nAccountingStorageLoc=x/' \
	"$(all removed-keys 22.05 25.05) $(all unknown-keys 25.11)"
expect 'comments of jobs' '1s/$/\nAccountingStoreFlags=job_env\nAccountingStoreJobComment=YES/' \
	"$(all removed-keys)"
grep -qx 'AccountingStoreFlags=job_env,job_comment' new.conf || fail "comments: $(cat new.conf)"
expect 'a command of salloc' '1s/$/\nSallocDefaultCommand="srun --pty sh"/' "$(all removed-keys)"
# The other keys of these lines belong to the first one.
sed '1s/$/\nFrontendName=f FrontendAddr=a/; 2s/$/\nPowerAction=x Program=y/' good.conf > changed.conf
"$lxfw" check-conf --no-files --release 24.11 changed.conf > out
[ "$(grep -c 'stops jobs' out)" -eq 1 ] && grep -qx '+#PowerAction=x Program=y' out ||
	fail "a line of another release: $(cat out)"
"$lxfw" check-conf --no-files --release 26.05 changed.conf > out
[ "$(grep -c 'stops jobs' out)" -eq 1 ] && grep -qx '+#FrontendName=f FrontendAddr=a' out ||
	fail "a line of an older release: $(cat out)"
grep -q 'Slurm 26.05 has no key FrontendName, which releases up to 24.11 have' out ||
	fail "the releases: $(cat out)"

# --- plugins --------------------------------------------------------------------
expect 'a plugin that was removed' '5s/cons_tres/cons_res/' "$(all select 23.11)"
expect 'a plugin in upper case' '5s/select/SELECT/' "$(all select)"
expect 'one of several plugins' '1s/$/\nTaskPlugin=task\/affinity,task\/cray_aries/' \
	"$(all unknown-plugins 24.05)"
grep -qx 'TaskPlugin=task/affinity' new.conf || fail "one of several plugins: $(cat new.conf)"
expect 'a topology' '1s/$/\nTopologyPlugin=topology\/block/' "$(all unknown-plugins 22.05 23.02)"
expect 'none' '1s/$/\nSwitchType=switch\/none\nJobCompType=jobcomp\/none/' ''

# --- defaults -------------------------------------------------------------------
sed '5,6d' good.conf > changed.conf
"$lxfw" check-conf --no-files --release 23.02.8 changed.conf > out
grep -q '\[select, does not work\]' out || fail "23.02 has select/linear: $(cat out)"
"$lxfw" check-conf --no-files --release 23.11 changed.conf > out || fail "23.11: $(cat out)"
expect 'no SelectType, but processors' 5d "$(all select 22.05 23.02)"
sed '1s/$/\nPriorityWeightAge=1000/' good.conf > changed.conf
"$lxfw" check-conf --no-files --release 23.02 changed.conf > out || fail "priority/basic: $(cat out)"
"$lxfw" check-conf --no-files --release 23.11 changed.conf > out
grep -q '\[priority\]' out || fail "priority/multifactor: $(cat out)"
# PreemptParameters exists since 23.02.
sed '4s/$/,youngest_first/' good.conf > changed.conf
"$lxfw" check-conf --no-files --release 22.05 --write new.conf changed.conf > out
! grep -q '^PreemptParameters' new.conf || fail "22.05: $(cat new.conf)"
"$lxfw" check-conf --no-files --release 23.02 --write new.conf changed.conf > out
grep -qx 'PreemptParameters=youngest_first' new.conf || fail "23.02: $(cat new.conf)"

# --- misuse ---------------------------------------------------------------------
for release in 21.08 26.11 23 23. 23.11. 23.11.4.1 x '' -1 23.11x 99999999999999999999.1; do
	"$lxfw" check-conf --release "$release" good.conf > out 2> told
	[ $? -eq 2 ] && [ ! -s out ] &&
		grep -qF "lxfw check-conf: --release $release: not a known release of Slurm, expected 22.05 to 26.05" told ||
		fail "--release $release: $(cat out told)"
done
finish
