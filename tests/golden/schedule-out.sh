#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw simulate --schedule-out: the schedule for other tools has the starts and ends of
# --jobs-out, our own readers read it, and no processor has two jobs at a time.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

# run OPTIONS...: simulate log.swf; jobs.csv has the schedule
run()
{
	"$lxfw" simulate --jobs-out jobs.csv "$@" log.swf > out 2> err ||
		fail "simulate $*: $(cat err)"
}

# as_csv FILE: job, submit, start and end of each line of SWF
as_csv()
{
	awk '!/^;/ { printf "%d,%d,%d,%d\n", $1, $2, $2 + $3, $2 + $3 + $4 }' "$1"
}

awk 'BEGIN {
	draw = 11
	print "; Version: 2.2"
	print "; UnixStartTime: 1700000000"
	print "; MaxJobs: 400"
	print "; Queue: 1 short"
	print "; Queue: 2 long"
	print "; User: 3 alice"
	for (i = 1; i <= 400; i++) {
		draw = (draw * 69069 + 1) % 1048576
		submit += int(draw / 16) % 97
		run = 1 + int(draw / 64) % 1200
		print i, submit, -1, run, 1 + int(draw / 8) % 17, -1, -1, \
			1 + int(draw / 8) % 17, run + int(draw / 32) % 900, 2000, 1, \
			1 + i % 4, 1, -1, 1 + i % 2, -1, -1, -1
	}
}' > log.swf

for policy in easy lxfw conservative; do
	run --policy $policy --cluster procs=32 --schedule-out swf:new.swf
	cut -d, -f1-4 jobs.csv | sed 1d > starts
	as_csv new.swf | cmp -s - starts || fail "$policy: swf has another schedule"
	grep -q "^; Computer: simulated by lxfw under policy $policy\$" new.swf &&
		[ "$(grep -c '^; MaxJobs' new.swf)" = 1 ] &&
		grep -q '^; Queue: 2 long$' new.swf && grep -q '^; User: 3 alice$' new.swf ||
		fail "$policy: headers: $(grep '^;' new.swf)"

	# The jobs are still those of the log.
	cp jobs.csv before.csv
	"$lxfw" simulate --jobs-out jobs.csv --policy $policy --cluster procs=32 new.swf \
		> out 2> err || fail "simulate new.swf: $(cat err)"
	cmp -s before.csv jobs.csv || fail "$policy: swf has other jobs"

	run --policy $policy --cluster procs=32 --schedule-out sacct:sacct.txt
	"$lxfw" import --tz UTC --out back.swf sacct.txt > out 2>&1 || fail "import: $(cat out)"
	[ "$(sed -n 's/^; UnixStartTime: *//p' back.swf)" = "$((1700000000 +
		$(sed -n 2p jobs.csv | cut -d, -f2)))" ] ||
		fail "$policy: dates of sacct: $(grep '^;' back.swf)"
	first=$(sed -n 2p jobs.csv | cut -d, -f2)
	as_csv back.swf | awk -F, -v first="$first" \
		'{ printf "%d,%d,%d,%d\n", $1, $2 + first, $3 + first, $4 + first }' |
		sort -n > back
	cmp -s back starts || fail "$policy: sacct has another schedule: $(diff back starts | head -n 3)"
	awk -F'|' 'NR > 1 && ($4 != (1 + ($1 % 2) == 2 ? "long" : "short") ||
		$2 != ($1 % 4 == 2 ? "alice" : "user" 1 + $1 % 4) || $12 != "COMPLETED")' \
		sacct.txt > odd
	[ ! -s odd ] || fail "$policy: names: $(head -n 3 odd)"
done

# The file is the same whatever other files are written, and whether a machine is described.
{ echo '; MaxProcs: 32'; cat log.swf; } > machine.swf
"$lxfw" simulate --schedule-out swf:alone.swf machine.swf > out 2>&1 || fail "alone: $(cat out)"
"$lxfw" simulate --schedule-out swf:beside.swf --jobs-out jobs.csv machine.swf > out 2>&1 ||
	fail "beside: $(cat out)"
cmp -s alone.swf beside.swf || fail "alone: $(diff alone.swf beside.swf | head -n 4)"

# disjoint FILE: no resource has two jobs at a time, each job has as many as it says, and times
# are consistent. Prints what is not so.
disjoint()
{
	awk -F, 'NR == 1 {
			split("job_id workload_name profile submission_time " \
			      "requested_number_of_resources requested_time success " \
			      "final_state starting_time execution_time finish_time " \
			      "waiting_time turnaround_time stretch consumed_energy " \
			      "allocated_resources metadata", names, " ")
			for (i = 1; i <= NF; i++)
				if ($i != names[i])
					print "column", $i
			next
		}
		{
			ranges = split($16, list, " ")
			count = 0
			for (i = 1; i <= ranges; i++) {
				ends = split(list[i], two, "-")
				for (at = two[1] + 0; at <= two[ends] + 0; at++) {
					count++
					for (j = 0; j < held[at]; j++)
						if ($9 < until[at, j] && $11 > from[at, j])
							print "job", $1, "on", at
					from[at, held[at] + 0] = $9
					until[at, held[at]++ + 0] = $11
				}
			}
			if (count != $5 || $9 + $10 != $11 || $4 + $12 != $9 ||
			    $13 != $11 - $4 || $7 != 1)
				print "job", $1, ":", $0
		}' "$1"
}

for policy in easy lxfw conservative; do
	run --policy $policy --cluster procs=32 --schedule-out batsim:jobs-of.csv
	disjoint jobs-of.csv > odd
	[ ! -s odd ] || fail "batsim $policy: $(head -n 3 odd)"
	cut -d, -f1,4,9,11 jobs-of.csv | sed 1d > there
	cut -d, -f1-4 jobs.csv | sed 1d | cmp -s - there ||
		fail "batsim $policy: another schedule"
done

# With hosts, resources are hosts.
echo 'n[0-31] procs=1' > hosts
run --policy easy --cluster hosts --schedule-out batsim:hosts.csv
disjoint hosts.csv > odd
[ ! -s odd ] || fail "batsim hosts: $(head -n 3 odd)"
[ "$(cut -d, -f1,9,11 hosts.csv | sed 1d)" = "$(cut -d, -f1,3,4 jobs.csv | sed 1d)" ] ||
	fail "batsim hosts: another schedule"
run --policy easy --cluster hosts --schedule-out sacct:sacct.txt
awk -F'|' 'NR > 1 && $14 !~ /^n/' sacct.txt > odd
[ ! -s odd ] || fail "sacct hosts: $(head -n 3 odd)"

# A job that ends at its limit; jobs that were suspended.
sed 's/^\(1 [^ ]* -1\) [^ ]*/\1 5000/' log.swf > cut.swf
mv cut.swf log.swf
run --policy easy --cluster procs=32 --overrun kill --schedule-out batsim:cut.csv
grep -q '^1,.*,0,COMPLETED_WALLTIME_REACHED,' cut.csv || fail "cut off: $(sed -n 2p cut.csv)"
run --policy easy --cluster procs=32 --overrun kill --schedule-out sacct:cut.txt
[ "$(awk -F'|' '$12 == "TIMEOUT" { print $1 }' cut.txt)" = 1 ] || fail "cut off: $(sed -n 2p cut.txt)"
run --policy lxfw --params lxfw_quantum=60,lxfw_quantum_end=suspend --cluster procs=32 \
	--schedule-out swf:new.swf
awk -F, 'NR > 1 { print $1 "," $2 "," $5 "," $6 }' jobs.csv > waits
awk '!/^;/ { print $1 "," $2 "," $3 "," $4 }' new.swf | cmp -s - waits ||
	fail "suspended: swf has other waits"
run --policy lxfw --params lxfw_quantum=60,lxfw_quantum_end=suspend --cluster procs=32 \
	--schedule-out sacct:sacct.txt
"$lxfw" import --tz UTC --out back.swf sacct.txt > out 2>&1 || fail "suspended: import: $(cat out)"

# Numbers of jobs that are not unique, and names with blanks, in text of sacct.
sed 's/^2 /1 /; s/short$/the short ones/' log.swf > twice.swf
mv twice.swf log.swf
run --policy easy --cluster procs=32 --schedule-out sacct:sacct.txt
[ "$(cut -d'|' -f1 sacct.txt | sort -u | wc -l)" = 401 ] &&
	[ "$(cut -d'|' -f4 sacct.txt | sort -u | tr '\n' ' ')" = "Partition long the_short_ones " ] ||
	fail "names: $(head -n 3 sacct.txt)"

# More types of GPUs than a simulation counts: the type of each job is not lost.
{
	printf '%s\n' ClusterName=x SelectType=select/cons_tres GresTypes=gpu \
		SelectTypeParameters=CR_CPU_Memory
	for type in a b c d e f g; do
		echo "NodeName=$type CPUs=16 RealMemory=1000 Gres=gpu:$type:4"
	done
	echo 'PartitionName=all Nodes=ALL MaxTime=7-0'
} > types.conf
cat > types.swf <<'END'
; MaxProcs: 112
; Queue: 1 all
; Request: 1 nodes=1,gres/gpu:c=2
; Request: 2 nodes=1,gres/gpu=1
1 0 -1 100 4 -1 -1 4 200 -1 1 1 1 1 1 -1 -1 -1
2 0 -1 100 4 -1 -1 4 200 -1 1 1 1 2 1 -1 -1 -1
END
"$lxfw" simulate --policy easy --cluster types.conf --schedule-out sacct:types.txt types.swf \
	> out 2>&1 || fail "types: $(cat out)"
[ "$(sed 1d types.txt | cut -d'|' -f13 | tr '\n' ' ')" = \
	"cpu=4,node=1,gres/gpu=2,gres/gpu:c=2 cpu=4,node=1,gres/gpu=1 " ] ||
	fail "types: $(cat types.txt)"

# Options that cannot be.
refused()
{
	text=$1
	shift
	"$lxfw" simulate --cluster procs=32 "$@" log.swf > out 2> err
	[ $? -eq 2 ] && grep -q -e "$text" err && [ ! -s out ] || fail "$*: $(cat err)"
}
refused "expected swf:FILE, batsim:FILE or sacct:FILE" --schedule-out new.swf
refused "expected swf:FILE, batsim:FILE or sacct:FILE" --schedule-out swf:
refused "schedule-out is given twice" --schedule-out swf:two.swf --schedule-out sacct:one.csv
refused "several simulations, expected one --policy" --policy easy --policy lxfw \
	--schedule-out swf:two.swf
refused "fewer processors than requested" --policy easy_moldable --schedule-out swf:two.swf
refused "fewer processors than requested" --policy eqspatial --schedule-out sacct:two.swf
refused "same file" --jobs-out one.csv --schedule-out batsim:one.csv
refused "input file" --schedule-out swf:log.swf
[ ! -e two.swf ] && [ ! -e one.csv ] || fail "a refused option left a file"

finish
