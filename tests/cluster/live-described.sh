#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw reads the slurm.conf of a site as slurmctld does. A private slurmctld is started with
# the nodes and partitions of each file in tests/golden/described and corrected that slurmctld
# accepts, and of files that described.py makes (LXFW_SEED, the first seed; LXFW_DESCRIBED,
# other files). What `scontrol` prints is compared with what `lxfw import --cluster-out` writes.

# Slurm's own scheduler is sufficient.
LXFW_SCHEDULER=backfill
# shellcheck source=tests/cluster/live.sh
. "$(dirname "$0")/live.sh"

described=$here/../golden/described

# Lines that belong to the private cluster, not to the description of a machine.
own='^(ClusterName|SlurmctldHost|SchedulerType|SchedulerParameters|DefMemPerCPU)='
other='^(SelectType|SelectTypeParameters|NodeName|PartitionName|DefMemPerCPU|SlurmdParameters)='

# The clients report what slurmctld changes in a file, such as CPUs.
scontrol()
{
	command scontrol "$@" 2>>"$run/log/scontrol"
}

refused()
{
	grep -q fatal: "$run/log/slurmctld.out"
}

answers()
{
	refused || scontrol ping | grep -q 'is UP'
}

# whole FILE: print it with the files that it includes; %c is the name of the cluster.
whole()
{
	local name line
	name=$(grep -i '^ClusterName=' "$1" | cut -d= -f2 | tr -d '[:space:]')
	while read -r line; do
		case $line in
		[Ii]nclude\ *) cat "$(dirname "$1")/$(sed "s/^[^ ]* *//; s/%c/$name/" <<<"$line")" ;;
		*) printf '%s\n' "$line" ;;
		esac
	done <"$1"
}

# start FILE: slurmctld starts without its state, with this description.
start()
{
	"$cluster" stop-ctld "$run" >>"$run/log/described" 2>&1
	rm -rf "${run:?}"/state/*
	cp "$run/work/generic" "$run/etc/slurm.conf"
	{
		grep -vE "$other" "$run/work/generic"
		whole "$1" | grep -viE "$own" | with_addresses
	} >"$run/work/next" && mv "$run/work/next" "$run/etc/slurm.conf"
	: >"$run/log/slurmctld.out"
	"$cluster" start-ctld "$run" >>"$run/log/described" 2>&1 || true
	poll 120 answers && ! refused || fail "$1: slurmctld did not start: $(tail -n 3 "$run/log/slurmctld.out" "$run/log/slurmctld")"
}

# Print "NODE PROCESSORS MEMORY GRES" for each node that can run jobs, by scontrol. Memory is 0
# if it is not counted. Amounts of equal GRES are added by the reader of the file, too.
nodes_by_slurm()
{
	local counted=0
	scontrol show config | grep -qi '^SelectTypeParameters .*MEMORY' && counted=1
	scontrol -o show node | awk -v counted=$counted '{
		delete value
		for (i = 1; i <= NF; i++) {
			at = index($i, "=")
			if (at && !(substr($i, 1, at - 1) in value))
				value[substr($i, 1, at - 1)] = substr($i, at + 1)
		}
		if (value["State"] ~ /DOWN|DRAIN|FAIL|FUTURE/)
			next
		gres = value["Gres"]
		gsub(/\([^)]*\)/, "", gres)
		count = split(gres == "" ? "-" : gres, list, ",")
		procs = "CPUEfctv" in value ? value["CPUEfctv"] : value["CPUTot"]
		memory = counted ? value["RealMemory"] - value["MemSpecLimit"] : 0
		for (i = 1; i <= count; i++)
			print value["NodeName"], procs, memory, list[i]
	}' | sort
}

# The same, by lxfw.
nodes_by_lxfw()
{
	local line names node gres item
	grep '^NodeName=' "$1" | while read -r line; do
		names=$(grep -o 'NodeName=[^ ]*' <<<"$line" | cut -d= -f2)
		gres=$(grep -o 'Gres=[^ ]*' <<<"$line" | cut -d= -f2)
		for node in $(scontrol show hostnames "$names"); do
			for item in $(tr , ' ' <<<"${gres:--}"); do
				awk -v node="$node" -v item="$item" '{
					for (i = 1; i <= NF; i++) {
						split($i, word, "=")
						value[word[1]] = word[2]
					}
					print node, value["CPUs"] - value["CoreSpecCount"],
						value["RealMemory"] + 0, item
				}' <<<"$line"
			done
		done
	done | sort
}

# Print "PARTITION NODE" and "PARTITION KEY VALUE" for limits.
partitions_by_slurm()
{
	local line name nodes usable=$1 node
	scontrol -o show partition | while read -r line; do
		name=$(grep -o 'PartitionName=[^ ]*' <<<"$line" | cut -d= -f2)
		nodes=$(grep -oE ' Nodes=[^ ]*' <<<"$line" | cut -d= -f2)
		case $nodes in
		'' | '(null)') nodes= ;;
		esac
		for node in ${nodes:+$(scontrol show hostnames "$nodes")}; do
			grep -q "^$node " "$usable" && echo "$name $node"
		done
		grep -oE ' (MaxCPUsPer(Node|Socket)|MaxNodes|MinNodes)=[0-9]+' <<<"$line" |
			grep -vE '=(0|4294967295)$|MinNodes=1$' | sed "s/^/$name/"
	done | sort -u
}

partitions_by_lxfw()
{
	local line name nodes node
	grep '^PartitionName=' "$1" | while read -r line; do
		name=$(grep -o 'PartitionName=[^ ]*' <<<"$line" | cut -d= -f2)
		nodes=$(grep -oE ' Nodes=[^ ]*' <<<"$line" | cut -d= -f2 | tr -d '"')
		for node in ${nodes:+$(scontrol show hostnames "$nodes")}; do
			echo "$name $node"
		done
		grep -oE ' (MaxCPUsPer(Node|Socket)|MaxNodes|MinNodes)=[0-9]+' <<<"$line" |
			grep -vE 'MinNodes=1$' | sed "s/^/$name/"
	done | sort -u
}

# Print "PARTITION whole" or "PARTITION shared": whether jobs are allocated whole nodes.
whole_by_slurm()
{
	local linear=0
	scontrol show config | grep -q '^SelectType .*linear' && linear=1
	scontrol -o show partition | awk -v linear=$linear '{
		sub(/PartitionName=/, "")
		print $1, linear || /OverSubscribe=EXCLUSIVE/ ? "whole" : "shared"
	}' | sort
}

whole_by_lxfw()
{
	awk '/^PartitionName=/ {
		sub(/PartitionName=/, "")
		print $1, /OverSubscribe=EXCLUSIVE/ ? "whole" : "shared"
	}' "$1" | sort
}

# Print the name of a file that says what FILE leaves to the release. lxfw states that it
# assumes select/linear, the default up to 23.02.
with_select_type()
{
	case $("$cluster" release) in
	22.05 | 23.02) echo "$1" && return ;;
	esac
	grep -qi '^SelectType=' "$1" && echo "$1" && return
	{ echo SelectType=select/linear && cat "$1"; } >"$run/work/linear.conf"
	echo "$run/work/linear.conf"
}

# compare FILE: slurmctld and lxfw agree on it.
compare()
{
	local out=$run/work/described what
	start "$(with_select_type "$1")"
	"$build/lxfw" import --out "$out.swf" --cluster "$1" --cluster-out "$out" \
		"$described/node-sets.sacct" 2>"$run/work/told" || fail "$1: $(cat "$run/work/told")"
	nodes_by_slurm >"$out.nodes.slurm"
	nodes_by_lxfw "$out" >"$out.nodes.lxfw"
	partitions_by_slurm "$out.nodes.slurm" >"$out.partitions.slurm"
	partitions_by_lxfw "$out" >"$out.partitions.lxfw"
	whole_by_slurm >"$out.whole.slurm"
	whole_by_lxfw "$out" >"$out.whole.lxfw"
	[ -s "$out.nodes.slurm" ] || fail "$1: no node: $(scontrol -o show node)"
	for what in nodes partitions whole; do
		diff "$out.$what.slurm" "$out.$what.lxfw" >"$out.diff" ||
			fail "$1: $what by slurmctld (<) and lxfw (>): $(cat "$out.diff")"
	done
}

# Whether FILE has a key that this release of Slurm does not know.
is_newer()
{
	case $("$cluster" release) in
	22.05) grep -q MaxCPUsPerSocket "$1" ;;
	*) return 1 ;;
	esac
}

# Whether slurmctld does not start with FILE: nodes that do not exist, flags that exclude each
# other, or a plugin that the release does not have any more.
is_refused()
{
	case $("$cluster" release) in
	22.05 | 23.*) ;;
	*) grep -q 'select/cons_res' "$1" && return ;;
	esac
	grep -qE 'Nodes=nosuch|CR_CPU.*CR_ONE_TASK' "$1"
}

# slurmctld runs with the cluster's own description, whatever the last one was.
restore()
{
	"$cluster" stop-ctld "$run" >>"$run/log/described" 2>&1
	rm -rf "${run:?}"/state/*
	cp "$run/work/generic" "$run/etc/slurm.conf"
	: >"$run/log/slurmctld.out"
	"$cluster" start-ctld "$run" >>"$run/log/described" 2>&1 && poll 120 answers ||
		fail "slurmctld does not start again"
}

test_described()
{
	local file count=0 failed=
	cp "$run/etc/slurm.conf" "$run/work/generic"
	for file in ${LXFW_DESCRIBED:-"$described"/*.conf "$described"/../corrected/*.conf}; do
		is_newer "$file" || is_refused "$file" && continue
		(compare "$file") || failed+=" $(basename "$file")"
		count=$((count + 1))
	done
	restore
	[ -z "$failed" ] || fail "failed:$failed"
	[ $count -ge 10 ] || [ -n "${LXFW_DESCRIBED-}" ] || fail "only $count files in $described"
}

test_made()
{
	local seed=${LXFW_SEED:-1} i failed=
	cp "$run/etc/slurm.conf" "$run/work/generic"
	for ((i = seed; i < seed + 12; i++)); do
		python3 "$here/described.py" $i >"$run/work/made.conf" || fail "seed $i"
		(compare "$run/work/made.conf") || { failed+=" $i" && cat "$run/work/made.conf" >&2; }
	done
	restore
	[ -z "$failed" ] || fail "failed: seeds$failed"
}

live_main "$@" -- --no-slurmd --conf 'NodeName=first CPUs=4' --partition 'p Nodes=first'
