# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Random requests: for soak-hostile with extreme values in every option of `sbatch` and
# `scontrol update`; for live-shapes-random.sh realistic ones. Functions return their
# result in REPLY or in words.

# between LEAST MOST
between()
{
	REPLY=$(($1 + (RANDOM * 32768 + RANDOM) % ($2 - $1 + 1)))
}

one_of()
{
	between 1 $#
	REPLY=${!REPLY}
}

# The limits of 16, 32 and 64 bits, the special values that Slurm defines near them, and
# text that is no number.
extremes=(0 1 3 7 16 17 33 144 145 1000 32767 32768 65532 65533 65534 65535 65536
	2147483646 2147483647 2147483648 4294967292 4294967293 4294967294 4294967295
	4294967296 4611686018427387904 9000000000000000000 9223372036854775807
	9223372036854775808 18446744073709551612 18446744073709551613
	18446744073709551615 18446744073709551616 99999999999999999999999999
	-1 -2 -2147483648 0x7f 1e9 '' abc ' 1' '1 ' 1,1 1-0)

# Two of three numbers are realistic.
number()
{
	between 1 6
	case $REPLY in
	1|2)	one_of "${extremes[@]}" ;;
	*)	one_of 1 1 2 2 3 4 5 8 12 ;;
	esac
}

range()
{
	local low
	number
	low=$REPLY
	between 0 3
	[ "$REPLY" = 0 ] || { REPLY=$low; return; }
	number
	REPLY=$low-$REPLY
}

memory()
{
	local amount
	number
	amount=$REPLY
	between 0 3
	case $REPLY in
	0)	amount+=00 ;;
	1)	one_of "${extremes[@]}"; amount=$REPLY ;;
	esac
	one_of '' '' M K G T P X
	REPLY=$amount$REPLY
}

gres()
{
	local name
	number
	one_of "gpu:$REPLY" "gpu:$REPLY" "shard:$REPLY" "gpu:nosuch:$REPLY" "nosuch:$REPLY" \
		"gpu:$REPLY,gpu:1" "gres:gpu:$REPLY" none help gpu ':::' "gpu:1,shard:$REPLY"
	name=$REPLY
	REPLY=$name
}

feature()
{
	number
	one_of fat rack1 'fat&rack1' 'fat|rack1' '[rack1|fat]' "[rack1*$REPLY&fat*1]" \
		"rack1*$REPLY" '[(rack1&fat)|rack1]' nosuch '&' '|||' '[' 'fat&fat&fat|rack1' \
		'(fat|rack1)&rack1' "[fat*$REPLY]" $'fat\n' '[rack1*2&fat*1]'
}

nodes()
{
	one_of n1 n6 n7,n8 'n[1-3]' 'n[1-8]' n1,n1,n1 nosuch 'n[1-99999]' 'n[8-1]' ALL '' \
		'n[1,3,5,7]' 'n[' other n9
}

moment()
{
	one_of now now+1 now+5 now+30 now+4294967295 1970-01-01 2038-01-19T03:14:08 \
		2106-02-07T06:28:16 midnight tomorrow now-60 now+1minute 00:00 nonsense
}

duration()
{
	one_of 1 1 1 2 5 0 0:10 1:00 UNLIMITED INFINITE 4294967295 35791394 35791395 -1 \
		365-00:00:00 99999-23:59:59 1-0 nonsense 2147483647
}

text()
{
	one_of lxfw:no-quantum lxfw:adaptive 'lxfw:adaptive=99999999999' lxfw:adaptive=-1 \
		'x JobState=SUSPENDED JobId=1' $'two\nlines JobId=2' $'\x01\x02\x1b[31m\x7f' \
		'%s%n%d%x' "$(printf '%03000d' 0)" $'\xff\xfe' '' "'\"\`\$(false)" '../../..'
}

# Depend on one of the same user's recent jobs: @7@ is the seventh before this one.
dependency()
{
	local back kind
	one_of afterok afterany afternotok after aftercorr expand singleton afterburstbuffer nosuch
	kind=$REPLY
	between 1 50
	back=$REPLY
	number
	one_of "$kind:@$back@" "$kind:@$back@+$REPLY" "$kind:@1@:@2@,$kind:@3@" "$kind:@$back@?singleton" \
		"$kind:$REPLY" "$kind" "$kind:@$back@_*" "$kind:@$back@_1"
}

array()
{
	number
	one_of 1-3 0-5%2 '1,3,5' 0-30:7 "0-$REPLY" "$REPLY" 63 '5-1' '1-3%0' "0-5%$REPLY" 1,1,1 0-62:62
}

# add_option: append an option to words.
add_option()
{
	between 0 62
	case $REPLY in
	[0-2])	memory; words+=("--mem=$REPLY") ;;
	3|4)	memory; words+=("--mem-per-cpu=$REPLY") ;;
	5|6)	memory; words+=("--mem-per-gpu=$REPLY" --gpus=1) ;;
	7|8)	number; words+=(-n "$REPLY") ;;
	9|10)	number; words+=(-c "$REPLY") ;;
	11|12)	range; words+=(-N "$REPLY") ;;
	13)	number; words+=("--ntasks-per-node=$REPLY") ;;
	# Slurm 22.05 divides by this value in 16 bits at submission, and crashes if it
	# is 0. So do 65536 and the limits of 32 and 64 bits, whose lower 16 bits are 0.
	14)	number; ((${#REPLY} > 5)) || [[ $REPLY =~ ^(0|65536)$ ]] || words+=("--ntasks-per-socket=$REPLY") ;;
	15)	number; words+=("--ntasks-per-core=$REPLY") ;;
	16)	number; words+=("--ntasks-per-gpu=$REPLY" --gpus=2) ;;
	17)	number; words+=("--mincpus=$REPLY") ;;
	18|19)	gres; words+=("--gres=$REPLY") ;;
	20|21)	number; words+=("--gpus=$REPLY") ;;
	22)	number; words+=("--gpus-per-node=$REPLY") ;;
	23)	number; words+=("--gpus-per-task=$REPLY") ;;
	24)	number; words+=("--gpus-per-socket=$REPLY" --sockets-per-node=2) ;;
	25)	number; words+=("--cpus-per-gpu=$REPLY" --gpus=2) ;;
	26|27)	feature; words+=(-C "$REPLY") ;;
	28)	feature; words+=("--prefer=$REPLY") ;;
	29)	nodes; words+=(-w "$REPLY") ;;
	30)	nodes; words+=(-x "$REPLY") ;;
	31)	duration; words+=(-t "$REPLY") ;;
	32)	duration; words+=("--time-min=$REPLY") ;;
	33)	moment; words+=("--deadline=$REPLY") ;;
	34)	moment; words+=("--begin=$REPLY") ;;
	35)	number; words+=("--nice=$REPLY") ;;
	36)	dependency; words+=(-d "$REPLY") ;;
	37|38)	array; words+=("--array=$REPLY") ;;
	39)	number; words+=(-L "lic:$REPLY") ;;
	40|41)	number; words+=("--tmp=$REPLY") ;;
	42)	one_of --exclusive --exclusive=user --exclusive=mcs -s; words+=("$REPLY") ;;
	43)	words+=(-O) ;;
	44)	number; words+=(-S "$REPLY") ;;
	45)	number; words+=("--thread-spec=$REPLY") ;;
	46)	number; words+=("--switches=$REPLY@1") ;;
	47)	text; words+=("--reservation=$REPLY") ;;
	48)	text; words+=("--qos=$REPLY") ;;
	49)	text; words+=("-A$REPLY") ;;
	50|51)	text; words+=("--comment=$REPLY") ;;
	52)	text; words+=(-J "$REPLY") ;;
	53)	number; words+=("--signal=B:10@$REPLY") ;;
	54)	one_of --requeue --no-requeue --spread-job --use-min-nodes --contiguous --no-kill; words+=("$REPLY") ;;
	55)	words+=(--contiguous) ;;
	56)	number; words+=("--wait-all-nodes=$REPLY") ;;
	57)	text; words+=("--bb=$REPLY") ;;
	58)	feature; words+=("--cluster-constraint=$REPLY") ;;
	59)	one_of p small gpu urgent p,small,gpu urgent,p p,p nosuch ''; words+=(-p "$REPLY") ;;
	60)	number; words+=("--sockets-per-node=$REPLY") ;;
	61)	number; words+=("--threads-per-core=$REPLY") ;;
	62)	number; words+=("--priority=$REPLY") ;;
	esac
}

# Draw one argument of scontrol update.
draw_change()
{
	local key
	one_of ArrayTaskThrottle Comment ClusterFeatures DelayBoot TimeLimit TimeMin Priority \
		Nice CPUsPerTask NumCPUs NumTasks Requeue ReqNodes NumNodes ReqSockets ReqCores \
		TasksPerNode ReqThreads MinCPUsNode MinMemoryNode MinMemoryNode MinMemoryCPU \
		MinMemoryCPU MinTmpDiskNode Partition QOS ReservationName JobName WCKey Switches \
		OverSubscribe Contiguous CoreSpec MemPerTres ThreadSpec TresPerJob TresPerNode \
		TresPerSocket TresPerTask CpusPerTres ExcNodeList ReqNodeList Features Prefer Gres \
		Account BurstBuffer Dependency Licenses EligibleTime StartTime Reboot Deadline \
		WorkDir MailUser UserID
	key=$REPLY
	case $key in
	Comment|JobName|WCKey|QOS|ReservationName|Account|BurstBuffer|WorkDir|MailUser) text ;;
	TimeLimit|TimeMin|DelayBoot) duration ;;
	EligibleTime|StartTime|Deadline) moment ;;
	NumCPUs|ReqNodes|NumNodes) range ;;
	MemPerTres|CpusPerTres|TresPer*|Gres) gres ;;
	Features|Prefer|ClusterFeatures) feature ;;
	ExcNodeList|ReqNodeList) nodes ;;
	Dependency) dependency ;;
	Licenses) number; REPLY=lic:$REPLY ;;
	Partition) one_of p small gpu urgent p,small,gpu nosuch '' ;;
	OverSubscribe|Contiguous|Reboot) one_of yes no maybe ;;
	MinMemory*) memory ;;
	*) number ;;
	esac
	REPLY=$key=$REPLY
}

# Draw how many jobs back: mostly the last one.
draw_back()
{
	between 0 2
	[ "$REPLY" != 0 ] && REPLY=1 || between 1 30
}

draw_changes()
{
	local back=$1
	words=()
	draw_change; words+=("$REPLY")
	between 0 2
	[ "$REPLY" != 0 ] || { draw_change; words+=("$REPLY"); }
	echo "change $back$(printf ' %q' "${words[@]}")"
}

# draw_components: append further components of a heterogeneous job to words: mostly one
# or two, sometimes more than fit together or than Slurm permits.
draw_components()
{
	local count most
	one_of 1 1 1 2 2 3 8 9 20 130
	for ((count = REPLY; count > 0; count--)); do
		words+=(:)
		between 0 2
		most=$((${#words[@]} + REPLY))
		while ((${#words[@]} < most)); do
			add_option
		done
	done
}

# draw_commands COUNT SEED: print lines for bash, `submit OPTION ...`, `change BACK WORD
# ...`, `control COMMAND BACK`. The same seed gives the same lines. COUNT of them submit
# a job. Slurm accepts updates of a held job that it would refuse for others; therefore,
# many jobs are held, changed and released.
draw_commands()
{
	local count=$1 i words most held
	RANDOM=$(($2 % 32768))
	for ((i = 0; i < count; i++)); do
		words=()
		between 0 5
		most=$REPLY
		while ((${#words[@]} < most)); do
			add_option
		done
		between 0 1
		held=$REPLY
		[ "$held" = 0 ] || words+=(--hold)
		between 0 7
		[ "$REPLY" != 0 ] || draw_components
		echo "submit$([ ${#words[@]} = 0 ] || printf ' %q' "${words[@]}")"
		between 0 2
		[ "$REPLY" != 0 ] || { draw_back; draw_changes "$REPLY"; }
		between 0 2
		[ "$held" = 0 ] || [ "$REPLY" = 0 ] || echo "control release 1"
		between 0 4
		[ "$REPLY" != 0 ] || {
			draw_back
			most=$REPLY
			one_of release hold uhold requeue requeuehold top suspend
			echo "control $REPLY $most"
		}
	done
}

# draw_request: set words to a realistic request for the machine of shapes.sh.
draw_request()
{
	local times
	words=()
	between 1 4
	for ((times = REPLY; times > 0; times--)); do
		between 0 25
		case $REPLY in
		0|1|2)	one_of 2 3 5 8 16 17 20 33 40 64 100 144; words+=("-n$REPLY") ;;
		3|4)	one_of 1 2 3 4 5 8 2-3 2-4 1-8 3-5; words+=("-N$REPLY") ;;
		5|6)	one_of 1 2 3 4 8 12 16; words+=("-c$REPLY") ;;
		7)	one_of 100 1000 20000 33000 60000 0; words+=("--mem=$REPLY") ;;
		8)	one_of 100 1000 4000 5000 20000; words+=("--mem-per-cpu=$REPLY") ;;
		9)	one_of 100 8000 20000 40000; words+=("--mem-per-gpu=$REPLY") ;;
		10|11)	one_of 1 2 3 4 5 6 8; words+=("--gpus=$REPLY") ;;
		12)	one_of 1 2 3 4; words+=("--gpus-per-node=$REPLY") ;;
		13)	one_of 1 2 3; words+=("--gpus-per-task=$REPLY") ;;
		14)	one_of gpu:1 gpu:3 gpu:4 shard:1 shard:2; words+=("--gres=$REPLY") ;;
		15)	one_of 1 2 4 5; words+=("--cpus-per-gpu=$REPLY") ;;
		16)	one_of 1 2 3; words+=("--ntasks-per-gpu=$REPLY") ;;
		17)	one_of 1 2 3 5 16 20; words+=("--ntasks-per-node=$REPLY") ;;
		18)	one_of 1 2 4 8; words+=("--ntasks-per-socket=$REPLY") ;;
		19)	one_of 2 10 16 20; words+=("--mincpus=$REPLY") ;;
		20)	one_of --exclusive --exclusive=user -s; words+=("$REPLY") ;;
		21)	one_of fat rack1 'fat&rack1' 'fat|rack1' '[rack1|fat]' '[rack1*2&fat*1]'; words+=(-C "$REPLY") ;;
		22)	one_of n1 n6 n7 n2,n7 'n[1-3]'; words+=(-w "$REPLY") ;;
		23)	one_of n1 n6 n7 n8,n6 'n[1-3]'; words+=(-x "$REPLY") ;;
		24)	one_of --contiguous --tmp=5000 -O --use-min-nodes --switches=1 -S1; words+=("$REPLY") ;;
		25)	one_of small gpu small,gpu p,small,gpu; words+=(-p "$REPLY") ;;
		esac
	done
	# Options per GPU are valid only in requests with GPUs.
	[[ " ${words[*]} " != *-per-gpu=* || " ${words[*]} " = *\ --gpus=* ]] || words+=(--gpus=4)
}
