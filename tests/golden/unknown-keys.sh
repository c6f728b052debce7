#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A key that lxfw does not have is an error, with the nearest key, wherever a user gives
# parameters. In a slurm.conf, Slurm's own keys pass, and other ones are named.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

{
	echo '; MaxProcs: 4'
	i=0
	while [ $i -lt 60 ]; do
		i=$((i + 1))
		job $i $((i * 43200)) 3600 2 3600
	done
} > unmeasured.swf
awk '/^;/ { print; next } { $3 = 0; print }' unmeasured.swf > log.swf
"$lxfw" simulate --cluster procs=4 --journal journal log.swf > out 2> err ||
	fail "journal: $(cat err)"
"$lxfw" snapshot --journal journal -o snapshot 2> err || fail "snapshot: $(cat err)"

# refused NAME EXPECTED ARGUMENTS...: exit status 2, EXPECTED on standard error, and nothing
# on standard output
refused()
{
	name=$1 expected=$2
	shift 2
	"$lxfw" "$@" > out 2> err
	is=$?
	[ $is -eq 2 ] || fail "$name: exit status $is: $(cat err)"
	grep -qF -e "$expected" err || fail "$name: no '$expected' in: $(cat err)"
	[ ! -s out ] || fail "$name: output: $(cat out)"
}

# at PLACE TEXT EXPECTED: the parameters TEXT in one of the places that take them
at()
{
	place=$1 text=$2 expected=$3
	printf 'site=a procs=4\nsite=b procs=2 params=%s\n' "$text" > sites
	case $place in
	simulate) set -- simulate --params "$text" log.swf ;;
	contender) set -- simulate --policy easy --contender "other=$text" log.swf ;;
	from) set -- simulate --from snapshot --params "$text" ;;
	compare) set -- compare --params "$text" log.swf ;;
	instead) set -- compare --instead "lxfw_policy=easy,$text" log.swf ;;
	predict) set -- predict --evaluate log.swf --params "$text" ;;
	replay) set -- replay --params "$text" journal ;;
	current) set -- tune --current "$text" log.swf ;;
	formula) set -- tune --pbs-formula --current "$text" ;;
	sites) set -- grid --sites sites log.swf ;;
	*) set -- tune --vary "$text" log.swf ;;
	esac
	refused "$place '$text'" "$expected" "$@"
}

# Each place with each kind of mistake.
for place in simulate contender from compare instead predict replay current formula sites; do
	at $place lxfw_ww=1,ww=300 'ww: unknown key, expected lxfw_ww?'
	at $place policy=sjf 'policy: unknown key, expected lxfw_policy?'
	at $place lxfw_ww=1,reservation=2 \
		'reservation: unknown key, expected lxfw_reservations?'
	at $place lxfw_ww=1,Policy=easy 'Policy: unknown key, expected lxfw_policy?'
	at $place xlfw_ww=1 'xlfw_ww: unknown key, expected lxfw_ww?'
	at $place lxfw_polcy=easy 'lxfw_polcy: unknown key, expected lxfw_policy?'
	at $place lxfw_ww=1,colour=red 'colour: unknown key, expected one of lxfw_policy'
	at $place lxfw_ww=1,colour 'colour: unknown key, expected one of lxfw_policy'
done
at vary ww=1..3 'ww: unknown key, expected lxfw_ww?'
at vary policy=sjf/easy 'policy: unknown key, expected lxfw_policy?'
at vary PriorityWeightAge=1..9 'PriorityWeightAge: a key of slurm.conf'

# Keys of Slurm: where the parameters are for lxfw alone they would have no effect. Those of
# --current are the SchedulerParameters of a site.
for place in simulate contender from compare instead predict replay sites; do
	at $place lxfw_ww=1,bf_interval=60 'bf_interval: a key of Slurm, expected lxfw_interval'
	at $place lxfw_ww=1,defer 'defer: a key of Slurm, expected keys of lxfw'
	at $place lxfw_ww=1,PriorityWeightAge=5 'PriorityWeightAge: a key of slurm.conf'
	at $place lxfw_ww=1,enable_configless 'enable_configless: a key of slurm.conf'
done
at vary bf_interval=30/60 'bf_interval: a key of Slurm, expected lxfw_interval'
"$lxfw" tune --pbs-formula --current defer,bf_interval=60,lxfw_policy=lxfw > out 2> err ||
	fail "Slurm's keys in --current: $(cat err)"
at current lxfw_policy=lxfw,PriorityWeightAge=5 "'PriorityWeightAge=5' without the priorities"
refused 'a key of lxfw params' "no key 'lxfw_polcy', expected lxfw_policy?" params lxfw_polcy

# A slurm.conf: Slurm's keys pass, another one is named, and the command continues.
conf()
{
	printf 'ClusterName=c\nSlurmctldHost=h\nNodeName=n[1-2] CPUs=2\nPartitionName=p Nodes=ALL\n'
	printf 'SchedulerType=%s\nSchedulerParameters=%s\n' "$1" "$2"
}
conf sched/lxfw defer,sched_interval=-1,ww=300,lxfw_policy=sjf,enable_configless,bf_intervall=9,x=1 \
	> slurm.conf
"$lxfw" simulate --cluster slurm.conf log.swf > out 2> err ||
	fail "slurm.conf: exit status $?: $(cat err)"
expected='slurm.conf: SchedulerParameters: neither parameters of Slurm nor of sched/lxfw: ww=300 (did you mean lxfw_ww?), bf_intervall=9 (did you mean bf_interval?), x=1'
grep -qxF "lxfw: $expected" err || fail "slurm.conf: $(cat err)"
conf sched/backfill bf_interval=60,defer,Ignore_NUMA,preempt_youngest_first > slurm.conf
"$lxfw" simulate --cluster slurm.conf log.swf > out 2> err || fail "Slurm's: $(cat err)"
! grep -q 'neither' err || fail "Slurm's: $(cat err)"
conf sched/lxfw defer,sched_interval=-1,ww=300 > slurm.conf
"$lxfw" check-conf --no-files slurm.conf > out
grep -q 'sched/lxfw: ww=300 (did you mean lxfw_ww?) \[unknown-parameters\]' out ||
	fail "check-conf: $(cat out)"
conf sched/lxfw lxfw_policyy=sjf > slurm.conf
refused 'a key of lxfw in slurm.conf' 'lxfw_policyy: unknown key, expected lxfw_policy?' \
	simulate --cluster slurm.conf log.swf

# Descriptions of machines and classes.
machine()
{
	printf '%s\n' "$2" > machine
	refused "machine '$2'" "$1" simulate --cluster machine log.swf
}
machine "machine:1: 'porcs=4': unknown key, expected procs?" 'n[1-2] porcs=4'
machine "machine:1: 'proc=4': unknown key, expected procs?" 'n[1-2] proc=4'
machine "machine:1: 'cpus=4': unknown key, expected procs?" 'n[1-2] cpus=4'
machine "machine:1: 'mem=4': unknown key, expected memory?" 'n[1-2] procs=4 mem=4'
machine "machine:1: 'wieght=4': unknown key, expected weight?" 'n[1-2] procs=4 wieght=4'
machine "exclusive=1, did you mean max-time?" 'n1 procs=4
partition=p nodes=n1 maxtime=3d'
printf 'n[1-2] procs=4 gpus=2 fpga=1\n' > machine
"$lxfw" simulate --cluster machine log.swf > out 2> err || fail "extras: $(cat err)"
printf 'site=a porcs=4\n' > sites
refused sites "sites:1: 'porcs=4', expected site=NAME" grid --sites sites log.swf
grep -q 'machine=FORMULA, did you mean procs?$' err || fail "sites: $(cat err)"
refused request "or -l, did you mean --time?" predict --journal journal \
	--request '--tme=10 -n 1'

finish
