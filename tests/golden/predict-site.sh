#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw predict --evaluate` under the priorities of a site: a slurm.conf with
# priority/multifactor, a log of four users in two accounts whose order fair share and QOS
# decide. Futures compute the priorities as simulations do: without run times and submissions
# in doubt they are the simulation to the second, and they are much nearer to what happened
# than those of a policy that does not count priorities.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

# run WHAT ARGUMENT...: the output is written to out and told
run()
{
	what=$1
	shift
	"$lxfw" "$@" > out 2> told || fail "$what: exit status $?: $(cat told)"
}

# refuse MESSAGE ARGUMENT...: exit status 2, and the message
refuse()
{
	message=$1
	shift
	"$lxfw" "$@" > out 2> told
	[ $? -eq 2 ] || fail "$*: not refused"
	grep -qF -- "$message" told || fail "$*: $(cat told), expected $message"
	[ ! -s out ] || fail "$*: output in spite of an error"
}

cat > slurm.conf <<'EOF'
SchedulerType=sched/backfill
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightFairshare=100000
PriorityWeightQOS=50000
PriorityDecayHalfLife=0-6
PriorityMaxAge=1-0
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=limits,qos
NodeName=n1 CPUs=64
PartitionName=batch Nodes=n1
EOF
cat > assocs <<'EOF'
Account|User|ParentName|Share|Priority
root|||1|
a||root|3|
b||root|2|
a|u0||1|
a|u2||1|
b|u1||1|
b|u3||1|
EOF
cat > qos <<'EOF'
Name|Priority|UsageFactor
normal|0|1.0
high|100|1.0
EOF
# Run times are the limits. The last 40 jobs are submitted in one second, and nothing follows.
awk 'function uniform() {
		seed = (seed * 16807) % 2147483647
		return seed / 2147483647
	}
	BEGIN {
	seed = 1
	print "JobID|Submit|Start|End|NCPUS|NNodes|Partition|User|Account|QOS|State|Timelimit"
	for (i = 1; i <= 320; i++) {
		burst += i % 40 == 1 ? 40000 : 0
		submit = 1735689600 + burst + (i > 280 ? 0 : int(uniform() * 9000))
		run = 60 * (1 + int(uniform() * 120))
		procs = 1 + int(uniform() * 30)
		user = int(uniform() * 4)
		printf "%d|%d|%d|%d|%d|%d|batch|u%d|%s|%s|COMPLETED|%02d:%02d:00\n", i, submit,
			submit, submit + run, procs, 1, user,
			(user % 2 ? "b" : "a"), (uniform() < 0.1 ? "high" : "normal"),
			int(run / 3600), run / 60 % 60
	}
}' > sacct
site="--cluster slurm.conf --assocs assocs --qos qos"

# exact CASES: the futures without doubt are the truth for all jobs of the last second
exact()
{
	awk -F , -v name="$1" '
		NR > 1 && $1 > 280 { jobs++; waited += $4 == 0; wrong += $4 == 0 && $10 != $3 }
		END {
			printf "%s: %d of %d jobs that wait have another start\n", name, wrong, waited
			exit waited < 20 || wrong > 0
		}' "$1" > is || fail "$(cat is): $(awk -F , '$1 > 280 && $10 != $3' "$1" | head -n 3)"
}

# error CASES: mean distance of the starts without doubt from the true ones of the last
# second, in seconds
error()
{
	awk -F , 'NR > 1 && $1 > 280 && $4 == 0 {
			sum += $10 > $3 ? $10 - $3 : $3 - $10
			jobs++
		}
		END { printf "%d\n", sum / (jobs ? jobs : 1) }' "$1"
}

# --- as simulated: by the site's order, and by the model of Slurm's own scheduler -------
for policy in site slurm; do
	run "evaluate $policy" predict --evaluate sacct $site --policy $policy --futures 10 \
		--sample 112 --warmup 65 --cases-out $policy.csv
	grep -v 'records (sacct)' told && fail "evaluate $policy: $(cat told)"
	exact $policy.csv
	run "simulate $policy" simulate $site --policy $policy --jobs-out jobs.csv sacct
	awk -F , 'FNR == NR { wait[$1] = $5; next }
		FNR > 1 && $3 != wait[$1]' jobs.csv $policy.csv > differ
	[ ! -s differ ] || fail "$policy: other waits than those of simulate: $(head -n 3 differ)"
	for threads in 1 3; do
		run "$policy, $threads threads" predict --evaluate sacct $site --policy $policy \
			--futures 10 --sample 112 --warmup 65 --threads $threads --format json
		grep -v '"threads"' out > $policy.$threads
	done
	cmp -s $policy.1 $policy.3 || fail "$policy: three threads: another result"
done
# that of Slurm is the default for this site
run "evaluate by default" predict --evaluate sacct $site --futures 10 --sample 112 --warmup 65 \
	--cases-out default.csv
cmp -s default.csv slurm.csv || fail "the default is not policy slurm with priorities"
cmp -s site.csv slurm.csv && fail "policies site and slurm have the same predictions"

# --- as measured: the schedule of the site as a log ---------------------------------------
run simulate simulate $site --policy site --jobs-out jobs.csv sacct
awk -F , 'NR > 1 { print $1, $5 }' jobs.csv > waits
awk 'FNR == NR { wait[$1] = $2; next }
	FNR == 1 { print; next }
	{
		split($0, field, "|")
		run = field[4] - field[3]
		field[3] = field[2] + wait[field[1]]
		field[4] = field[3] + run
		line = field[1]
		for (i = 2; i <= 12; i++)
			line = line "|" field[i]
		print line
	}' waits sacct > measured
for policy in site easy; do
	options="--cluster slurm.conf"
	[ $policy = easy ] || options=$site
	run "measured $policy" predict --evaluate measured --measured $options --policy $policy \
		--futures 10 --sample 112 --warmup 65 --cases-out measured-$policy.csv
	error measured-$policy.csv > error-$policy
done
[ "$(cat error-easy)" -gt 3600 ] && [ "$(cat error-site)" -lt $(($(cat error-easy) / 4)) ] ||
	fail "errors: $(cat error-site) s by the site's order, $(cat error-easy) s by easy"

# --- shares and QOS matter, and are not dropped ---------------------------------------------
for option in --assocs=assocs --qos=qos; do
	run "evaluate $option" predict --evaluate sacct --cluster slurm.conf --policy site \
		$option --futures 10 --sample 112 --warmup 65 --cases-out one.csv
	cmp -s one.csv site.csv && fail "$option alone: the same predictions as with both"
	refuse "${option%=*} without a policy that counts Slurm's priority" predict \
		--evaluate sacct --cluster slurm.conf --policy easy $option
	refuse "${option%=*} without priorities" predict --evaluate sacct \
		--cluster procs=64 --policy site $option
done
run "no priorities" predict --evaluate sacct --cluster procs=64 --policy site --futures 10 \
	--sample 112 --warmup 65
grep -q 'all jobs have priority 0' told || fail "no priorities: $(cat told)"

finish
