#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Placement on hosts with GPUs: jobs of few GPUs leave a host to one of eight, whether they
# would spread over equal hosts or over hosts of different sizes. Without GRES the rule is
# the paper's.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

equal()
{
	[ "$1" = "$2" ] || fail "$3: $1, expected $2"
}

conf()
{
	printf '%s\n' ClusterName=x SelectType=select/cons_tres \
		SelectTypeParameters=CR_CPU_Memory GresTypes=gpu "$@" \
		"PartitionName=all Nodes=ALL MaxTime=7-0"
}

# waits NAME OPTIONS...: the longest wait of a simulation.
waits()
{
	name=$1
	shift
	"$lxfw" simulate "$work/$name.swf" --cluster "$work/$name.conf" "$@" \
		> "$work/out" 2>&1 || fail "$name $*: $(cat "$work/out")"
	sed -n 's/^maximum wait *\([0-9.]*\) s$/\1/p' "$work/out"
}

conf 'NodeName=g[1-2] CPUs=96 RealMemory=786432 Gres=gpu:8' > "$work/spread.conf"
cat > "$work/spread.swf" <<END
; MaxProcs: 192
; Queue: 1 all
; Request: 1 nodes=1,gres/gpu=1
; Request: 2 nodes=1
; Request: 3 nodes=1,gres/gpu=8
1 0 -1 9000 8 -1 -1 8 9000 -1 1 1 1 1 1 -1 -1 -1
2 1 -1 9000 90 -1 -1 90 9000 -1 1 1 1 2 1 -1 -1 -1
3 2 -1 9000 4 -1 -1 4 9000 -1 1 1 1 1 1 -1 -1 -1
4 3 -1 9000 2 -1 -1 2 9000 -1 1 1 1 3 1 -1 -1 -1
END
conf 'NodeName=a1 CPUs=96 RealMemory=786432 Gres=gpu:8' \
	'NodeName=b1 CPUs=128 RealMemory=786432 Gres=gpu:4' > "$work/sizes.conf"
cat > "$work/sizes.swf" <<END
; MaxProcs: 224
; Queue: 1 all
; Request: 1 nodes=1,gres/gpu=1
; Request: 3 nodes=1,gres/gpu=8
1 0 -1 9000 8 -1 -1 8 9000 -1 1 1 1 1 1 -1 -1 -1
2 1 -1 9000 8 -1 -1 8 9000 -1 1 1 1 3 1 -1 -1 -1
END

for policy in easy lxfw conservative; do
	for name in spread sizes; do
		[ "$(waits $name --policy $policy)" = 0 ] ||
			fail "$name $policy: a job waits $(waits $name --policy $policy) s"
	done
	equal "$(waits spread --policy $policy --placement paper)" 8997 "spread paper $policy"
	equal "$(waits sizes --policy $policy --params lxfw_placement=paper)" 8999 \
		"sizes paper $policy"
done

# Processors that a node keeps for jobs with GPUs: of two jobs without, one waits for the other,
# and the job with all GPUs for neither.
conf 'NodeName=g1 CPUs=96 RealMemory=786432 Gres=gpu:8 RestrictedCoresPerGPU=8' \
	> "$work/kept.conf"
cat > "$work/kept.swf" <<END
; MaxProcs: 96
; Queue: 1 all
; Request: 2 nodes=1
; Request: 3 nodes=1,gres/gpu=8
1 0 -1 900 20 -1 -1 20 900 -1 1 1 1 2 1 -1 -1 -1
2 1 -1 900 20 -1 -1 20 900 -1 1 1 1 2 1 -1 -1 -1
3 2 -1 900 70 -1 -1 70 900 -1 1 1 1 3 1 -1 -1 -1
END
waits kept --policy easy --jobs-out "$work/jobs" > /dev/null
equal "$(awk -F, 'NR > 1 { printf "%s ", $5 }' "$work/jobs")" "0 899 0 " "kept processors"

# GPUs on two sockets, by gres.conf beside slurm.conf, or by a cluster file: a job of four on
# the host that has them on one socket, and nothing else changes without Cores=.
mkdir "$work/sockets" "$work/mixed"
conf 'NodeName=g[1-2] Sockets=2 CoresPerSocket=48 ThreadsPerCore=1 RealMemory=786432 Gres=gpu:8' \
	> "$work/sockets/slurm.conf"
cp "$work/sockets/slurm.conf" "$work/mixed"
cat > "$work/sockets/gres.conf" <<END
AutoDetect=off
NodeName=g[1-2] Name=gpu File=/dev/nvidia[0-3] Cores=0-47 # the first
NodeName=g[1-2] Name=gpu File=/dev/nvidia[4-6],/dev/nvidia7 Cores=48-71,72-95
END
sed 's/48-71/47-71/' "$work/sockets/gres.conf" > "$work/mixed/gres.conf"
echo 'g[1-2] procs=96 memory=768G gpu=8 gpu-sockets=4+4' > "$work/sockets.cluster"
cat > "$work/sockets.swf" <<END
; MaxProcs: 192
; Queue: 1 all
; Request: 1 nodes=1,gres/gpu=3
; Request: 2 nodes=1,gres/gpu=2
; Request: 3 nodes=1,gres/gpu=4
1 0 -1 900 4 -1 -1 4 900 -1 1 1 1 1 1 -1 -1 -1
2 1 -1 900 4 -1 -1 4 900 -1 1 1 1 2 1 -1 -1 -1
3 2 -1 900 4 -1 -1 4 900 -1 1 1 1 2 1 -1 -1 -1
4 3 -1 900 4 -1 -1 4 900 -1 1 1 1 1 1 -1 -1 -1
END
# hosts CLUSTER: the hosts of the jobs, and their GPUs by socket.
hosts()
{
	"$lxfw" simulate "$work/sockets.swf" --cluster "$1" --policy easy \
		--journal "$work/j" > "$work/out" 2>&1 || fail "$1: $(cat "$work/out")"
	"$lxfw" journal "$work/j" > "$work/text"
	"$lxfw" replay "$work/j" > "$work/out" || fail "$1: $(cat "$work/out")"
	sed -n 's/.* start [0-9]* \(g.\):.*x0\(.*\)/\1\2/p' "$work/text" | tr '\n' ' '
}
for cluster in sockets/slurm.conf sockets.cluster; do
	equal "$(hosts "$work/$cluster")" 'g1/3 g1/0+2 g1/0+2 g2/3 ' "$cluster"
	grep -q 'host .*/4+4' "$work/text" || fail "$cluster: $(head -3 "$work/text")"
done
equal "$(hosts "$work/mixed/slurm.conf")" 'g1 g1 g1 g2 ' 'cores of two sockets'

# There is a message if an imported description has no sockets.
"$lxfw" import --out "$work/imported.swf" --cluster "$work/sockets/slurm.conf" \
	--cluster-out "$work/imported" "$work/sockets.swf" > "$work/out" 2>&1 &&
	grep -q 'imported: without the sockets of GPUs; .* --cluster .*slurm.conf' "$work/out" ||
	fail "import: no word of sockets: $(cat "$work/out")"
rejects()
{
	file=$1
	shift
	"$lxfw" simulate "$work/sockets.swf" --cluster "$file" > "$work/out" 2>&1 &&
		fail "$file was accepted"
	grep -qF "$*" "$work/out" || fail "$file: $(cat "$work/out"), expected $*"
}
sed 's/Cores=0-47/Cores=0-4x/' "$work/sockets/gres.conf" > "$work/mixed/gres.conf"
rejects "$work/mixed/slurm.conf" "gres.conf:2: Cores=0-4x, expected numbers of cores"
sed 's/4+4/4+3/' "$work/sockets.cluster" > "$work/wrong.cluster"
rejects "$work/wrong.cluster" 'wrong.cluster:1: gpu-sockets of 7 GPUs on hosts of 8'
sed 's/4+4/16/' "$work/sockets.cluster" > "$work/wrong.cluster"
rejects "$work/wrong.cluster" 'expected the number of GPUs of each socket'

# One GPU with several files, as of a MIG instance.
cat > "$work/mixed/gres.conf" <<END
Name=gpu File=/dev/nvidia[0-2] Cores=0-47
Name=gpu MultipleFiles=/dev/nvidia3,/dev/nvidia-caps/nvidia-cap[1-2] Cores=0-47
Name=gpu File=/dev/nvidia[4-7] Cores=48-95
END
equal "$(hosts "$work/mixed/slurm.conf")" 'g1/3 g1/0+2 g1/0+2 g2/3 ' 'several files of a GPU'

# Which GPUs of two types are on a socket is not known.
sed 's/gpu:8/gpu:a:4,gpu:b:4/' "$work/sockets/slurm.conf" > "$work/mixed/slurm.conf"
cp "$work/sockets/gres.conf" "$work/mixed"
sed 's/gpu=8/gpu:a=4 gpu:b=4/' "$work/sockets.cluster" > "$work/types.cluster"
for cluster in mixed/slurm.conf types.cluster; do
	hosts "$work/$cluster" > /dev/null
	! grep -q '/' "$work/text" || fail "$cluster: sockets: $(grep '/' "$work/text")"
done

# A type of GPUs.
sed 's/gpu:8/gpu:a100:8/' "$work/spread.conf" > "$work/typed.conf"
sed 's/gpu=/gpu:a100=/' "$work/spread.swf" > "$work/typed.swf"
[ "$(waits typed --policy easy)" = 0 ] || fail "typed: a job waits"

# Jobs of four untyped and of three typed GPUs: a job without any goes where none is free.
conf 'NodeName=h[0-1] CPUs=16 RealMemory=786432 Gres=gpu:a100:4' > "$work/mix.conf"
cat > "$work/mix.swf" <<END
; MaxProcs: 32
; Queue: 1 all
; Request: 1 nodes=1,gres/gpu=4
; Request: 2 nodes=1,gres/gpu:a100=3
; Request: 3 nodes=1
1 0 -1 900 4 -1 -1 4 900 -1 1 1 1 1 1 -1 -1 -1
2 1 -1 900 4 -1 -1 4 900 -1 1 1 1 2 1 -1 -1 -1
3 2 -1 900 1 -1 -1 1 900 -1 1 1 1 3 1 -1 -1 -1
END
waits mix --policy easy --jobs-out "$work/jobs" > /dev/null
hosts=$(awk -F, 'NR > 1 { print $9 }' "$work/jobs" | xargs)
case $hosts in
"h0 h1 h0" | "h1 h0 h1") ;;
*) fail "typed and untyped GPUs: the jobs are on $hosts" ;;
esac

# A journal records the rule; replay decides the same.
for placement in paper gpus stock worst; do
	waits spread --policy easy --placement $placement --journal "$work/journal" > /dev/null
	grep -aq "lxfw_placement=$placement" "$work/journal" ||
		fail "$placement: not in the journal"
	"$lxfw" replay "$work/journal" > "$work/out" 2>&1 ||
		fail "$placement: replay: $(cat "$work/out")"
	rm "$work/journal"
done

# Without GRES, with caps and without: the schedules of both rules are the same.
awk 'BEGIN {
	draw = 7
	print "; MaxProcs: 64"
	print "; Queue: 1 a"
	print "; Queue: 2 b"
	for (i = 1; i <= 400; i++) {
		draw = (draw * 69069 + 1) % 1048576
		procs = 1 + draw % 13
		run = 30 + draw % 3001
		submit += draw % 331
		print i, submit, -1, run, procs, -1, 2000, procs, run * (1 + draw % 3), \
			1000, 1, 1, 1, 1, 1 + draw % 2, -1, -1, -1
	}
}' > "$work/none.swf"
conf 'NodeName=n[1-4] CPUs=16 RealMemory=60000' | sed '$d' > "$work/none.conf"
echo 'PartitionName=a Nodes=ALL MaxTime=7-0
PartitionName=b Nodes=ALL MaxTime=7-0 MaxCPUsPerNode=9' >> "$work/none.conf"
for policy in fcfs easy lxfw conservative sjf; do
	for placement in paper gpus; do
		waits none --policy $policy --placement $placement --jobs-out "$work/$placement" \
			> /dev/null
	done
	cmp -s "$work/paper" "$work/gpus" || fail "$policy: another schedule without GPUs"
done

finish
