#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# lxfw check-conf: what an attack on it found. Nodes that are down count, lines are read as
# Slurm reads them, what is wrong with a key or plugin is corrected, and the corrected file is
# as private as the checked ones.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

# made MEMORY TEXT: make changed.conf of lines that are right, and TEXT.
made()
{
	cat > changed.conf <<EOF
ClusterName=x
SlurmctldHost=h
StateSaveLocation=/var/lib/slurm
SchedulerType=sched/lxfw
SchedulerParameters=defer,sched_interval=-1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core$1
EOF
	printf '%b' "$2" >> changed.conf
}

# correct RELEASE: correct changed.conf to new.conf. Nothing is left in it.
correct()
{
	"$lxfw" check-conf --no-files --release "$1" --write new.conf changed.conf > out 2> told
	[ $? -le 1 ] && [ ! -s told ] || fail "$what: $(cat told)"
	"$lxfw" check-conf --no-files --release "$1" new.conf > again 2>&1 ||
		fail "$what, corrected: $(cat again)"
}

# stops PATTERN: there is one finding that stops jobs, with PATTERN; '' = none.
stops()
{
	if [ -z "$1" ]; then
		! grep -q 'stops jobs' out || fail "$what: $(cat out)"
	else
		[ "$(grep -c 'stops jobs' out)" -eq 1 ] && grep -q -- "$1.*stops jobs" out ||
			fail "$what: not '$1': $(cat out)"
	fi
}

has()
{
	grep -qx -- "$1" new.conf || fail "$what: no line $1: $(cat new.conf)"
}

lacks()
{
	! grep -q -- "$1" new.conf || fail "$what: $1: $(cat new.conf)"
}

# --- nodes that are down --------------------------------------------------------
ab='NodeName=a[1-6] CPUs=4 RealMemory=512000'
for state in DOWN DRAIN FAIL; do
	what="memory of nodes in $state"
	made _Memory "DefMemPerCPU=1000\n$ab State=$state\nNodeName=b[1-5] CPUs=4\nPartitionName=p Nodes=a[1-6],b[1-5] MaxTime=60\n"
	correct 24.11
	stops ''
	has DefMemPerCPU=1000
done
what='memory of DownNodes'
made _Memory "DefMemPerCPU=1000\n$ab\nDownNodes=a[1-6] State=DOWN\nNodeName=b[1-5] CPUs=4\nPartitionName=p Nodes=a[1-6],b[1-5] MaxTime=60\n"
correct 24.11
stops ''
has DefMemPerCPU=1000
what='memory of future nodes'
made _Memory "DefMemPerCPU=1000\n$ab State=FUTURE\nNodeName=b[1-5] CPUs=4\nPartitionName=p Nodes=a[1-6],b[1-5] MaxTime=60\n"
correct 24.11
stops ''
has SelectTypeParameters=CR_Core_Memory
has DefMemPerCPU=1000
what='the default of a node that is down'
made _Memory "NodeName=a CPUs=4 RealMemory=8000 State=DOWN\nNodeName=b CPUs=4 RealMemory=64000\nPartitionName=p Nodes=a,b MaxTime=60\n"
correct 24.11
has DefMemPerCPU=2000

# --- partitions without nodes ---------------------------------------------------
what='no nodes, but those of DEFAULT'
made '' 'NodeName=n[1-4] CPUs=4\nPartitionName=DEFAULT Nodes=ALL MaxTime=60\nPartitionName=a Default=YES\nPartitionName=r Nodes=n7 AllowGroups=x\n'
correct 24.11
stops 'partition r has node n7'
has 'PartitionName=r Nodes="" AllowGroups=x'

# --- select/linear --------------------------------------------------------------
for type in SelectType=select/linear '#'; do
	what="whole nodes, $type"
	made '' 'NodeName=n1 CPUs=4\nPartitionName=p Nodes=n1 MaxTime=60\n'
	sed -i "/^SelectTypeP/d; s,^SelectType=.*,$type," changed.conf
	correct 22.05
	stops ''
	has SelectType=select/cons_tres
	has SelectTypeParameters=CR_Core
	lacks DefMem
done

# --- lines ----------------------------------------------------------------------
nodes='NodeName=n1 CPUs=4\nPartitionName=p Nodes=n1 MaxTime=60\n'
what='an even number of backslashes'
made '' "Licenses=a\\\\\\\\\nWrong=1\n$nodes"
grep -qxF 'Licenses=a\\' changed.conf || fail "$what: $(cat changed.conf)"
correct 24.11
stops '^changed.conf:9: Slurm has no key Wrong'
has '#Wrong=1'
what='an odd number of backslashes'
made '' "JobRequeue=\\\\\n1\nWrong=1\n$nodes"
correct 24.11
stops '^changed.conf:10: Slurm has no key Wrong'
what='blanks after a backslash'
made '' "Wrong=1 \\\\ \t\n  Worse=2\n$nodes"
grep -q 'Wrong=1 \\ ' changed.conf || fail "$what: $(cat changed.conf)"
correct 24.11
grep -q '^changed.conf:8: Slurm has no key Worse' out || fail "$what: $(cat out)"
has 'NodeName=n1 CPUs=4'
what='no value'
made '' "Licenses=\n$nodes"
correct 24.11
stops '^changed.conf:8: Licenses has no value, expected one or "": daemons'
has '#Licenses='
what='no value on the line of a node'
made '' "NodeName=n1 CPUs=4 Gres= # none\nPartitionName=p Nodes=n1 MaxTime=60\n"
correct 24.11
stops '^changed.conf:8: Gres has no value'
has 'NodeName=n1 CPUs=4 *# none'
what='an empty value'
made '' "Licenses=\"\"\n$nodes"
correct 24.11
stops ''
what='a mark'
made '' "$nodes"
sed -i '1s/^/\xef\xbb\xbf/' changed.conf
correct 24.11
stops '^changed.conf:1: the file begins with a byte order mark'
[ "$(sed -n 1p new.conf)" = ClusterName=x ] || fail "$what: $(cat new.conf)"
what='a mark before a comment'
sed -i '1s/x$/x\n/; 1s/ClusterName/#\nClusterName/' changed.conf
correct 24.11
stops '^changed.conf:1: the file begins with a byte order mark'
[ "$(sed -n 1,2p new.conf)" = "#
ClusterName=x" ] || fail "$what: $(cat new.conf)"

# --- keys and plugins -----------------------------------------------------------
what='front ends'
made '' "FrontendName=f FrontendAddr=a\n$nodes"
correct 25.05
stops 'no key FrontendName'
has '#FrontendName=f FrontendAddr=a'
what='a plugin that was removed'
made '' "AccountingStorageType=accounting_storage/filetxt\n$nodes"
correct 24.11
stops 'no plugin accounting_storage/filetxt any more'
has '#AccountingStorageType=accounting_storage/filetxt'
what='a plugin of no kind'
made '' "JobCompType=jobcop/none\n$nodes"
correct 24.11
stops 'expected jobcomp/...: what loads it does not start'
has '#JobCompType=jobcop/none'
what='a parameter of another key'
made '' "$nodes"
sed -i 's/^SchedulerParameters.*/&,max_depend_depth=7/' changed.conf
correct 24.11
stops ''
has DependencyParameters=max_depend_depth=7
what='FastSchedule'
made '' "FastSchedule=0\n$nodes"
correct 22.05
stops FastSchedule
! grep -q similar out || fail "$what: $(cat out)"
what='unknown items'
made ',CR_Wrong,CR_LLN,CR_Worse' "$nodes"
correct 24.11
stops "Slurm has no items 'CR_Wrong', 'CR_Worse' of SelectTypeParameters"
has SelectTypeParameters=CR_Core,CR_LLN

# --- the file that is written ---------------------------------------------------
what='modes'
mkdir -p there
made '' "Include nodes.conf\n"
printf '%b' "$nodes" > nodes.conf
for modes in '600 644 600' '644 600 600' '640 644 640' '644 644 644'; do
	set -- $modes
	chmod "$1" changed.conf
	chmod "$2" nodes.conf
	rm -f new.conf
	(umask 022; "$lxfw" check-conf --no-files --write new.conf changed.conf > out)
	[ "$(stat -c %a new.conf)" = "$3" ] || fail "modes $1 and $2: $(stat -c %a new.conf)"
done
grep -qx 'Include nodes.conf' new.conf || fail "included here: $(cat new.conf)"
what='another folder'
"$lxfw" check-conf --no-files --write there/new.conf changed.conf > out
grep -qx "Include $(pwd -P)/nodes.conf" there/new.conf || fail "$what: $(cat there/new.conf)"
"$lxfw" check-conf --no-files there/new.conf > out || fail "$what: $(cat out)"
# patch(1) compares the ends of lines, too.
what='carriage returns'
made '' "$nodes"
sed -i 's/sched.lxfw/sched\/backfill/; s/$/\r/' changed.conf
correct 24.11
if command -v patch > /dev/null; then
	cp changed.conf patched.conf
	sed -n '/^--- /,$p' out | patch -s patched.conf && tr -d '\r' < patched.conf | cmp -s - new.conf &&
		[ "$(grep -c "$(printf '\r')\$" patched.conf)" -eq "$(wc -l < patched.conf)" ] ||
		fail "$what: $(cat patched.conf)"
fi
made '' "Include nodes.conf\n"
what='a folder'
"$lxfw" check-conf there > out 2> told
[ $? -eq 2 ] && grep -qx 'there: is a directory, expected a file' told || fail "$what: $(cat told)"
echo 'Include there' >> changed.conf
"$lxfw" check-conf changed.conf > out 2> told
[ $? -eq 2 ] && grep -qx 'changed.conf:9: Include there: is a directory, expected a file' told ||
	fail "an included folder: $(cat told)"
finish
