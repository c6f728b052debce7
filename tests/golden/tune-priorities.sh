#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw tune finds better weights of Slurm's priorities where there are some, and
# recommends nothing where there are none. Both are known of the logs, which are made here
# and have the starts that the site's weights give them:
#
# one user	The site weighs fair share alone, and one user, whose jobs are the long
#		ones, has nearly all shares: the jobs of the others wait until he has none
#		pending. Age in place of fair share improves all three goals by a third and
#		more. The true value of a setting is its mean over other logs of the model.
# in order	All jobs have the same size, run time and limit, and start in the order of
#		submission. Any other order only moves waits from jobs to earlier ones: the
#		sum and the slowdown remain, and the longest wait is at least as long.
#
# The logs have four weeks, and the settings are judged on 2 and 8 copies. Nearly all of the time
# goes into these. SEEDS (1) is the number of logs of each kind. With LXFW_SLOW=1, there are 2, of
# six weeks, and as many copies as by default.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99
seeds=${SEEDS:-${LXFW_SLOW:+2}}
seeds=${seeds:-1}
days=${LXFW_SLOW:+42}
days=${days:-28}
copies='--copies 2'
[ -z "${LXFW_SLOW-}" ] || copies=
truth="101 102 103 104 105 106"

cat > shares.conf <<'END'
ClusterName=one
SelectType=select/cons_tres
SlurmctldHost=one
PriorityType=priority/multifactor
PriorityWeightFairshare=100000
PriorityWeightAge=0
PriorityDecayHalfLife=7-0
PriorityMaxAge=30-0
AccountingStorageType=accounting_storage/slurmdbd
NodeName=n CPUs=128
PartitionName=all Nodes=n Default=YES
END
sed 's/Fairshare=.*/Fairshare=0/; s/Age=0/Age=100000/' shares.conf > age.conf
{
	echo 'Account|User|ParentName|Share'
	echo 'root|||1'
	echo 'lab||root|1'
	echo 'lab|heavy||1000'
	for user in 1 2 3 4 5 6 7 8 9; do
		echo "lab|u$user||1"
	done
} > assocs
machine="--assocs assocs --shape one-host"

# Print the jobs of these days as sacct does, submitted between 8 and 18 o'clock.
made_jobs()
{
	awk -v kind="$1" -v seed="$2" -v days="$days" '
	function draw(n) {
		state = (state * 16807) % 2147483647
		return int(n * state / 2147483647)
	}
	function job(user, procs, run, limit,	submit) {
		submit = 1735689600 + 86400 * day + 28800 + draw(36000)
		printf "%d|%d|%d|%d|%d|1|all|%s|lab|normal|COMPLETED|%s\n", ++n, submit,
			submit, submit + run, procs, user, limit
	}
	BEGIN {
		state = 1000003 * seed + 17
		for (i = 0; i < 20; i++)
			draw(1)
		for (day = 0; day < days; day++) {
			for (i = 0; i < 20; i++)
				job("heavy", kind == "same" ? 32 : 8 * (1 + draw(3)),
					kind == "same" ? 7200 : 7200 + draw(21600), "10:00:00")
			for (i = 0; i < (kind == "same" ? 20 : 110); i++)
				job("u" (1 + draw(9)), kind == "same" ? 32 : 1 + draw(24),
					kind == "same" ? 7200 : 300 + draw(3900),
					kind == "same" ? "10:00:00" : "02:00:00")
		}
	}' | sort -s -t '|' -k 2,2n | sed '1i\
JobID|Submit|Start|End|NCPUS|NNodes|Partition|User|Account|QOS|State|Timelimit'
}

# log KIND SEED CONF FILE: jobs with the starts that CONF gives them
log()
{
	made_jobs "$1" "$2" > made
	# $machine is several words
	# shellcheck disable=SC2086
	"$lxfw" simulate --policy site --cluster "$3" $machine --jobs-out starts.csv made \
		> out 2> err || fail "simulate: $(cat err)"
	tr , '|' < starts.csv | awk -F '|' '
		BEGIN { OFS = "|" }
		FNR == NR { start[$1] = $3; end[$1] = $4; next }
		FNR == 2 { first = $2 }
		FNR > 1 { $3 = first + start[$1]; $4 = first + end[$1] }
		{ print }' - made > "$4"
}

# figures CONF: print sums over the other logs of p95 wait, mean slowdown and longest wait,
# and the number of logs
figures()
{
	for seed in $truth; do
		# shellcheck disable=SC2086
		"$lxfw" simulate --policy site --cluster "$1" $machine --warmup 2d \
			--format csv "truth-$seed" 2>> err || echo failed
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

# tune CONF OPTION...: the exit status; the output is in out, messages in err
tune()
{
	conf=$1
	shift
	# shellcheck disable=SC2086
	"$lxfw" tune --cluster "$conf" $machine --settings 48 --round 12 $copies "$@" log \
		> out 2> err
}

for seed in $truth; do
	log users "$seed" shares.conf "truth-$seed"
done
before=$(figures shares.conf)
best=$(figures age.conf)
echo "$before $best" | awk '{ exit !($5 < 0.67 * $1 && $6 < 0.67 * $2 && $7 < 0.67 * $3) }' ||
	fail "age is not better by a third: $before, $best"

for seed in $(seq "$seeds"); do
	log users "$seed" shares.conf log
	tune shares.conf --vary lxfw_policy=site,lxfw_reservations=1 || {
		fail "one user, seed $seed: nothing recommended: $(cat err)"
		continue
	}
	grep -q '^verdict: good for decisions' out || fail "one user, seed $seed: $(head -n 1 out)"
	sed -n 's/^+\(Priority\)/\1/p' out > lines
	cut -d= -f1 lines > keys
	grep -vFf keys shares.conf > good.conf
	cat lines >> good.conf
	after=$(figures good.conf)
	# At least three quarters of what age would gain, in each goal.
	echo "$before $best $after" | awk '{
		for (i = 1; i <= 3; i++)
			missed += $(i + 8) > $i - 0.75 * ($i - $(i + 4))
		exit !($4 == 6 && $12 == 6 && !missed)
	}' || fail "one user, seed $seed: $before, with age $best, with $(xargs < lines): $after"
	# A key without a weight is not part of a recommendation.
	! grep -q HalfLife lines || grep -qE 'Fairshare=[1-9]' lines ||
		fail "one user, seed $seed: a half-life without fair share: $(xargs < lines)"

	log same "$seed" age.conf log
	tune age.conf
	status=$?
	[ $status -eq 1 ] || fail "in order, seed $seed: exit status $status: $(tail -n 6 out)"
	grep -q '^verdict: good for decisions' out || fail "in order, seed $seed: $(head -n 1 out)"
done

finish
