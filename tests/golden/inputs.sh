#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# No input is dropped without a word: what inputs.table says of each input and subcommand is
# true of a made log. LXFW_INPUT=PATTERN limits it to some inputs.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

table=$(cd "${LXFW_TOP_SRCDIR:-.}" && pwd)/tests/golden/inputs.table
cd "$work" || exit 99

# --- the example ------------------------------------------------------------------------
cat > plain.conf <<'EOF'
SchedulerType=sched/backfill
NodeName=n[1-4] CPUs=16
PartitionName=batch Nodes=n[1-4]
EOF
{
	cat plain.conf
	echo PriorityType=priority/multifactor
	echo PriorityWeightAge=1000
	echo PriorityWeightQOS=50000
	echo PriorityWeightFairshare=10000
	echo AccountingStorageType=accounting_storage/slurmdbd
} > site.conf
cat > assocs <<'EOF'
Account|User|ParentName|Share|Priority
root|||1|
a||root|9|
b||root|1|
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
echo 'ReservationName=r StartTime=2025-01-03T00:00:00 EndTime=2025-01-03T12:00:00 Nodes=n[1-4]' \
	> reservations
awk 'function uniform() {
		seed = (seed * 16807) % 2147483647
		return seed / 2147483647
	}
	BEGIN {
	seed = 1
	print "JobID|Submit|Start|End|NCPUS|NNodes|Partition|User|Account|QOS|State|Timelimit|SubmitLine"
	for (i = 1; i <= 200; i++) {
		submit += int(-log(1 - uniform()) * 2600)
		limit = 60 * (1 + int(uniform() * 240))
		run = 1 + int(limit * uniform())
		procs = 1 + int(uniform() * 48)
		procs -= procs > 16 ? procs % 4 : 0
		user = int(uniform() * 4)
		wait = int(uniform() * 4000)
		at = 1735689600 + submit
		printf "%d|%d|%d|%d|%d|%d|batch|u%d|%s|%s|COMPLETED|%02d:%02d:00|%s\n", i, at,
			at + wait, at + wait + run, procs, (procs > 16 ? 4 : 1), user,
			(user % 2 ? "b" : "a"), (uniform() < 0.1 ? "high" : "normal"),
			int(limit / 3600), limit / 60 % 60,
			(i % 5 ? "" : "sbatch -d afterany:" i - 3 " x")
	}
}' > log
"$lxfw" simulate --cluster plain.conf --policy lxfw --journal journal log > out 2>&1 ||
	fail "simulate: $(cat out)"
"$lxfw" snapshot --journal journal --at 1735789600 -o snapshot > out 2>&1 ||
	fail "snapshot: $(cat out)"

# --- the subcommands ----------------------------------------------------------------------

# with SUBCOMMAND KIND INPUT: runs it; the input is empty for the result without it
with()
{
	subcommand=$1 kind=$2 input=$3 name=$3 conf=plain.conf
	case $kind in
	site | option) conf=site.conf ;;
	esac
	case $kind in
	conf | site)
		grep -v "^${input%%=*}=" $conf > given.conf
		[ "$input" ] && echo "$input" >> given.conf
		conf=given.conf
		input=
		;;
	esac
	set --
	if [ "$kind" = params ]; then
		case $subcommand in
		grid) ;;
		from) [ -z "$input" ] || set -- --params "$input" ;;
		*)
			set -- --policy lxfw
			case $input in
			'') ;;
			lxfw_policy=*) set -- --policy "${input#*=}" ;;
			*) set -- "$@" --params "$input" ;;
			esac
			;;
		esac
	elif [ "$input" ]; then
		set -- "$input"
	fi
	case $subcommand in
	predict)
		"$lxfw" predict --evaluate log --cluster $conf --futures 10 --sample 100 \
			--format csv "$@"
		;;
	simulate)
		if [ "$kind" = site ] || [ "$kind" = option ]; then
			set -- --policy site "$@"
		fi
		"$lxfw" simulate --cluster $conf --format csv "$@" log
		;;
	from) "$lxfw" simulate --from snapshot --format csv "$@" ;;
	compare)
		"$lxfw" compare --cluster $conf --shake 0 --infer none --format csv "$@" log
		;;
	grid)
		line="site=s cluster=$conf"
		if [ "$kind" = params ]; then
			case $input in
			lxfw_policy=*) line="$line policy=${input#*=}" ;;
			*) line="$line policy=lxfw${input:+ params=$input}" ;;
			esac
			set --
		elif [ "$kind" = site ] && [ "$name" ]; then
			line="$line policy=site"
		fi
		echo "$line" > sites
		"$lxfw" grid --sites sites --format csv "$@" log
		;;
	esac
}

# names INPUT: the messages in told name the key or the option, or its value
names()
{
	key=${1%%=*} value=${1#*=}
	case $1 in
	*=lxfw_*) key=${value%%=*} value=${1##*=} ;;
	esac
	grep -qF -e "${key#--}" -e "${key#lxfw_}" -e "policy $value" -e "'$value'" -e "priority 0" \
		-e "immediate service" -e priority/multifactor told
}

# cell SUBCOMMAND KIND INPUT VERDICT
cell()
{
	[ "$4" = - ] && return
	before=before.$1.$2
	if [ ! -f $before ]; then
		with "$1" "$2" '' > $before 2> $before.told || [ $? -eq 1 ] ||
			fail "$1 without $2: exit status $?: $(cat $before.told)"
	fi
	with "$1" "$2" "$3" > after 2> told
	status=$?
	is="exit status $status, $(cmp -s $before after && echo 'the same' || echo 'another') result"
	case $4 in
	honoured) [ $status -le 1 ] && ! cmp -s $before after ;;
	accepted) [ $status -le 1 ] ;;
	noted) [ $status -le 1 ] && names "$3" ;;
	refused) [ $status -eq 2 ] && names "$3" && [ ! -s after ] ;;
	*) false ;;
	esac && return
	echo "$1 $2:$3: $is; $(head -n 3 told)" >> wrong
	echo "    expected: $4" >> wrong
}

: > wrong
cells=0
while read -r row predict simulate from compare grid; do
	case $row in
	'' | '#'*) continue ;;
	*${LXFW_INPUT:-}*) ;;
	*) continue ;;
	esac
	for cell in "predict $predict" "simulate $simulate" "from $from" "compare $compare" \
		"grid $grid"; do
		cell "${cell% *}" "${row%%:*}" "${row#*:}" "${cell#* }" < /dev/null
		cells=$((cells + 1))
	done
done < "$table"
[ $cells -gt 0 ] || fail "no input in $table"
[ ! -s wrong ] || fail "$(grep -c expected wrong) of $cells cells are wrong:
$(cat wrong)"

finish
