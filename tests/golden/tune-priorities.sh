#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw tune finds better weights of Slurm's priorities for a site whose weights are bad:
# all weight is on the size of jobs, so small jobs wait for large ones. The true value of
# a setting is its mean over other logs of the same model.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh"

case $lxfw in
/*) ;;
*) lxfw=$PWD/$lxfw ;;
esac
cd "$work" || exit 99

cat > bad.conf <<'END'
ClusterName=one
SlurmctldHost=one
PriorityType=priority/multifactor
PriorityWeightJobSize=100000
PriorityWeightAge=0
PriorityMaxAge=30-0
AccountingStorageType=accounting_storage/slurmdbd
NodeName=n CPUs=128
PartitionName=all Nodes=n Default=YES
END

# log SEED FILE
log()
{
	"$lxfw" generate lublin --procs 128 --jobs 3500 --load 0.85 --estimate-factor 3 \
		--seed "$1" --out "$2" || fail "generate"
}

# figures CONF: print sums over the logs of p95 wait, mean slowdown and longest wait, and
# the number of logs
figures()
{
	for seed in 1 2 3 4 5 6; do
		"$lxfw" simulate --policy site --cluster "$1" --shape one-host --warmup 2d \
			--format csv truth-$seed.swf 2>>err || echo failed
	done | awk -F, '
		$1 == "policy" { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{
			p95 += $at["p95_wait_s"]
			slowdown += $at["mean_slowdown"]
			longest += $at["max_wait_s"]
			n++
		}
		END { printf "%.6g %.6g %.6g %d\n", p95, slowdown, longest, n }'
}

for seed in 1 2 3 4 5 6; do
	log $seed truth-$seed.swf
done
before=$(figures bad.conf)
recommended=0
for seed in 11 12; do
	log $seed log.swf
	"$lxfw" tune --cluster bad.conf --shape one-host --despite-verdict --settings 48 \
		--round 12 --minimize p95_wait,mean_slowdown --keep none \
		--vary lxfw_policy=site,lxfw_reservations=1 log.swf > out 2> err
	status=$?
	[ $status -lt 2 ] || fail "seed $seed: $(cat err)"
	[ $status -eq 0 ] || continue
	recommended=$((recommended + 1))
	sed -n '/^SchedulerParameters=/,$p' out > lines
	grep -q '^PriorityWeight' lines || fail "seed $seed: no weights: $(cat lines)"
	grep '^Priority' lines | cut -d= -f1 > keys
	grep -vFf keys bad.conf > good.conf
	grep '^Priority' lines >> good.conf
	after=$(figures good.conf)
	echo "$before $after" | awk '{
		for (i = 1; i <= 2; i++) {
			worse += $(i + 4) > 1.05 * $i
			better += $(i + 4) < 0.9 * $i
		}
		exit !($4 == 6 && $8 == 6 && worse == 0 && better > 0)
	}' || fail "seed $seed: $before, with $(xargs < lines): $after"
done
[ $recommended -ge 1 ] || fail "$recommended of 2 sites got a recommendation"

finish
