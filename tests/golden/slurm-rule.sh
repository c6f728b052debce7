#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The present scheduler of a site with sched/backfill is policy slurm. slurm-rule-N.swf.gz are
# logs of 5 or 6 days on 128 processors, made by another program with Slurm's rule: every 30
# seconds the jobs are considered in order, and each of them starts or has a reservation. The
# order of the third one is that of priority/multifactor.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99
golden=$(cd "$golden" && pwd) || exit 99
cd "$work" || exit 99

cat > fifo.conf <<'END'
ClusterName=c
SlurmctldHost=h
NodeName=n1 CPUs=128
PartitionName=p Nodes=n1 Default=YES MaxTime=INFINITE State=UP
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
END
cat fifo.conf - > multifactor.conf <<'END'
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityMaxAge=7-0
PriorityWeightJobSize=3000
AccountingStorageType=accounting_storage/slurmdbd
END

# compared OPTIONS...: the output is in `is`, messages in `told`
compared()
{
	"$lxfw" compare "$@" > is 2> told || fail "compare $*: exit status $?: $(cat told)"
}

# mean WHAT WORD: the measured mean is in the range over perturbed copies and within 5 % of the
# simulated one, or not: WORD is right or wrong
mean()
{
	awk -v what="$1" -v word="$2" '
		$1 == "mean" && !measured { measured = $2; simulated = $3 }
		/range over perturbed copies/ { low = $5; high = $7 }
		END {
			off = simulated / measured - 1
			right = low <= measured && measured <= high && off < .05 && off > -.05
			if (!measured || !low || right != (word == "right")) {
				printf "%s: measured %s, simulated %s, %s to %s\n", what,
					measured, simulated, low, high
				exit 1
			}
		}' is || fail "the mean is not $2"
}

# assumed WHAT TEXT
assumed()
{
	grep '^assumed: ' is | grep -qF -- "$2" || fail "$1: $(grep '^assumed: ' is)"
}

for log in 1 2 3; do
	conf=fifo.conf
	[ $log != 3 ] || conf=multifactor.conf
	compared --cluster $conf "$golden/slurm-rule-$log.swf.gz"
	mean "log $log" right
	assumed "log $log" "policy slurm, a model of the sched/backfill of $conf: the first 500 jobs every 30 s, start within 24 h"
	compared --cluster $conf --policy easy "$golden/slurm-rule-$log.swf.gz"
	mean "log $log with easy" wrong
done

# A log says which scheduler its site has, or it is not known.
once="--shake 0 --infer none"
gzip -dc "$golden/slurm-rule-1.swf.gz" | head -n 300 > unknown.swf
compared $once unknown.swf
assumed 'unknown origin' 'policy easy (the policy of the site is unknown)'
for header in 'Note: scheduled by SLURM 23.02' 'Conversion: lxfw import 0.1.0 from sacct'; do
	{ echo "; $header" && cat unknown.swf; } > known.swf
	compared $once known.swf
	assumed "$header" 'policy slurm, a model of the sched/backfill of Slurm: the first 500'
done
for header in 'Queue: 1 slurm' 'Conversion: lxfw import 0.1.0 from pbs'; do
	{ echo "; $header" && cat unknown.swf; } > known.swf
	compared $once known.swf
	assumed "$header" 'policy easy (the policy of the site is unknown)'
done
sed 's,sched/backfill,sched/builtin,' fifo.conf > builtin.conf
compared $once --cluster builtin.conf unknown.swf
assumed 'another SchedulerType' 'policy easy, closest to the sched/builtin of builtin.conf'
grep -v SchedulerType fifo.conf > default.conf
compared $once --cluster default.conf unknown.swf
assumed 'the default SchedulerType' 'a model of the sched/backfill of default.conf'
echo 'NodeName=n1 CPUs=128' > nodes.conf
compared $once --cluster nodes.conf unknown.swf
assumed 'nodes only' 'policy easy (the policy of the site is unknown)'

# params PARAMETERS TEXT: what is assumed of SchedulerParameters=PARAMETERS
params()
{
	sed "\$aSchedulerParameters=$1" fifo.conf > params.conf
	compared $once --cluster params.conf unknown.swf
	assumed "$1" "params.conf: the first $2"
}

params 'bf_max_job_test=100,bf_interval=60,bf_window=2880' '100 jobs every 60 s, start within 48 h'
params 'max_job_bf=50' '50 jobs every 30 s, start within 24 h'
params 'bf_max_job_test=0,bf_interval=20000,bf_window=99999' '500 jobs every 30 s, start within 24 h'
[ ! -s told ] || fail "messages: $(cat told)"
params 'bf_continue,bf_max_job_user=5,bf_resolution=300,bf_window_linear=60,bf_licenses' '500 jobs'
cat > expected <<'END'
lxfw: params.conf: bf_max_job_user=5: simulations consider all jobs
lxfw: params.conf: bf_resolution=300: reservations of simulations are in minutes
lxfw: params.conf: bf_window_linear=60: windows of ends of jobs double in simulations
lxfw: params.conf: bf_licenses: simulations do not reserve licenses
END
diff expected told >&2 || fail 'what is not simulated'

# The main scheduler starts jobs between two backfill passes, unless it is off. Jobs 2 and 3 are
# submitted when job 1 holds half of the machine, which job 3 does not find free in order.
cat > main.swf <<'END'
; MaxProcs: 2
1 0 0 100 1 -1 -1 1 100 -1 1 1 1 1 1 1 -1 -1
2 7 0 20 2 -1 -1 2 20 -1 1 1 1 1 1 1 -1 -1
3 8 0 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1
END
schedule 'main scheduler' main.swf --policy slurm <<'END'
1 0 100 h0
2 100 120 h0
3 30 40 h0
END
schedule 'no main scheduler' main.swf --policy slurm --params lxfw_main_pass=off <<'END'
1 0 100 h0
2 120 140 h0
3 30 40 h0
END
schedule 'backfill in each pass' main.swf --policy slurm --params lxfw_backfill_interval=0 <<'END'
1 0 100 h0
2 100 120 h0
3 8 18 h0
END
# One job is considered: the third one is not backfilled.
schedule 'one job' main.swf --policy slurm --params lxfw_reservations=1 <<'END'
1 0 100 h0
2 100 120 h0
3 120 130 h0
END
# The second job could start too late to have a reservation; the third one delays it.
sed 's/^3 .*/3 8 0 300 1 -1 -1 1 300 -1 1 1 1 1 1 1 -1 -1/' main.swf > window.swf
schedule 'window' window.swf --policy slurm --params lxfw_reservation_window=60 <<'END'
1 0 100 h0
2 330 350 h0
3 30 330 h0
END

# Job 3 has a reservation from 1000 on n1 and one processor of n2. Job 4 would fit beside it on n2
# for longer, but the reservation keeps n2 as a whole.
cat > whole.conf <<'END'
ClusterName=c
SlurmctldHost=h
NodeName=n[1-2] CPUs=4
PartitionName=a Nodes=ALL Default=YES MaxTime=INFINITE State=UP
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
END
cat > whole.swf <<'END'
; MaxProcs: 8
1 0 0 1000 4 -1 -1 4 1000 -1 1 1 1 1 1 1 -1 -1
2 0 0 2000 1 -1 -1 1 2000 -1 1 1 1 1 1 1 -1 -1
3 7 0 600 5 -1 -1 5 600 -1 1 1 1 1 1 1 -1 -1
4 8 0 5000 1 -1 -1 1 5000 -1 1 1 1 1 1 1 -1 -1
END
schedule 'whole hosts' whole.swf --cluster whole.conf --shape anywhere --policy slurm <<'END'
1 0 1000 n1
2 0 2000 n2
3 1000 1600 n[1-2]
4 1000 6000 n2
END

# Job 4 fits when job 2 has ended, at 1500. Slurm expects it when job 3 has ended, at 1580, since
# both ends are in one window. On n1 to n3 it does not need n4 then, so job 5 starts there.
sed 's/NodeName=.*/NodeName=n[1-4] CPUs=1/' whole.conf > coarse.conf
cat > coarse.swf <<'END'
; MaxProcs: 4
1 0 0 600 1 -1 -1 1 600 -1 1 1 1 1 1 1 -1 -1
2 0 0 1500 1 -1 -1 1 1500 -1 1 1 1 1 1 1 -1 -1
3 0 0 1580 1 -1 -1 1 1580 -1 1 1 1 1 1 1 -1 -1
4 7 0 100 3 -1 -1 3 100 -1 1 1 1 1 1 1 -1 -1
5 8 0 9000 1 -1 -1 1 9000 -1 1 1 1 1 1 1 -1 -1
END
schedule 'expected start' coarse.swf --cluster coarse.conf --policy slurm <<'END'
1 0 600 n1
2 0 1500 n2
3 0 1580 n3
4 1580 1680 n[1-3]
5 30 9030 n4
END

# Job 1 ends early, at 40, between two backfill passes. Job 2 starts at once.
cat > early.swf <<'END'
; MaxProcs: 2
1 0 0 40 1 -1 -1 1 100 -1 1 1 1 1 1 1 -1 -1
2 7 0 20 2 -1 -1 2 20 -1 1 1 1 1 1 1 -1 -1
3 8 0 60 1 -1 -1 1 92 -1 1 1 1 1 1 1 -1 -1
END
schedule 'start after an early end' early.swf --policy slurm <<'END'
1 0 40 h0
2 40 60 h0
3 60 120 h0
END
# A job that is too young for a reservation does not keep the main scheduler from those behind.
schedule 'young jobs' main.swf --policy slurm --params lxfw_reservation_age=600 <<'END'
1 0 100 h0
2 100 120 h0
3 8 18 h0
END

# Partitions a and b have a node in common. Job 2 of a cannot start, so job 3 of b has the other
# node of b, and job 4 of b waits for a backfill pass. Job 5 of c starts at once.
cat > parts.conf <<'END'
ClusterName=c
SlurmctldHost=h
NodeName=n[1-4] CPUs=1
PartitionName=a Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
PartitionName=b Nodes=n[2-3] MaxTime=INFINITE State=UP
PartitionName=c Nodes=n4 MaxTime=INFINITE State=UP
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
END
cat > parts.swf <<'END'
; MaxProcs: 4
; Partition: 1 a
; Partition: 2 b
; Partition: 3 c
1 0 0 100 1 -1 -1 1 100 -1 1 1 1 1 1 1 -1 -1
2 7 0 20 2 -1 -1 2 20 -1 1 1 1 1 1 1 -1 -1
3 8 0 60 1 -1 -1 1 60 -1 1 1 1 1 1 2 -1 -1
4 9 0 10 1 -1 -1 1 10 -1 1 1 1 1 1 2 -1 -1
5 9 0 10 1 -1 -1 1 10 -1 1 1 1 1 1 3 -1 -1
END
schedule 'partitions with a common node' parts.swf --cluster parts.conf --policy slurm <<'END'
1 0 100 n1
2 100 120 n[1-2]
3 8 68 n3
4 30 40 n2
5 9 19 n4
END

# The baseline of tune, and the policy of predictions.
"$lxfw" tune --cluster params.conf --warmup 1d --settings 2 --copies 0 --despite-verdict \
	"$golden/slurm-rule-2.swf.gz" > is 2> told
grep -q '^now *bf_continue,bf_max_job_user=5,bf_resolution=300,bf_window_linear=60,bf_licenses,lxfw_policy=slurm$' is ||
	fail "tune: $(cat told; grep '^now' is)"

finish
