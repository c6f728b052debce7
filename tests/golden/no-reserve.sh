#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Jobs of a QOS with the flag NoReserve get no reservation in simulations, under each policy:
# a job behind them that would delay them starts. The starts are known. Four nodes:
#
# 1	three nodes from 0 to 7200
# 2	four nodes from 60 on, QOS standby
# 3	one node for 10000 s from 120 on
# 4	four nodes from 180 on, for 600 s
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

cat > slurm.conf <<'END'
SchedulerType=sched/backfill
SelectType=select/linear
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightQOS=1000
AccountingStorageType=accounting_storage/slurmdbd
SchedulerParameters=bf_interval=1
NodeName=n[1-4] CPUs=16
PartitionName=batch Nodes=n[1-4] Default=YES
END
cat > sacct <<'END'
JobID|Submit|Start|End|NCPUS|NNodes|Partition|User|Account|QOS|State|Timelimit
1|1735689600|1735689600|1735696800|48|3|batch|u|a|normal|COMPLETED|02:00:00
2|1735689660|1735699720|1735700320|64|4|batch|u|a|standby|COMPLETED|00:10:00
3|1735689720|1735689720|1735699720|16|1|batch|v|a|normal|COMPLETED|02:46:40
4|1735689780|1735700320|1735700920|64|4|batch|v|a|normal|COMPLETED|00:10:00
END
printf 'Name|Priority|Flags|UsageFactor\nnormal|0||1\nstandby|0|DenyOnLimit,NoReserve|1\n' \
	> flag.qos
sed 's/,NoReserve/,NoReserved/' flag.qos > none.qos

# starts_are EXPECTED QOS POLICY: the starts after the first submission, in order of the jobs
starts_are()
{
	"$lxfw" simulate --cluster slurm.conf --qos "$2" --policy site --policy "$3" \
		--jobs-out jobs.csv sacct > out 2> told || fail "$2, $3: $(cat told)"
	! grep -v ' records (sacct): ' told || fail "$2, $3: more than one note"
	found=$(awk -F , -v policy="$3" '$NF == policy { print $1, $3 }' jobs.csv | sort -n |
		cut -d ' ' -f 2 | xargs)
	[ "$found" = "$1" ] || fail "$2, policy $3: starts $found, expected $1"
}

for policy in easy conservative lxfw slurm; do
	case $policy in
	lxfw)	starts_are '0 7200 8400 7800' none.qos $policy ;;
	*)	starts_are '0 7200 7800 17800' none.qos $policy ;;
	esac
	starts_are '0 10120 120 10720' flag.qos $policy
done

# The request in the journal has the flag, and a replay makes the same decisions.
"$lxfw" simulate --cluster slurm.conf --qos flag.qos --policy site --journal journal sacct \
	> out 2>&1 || fail "journal: $(cat out)"
"$lxfw" replay journal > out 2>&1 || fail "replay: $(cat out)"
"$lxfw" journal journal > text
[ "$(grep -c ' no-reservation ' text)" -eq 1 ] ||
	fail "$(grep -c ' no-reservation ' text) requests without a reservation"
grep -q 'reserve.* 2 ' text && fail "a reservation for job 2: $(grep 'reserve.* 2 ' text)"

# A run of the policy with the flag is what the log has; without it, it is not.
for qos in flag none; do
	"$lxfw" compare --cluster slurm.conf --qos $qos.qos --policy slurm --shake 0 \
		--infer none --start-overhead 0 --jobs-out compared.csv sacct > out 2> told ||
		[ $? -eq 1 ] || fail "compare with $qos: $(cat told)"
	awk -F , 'NR > 1 && $5 != $6' compared.csv > differ.$qos
done
[ ! -s differ.flag ] || fail "compare: $(cat differ.flag)"
[ -s differ.none ] || fail "compare: no difference without the flag"

finish
