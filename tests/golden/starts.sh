#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw predict --starts-out` with a program in place of scontrol, and `--starts`: the table,
# what is found in it, and files that are not such a table.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

# Two hosts of 4 processors. A job of all processors runs for 500 s of 1000, always; at the
# present one has just begun.
now=$(date +%s)
i=1
while [ $i -le 60 ]; do
	job $i $((now - 60000 + i * 1000)) 500 8 1000
	i=$((i + 1))
done > "$work/log.swf"
printf 'n[1-2] procs=4 memory=4000M\n' > "$work/cluster"
"$lxfw" simulate --cluster "$work/cluster" --policy fcfs --journal "$work/whole" "$work/log.swf" \
	> "$work/out" 2>&1 || fail "simulate: $(cat "$work/out")"
# Without the end of the last job.
size=$(wc -c < "$work/whole")
while :; do
	size=$((size - 1))
	head -c $size "$work/whole" > "$work/journal"
	"$lxfw" predict --journal "$work/journal" > "$work/out" 2> "$work/messages"
	! grep -q '1 jobs run, 0 wait' "$work/out" || break
	[ $size -gt 1000 ] || { fail "no journal with a running job"; break; }
done

mkdir "$work/bin"
cat > "$work/bin/scontrol" << 'END'
#!/bin/sh
case $* in
*config) echo 'SelectTypeParameters    = CR_CORE_MEMORY'; echo 'DefMemPerCPU            = 500' ;;
*partition) cat "$work/partitions" ;;
esac
[ ! -e "$work/no-scontrol" ]
END
chmod +x "$work/bin/scontrol"
PATH=$work/bin:$PATH
export PATH work

cat > "$work/partitions" << 'END'
PartitionName=p AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL Default=YES DefaultTime=00:20:00 Hidden=NO MaxCPUsPerNode=UNLIMITED MaxMemPerNode=UNLIMITED MaxNodes=UNLIMITED MinNodes=0 ReqResv=NO MaxTime=04:00:00 Nodes=n[1-2] OverSubscribe=NO PriorityTier=1 RootOnly=NO State=UP DefMemPerNode=UNLIMITED
PartitionName=one Default=NO DefaultTime=NONE Hidden=NO MaxTime=UNLIMITED Nodes=n2 OverSubscribe=EXCLUSIVE PriorityTier=1 RootOnly=NO State=UP DefMemPerCPU=1000
PartitionName=down Default=NO Nodes=n1 MaxTime=UNLIMITED State=DOWN
PartitionName=secret Default=NO Hidden=YES Nodes=n1 MaxTime=UNLIMITED State=UP
PartitionName=empty Default=NO Nodes=(null) MaxTime=UNLIMITED State=UP
PartitionName=gone Default=NO Nodes=other[1-3] MaxTime=UNLIMITED State=UP
PartitionName=few Default=NO Nodes=n[1-2] MinNodes=0 MaxNodes=1 MaxTime=UNLIMITED State=UP
PartitionName=many Default=NO Nodes=n[1-2] MinNodes=2 MaxNodes=UNLIMITED MaxTime=UNLIMITED State=UP
PartitionName=half Default=NO Nodes=n[1-2] MaxCPUsPerNode=2 MaxTime=UNLIMITED State=UP
PartitionName=little Default=NO Nodes=n[1-2] MaxMemPerNode=500 MaxTime=UNLIMITED State=UP
PartitionName=group Default=NO AllowGroups=physics Nodes=n[1-2] MaxTime=UNLIMITED State=UP
PartitionName=vip Default=NO DenyQos=low Nodes=n[1-2] MaxTime=UNLIMITED State=UP
PartitionName=event Default=NO ReqResv=YES Nodes=n[1-2] MaxTime=UNLIMITED State=UP
END
table()
{
	"$lxfw" predict --starts-out "$work/table" --journal "$work/journal" > "$work/out" \
		2> "$work/messages" || fail "table: exit status $?: $(cat "$work/messages")"
}
(umask 077 && table)
[ "$(stat -c %a "$work/table")" = 644 ] || fail "mode $(stat -c %a "$work/table")"

# The mode of what is not a regular file stays: root may write to /dev/null.
mkfifo -m 622 "$work/fifo"
cat "$work/fifo" > "$work/through" &
"$lxfw" predict --starts-out "$work/fifo" --journal "$work/journal" > "$work/out" 2>&1 ||
	fail "fifo: exit status $?: $(cat "$work/out")"
wait $!
[ "$(stat -c %F,%a "$work/fifo")" = fifo,622 ] || fail "$(stat -c '%n: %F, mode %a' "$work/fifo")"
[ "$(tail -n 1 "$work/through")" = end ] || fail "fifo: $(cat "$work/through")"
# A link to standard output is /dev/stdout. Its name stays, whatever the output is.
ln -s /proc/self/fd/1 "$work/stdout"
"$lxfw" predict --starts-out "$work/stdout" --journal "$work/journal" > "$work/through" 2> "$work/out" ||
	fail "stdout: exit status $?: $(cat "$work/out")"
[ -L "$work/stdout" ] || fail "the link to standard output was replaced"
grep -qx end "$work/through" || fail "stdout: $(cat "$work/through")"
sed 's/^\(lxfw-starts 1\) [0-9]* [0-9]* 1/\1 TIMES/; s/^\([nN] [0-9]* [0-9]*\) .*/\1/' \
	"$work/table" > "$work/is"
{
	echo 'lxfw-starts 1 TIMES'
	echo 'partition p 1 0 4 500 1 1200'
	for size in 8 4 2 1; do
		for limit in 14400 3600 900; do
			echo "n $size $limit"
		done
	done
	for size in 2 1; do
		for limit in 14400 3600 900; do
			echo "N $size $limit"
		done
	done
	echo 'partition one 0 1 4 1000 1 0'
	for limit in 2592000 604800 259200 86400 43200 14400 3600 900; do
		echo "N 1 $limit"
	done
	echo 'partition empty 0 0 0 0 0 0'
	echo 'partition gone 0 0 0 0 0 0'
	for limited in few many half little group vip event; do
		echo "partition $limited 0 0 4 0 0 0"
	done
	echo end
} | diff -u - "$work/is" > "$work/diff" || fail "table: $(cat "$work/diff")"

# look STATUS TEXT OPTIONS: look up a request
look()
{
	should=$1 text=$2 status=0
	shift 2
	"$lxfw" predict --starts "$work/table" --request "$*" > "$work/out" 2> "$work/messages" ||
		status=$?
	[ $status = "$should" ] || fail "$*: exit status $status: $(cat "$work/messages")"
	if [ "$should" = 2 ]; then
		grep -q -- "$text" "$work/messages" || fail "$*: $(cat "$work/messages")"
		[ ! -s "$work/out" ] || fail "$*: $(cat "$work/out")"
	else
		echo "$text" | sed '/^$/d' | diff - "$work/out" > "$work/diff" ||
			fail "$*: $(cat "$work/diff")"
	fi
}

# A table with known times: a start at 14:10 and later ones for more processors.
cell()
{
	echo "$1 $2 $3 $(($4)) $(($4 - 60)) $(($4 + 60)) $(($4 - 600)) $(($5))"
}
hour=$((now / 3600 * 3600))
TZ=UTC
export TZ
{
	echo "lxfw-starts 1 $now $((now + 600)) 1"
	echo 'partition p 1 0 4 500 1 1200'
	cell n 1 3600 now now-1
	cell n 4 3600 now+86400*2 now+86400*4
	cell n 2 3600 now+86400 now+86400*3
	cell n 4 900 now+600000 -1
	cell N 2 3600 now+86400*5 now+86400*6
	echo 'partition one 0 1 4 1000 0 0'
	cell N 2 3600 now+86400*7 now+86400*8
	echo end
} > "$work/table"
at()
{
	date -d "@$(($1))" +%Y-%m-%dT%H:%M
}
at_once='lxfw: expected start at once'
line()
{
	echo "lxfw: expected start $(at $1) (50 %: $(at $1-60) to $(at $1+60), 90 %: $(at $1-600) to $2)"
}
look 0 "$at_once" -n 1 -t 16
# What is true of a job of an hour, or of two nodes, may not be of much less.
look 1 '' -n 1 -t 14
look 1 '' -p one -n 4 --mem 900 -t 16
look 0 "$at_once"
look 0 "$at_once" -n 1 -t 1:00:00 -p p --mem-per-cpu 500
look 1 '' -n 1 -t 1:00:01
look 0 "$(line now+86400 "$(at now+86400*3)")" -n 2 -t 16
look 0 "$(line now+600000 later)" -n 3 -t 15
look 0 "$(line now+86400*2 "$(at now+86400*4)")" -n 4 -t 16
look 0 "$(line now+86400*5 "$(at now+86400*6)")" -N 2 -n 8 -t 16
look 0 "$(line now+86400*5 "$(at now+86400*6)")" -N 2 -n 4 -c 2 -t 16
# These are not as the jobs of the table, however few processors they request.
look 1 '' -n 2 -c 2 -t 16
look 1 '' -n 1 -c 4 -t 16
look 1 '' -N 1 -n 1 -t 16
look 1 '' -N 2 -n 2 -t 16
look 1 '' -N 2 -n 6 -t 16
look 1 '' -N 2 -n 7 -t 16
look 1 '' -N 1 -n 1 -t 16 --exclusive
look 1 '' -n 5 -t 16 --exclusive
look 1 '' -n 5 -t 16
look 1 '' -N 1 -n 5 -t 16
look 1 '' -N 3 -n 12 -t 16
look 1 '' -n 1 -t 16 --mem 501
look 0 "$at_once" -n 1 -t 16 --mem 500
look 1 '' -n 2 -t 16 --mem 1000
look 0 "$(line now+86400*5 "$(at now+86400*6)")" -N 2 -n 8 -t 16 --mem 2000
look 1 '' -N 2 -n 8 -t 16 --mem 2001
look 1 '' -n 1 -t 16 --mem-per-cpu 501
look 1 '' -n 1 -t 16 -p two
look 1 '' -n 1 -t 16 -p 'p,one'
# This partition has no default of memory and time.
look 1 '' -p one -n 1 -t 16
look 1 '' -p one -n 1 --mem 900
look 0 "$(line now+86400*7 "$(at now+86400*8)")" -p one -n 5 --mem-per-cpu 900 -t 16
look 0 "$(line now+86400*7 "$(at now+86400*8)")" -p one -N 2 -n 2 -c 3 --mem 900 -t 16
look 1 '' -p one -N 1 -n 1 -c 5 --mem 900 -t 16
look 1 '' -p one -n 1 -c 2 --mem 900 -t 16
look 2 "no option '--gres'" --gres gpu:1

# The intervals of a table that was made with --moments 0 are too narrow. Times of today are short.
sed -i '1s/1$/0/' "$work/table"
look 0 "$(line now+86400 "$(at now+86400*3)" | sed 's/(50/(uncorrected 50/')" -n 2 -t 16
noon=$(date -d 'today 12:00' +%s)
sed -i "s/^n 1 3600 .*/n 1 3600 $((noon * 2 - now)) -1 -1 $((now - 5)) -1/" "$work/table"
if [ $((noon * 2 - now)) -gt $((now + 60)) ]; then
	look 0 "lxfw: expected start $(date -d "@$((noon * 2 - now))" +%H:%M) (uncorrected 50 %: later to later, 90 %: now to later)" -n 1
fi

# --- files that are no table -----------------------------------------------------------

cp "$work/table" "$work/good"
# bad TEXT: the file is refused
bad()
{
	look 2 "$1" -n 1 -t 10
	rm -rf "$work/table"
}
rm "$work/table"
bad 'table: No such file'
ln -s good "$work/table"
bad 'table: Too many levels of symbolic links'
mkfifo "$work/table"
bad 'table: not a regular file'
mkdir "$work/table"
bad 'table: not a regular file'
: > "$work/table"
bad 'table: truncated'
sed '$d' "$work/good" > "$work/table"
bad 'table:[0-9]*: truncated, expected a last line'
head -c 20 "$work/good" > "$work/table"
bad 'table:1: truncated'
truncate -s 100G "$work/table"
bad 'table: more than 4194304 bytes'
head -c 100000 /dev/zero > "$work/table"
bad 'table: truncated'
install -m 646 "$work/good" "$work/table"
bad 'table: writable by everyone'
sed '1s/starts 1/starts 2/' "$work/good" > "$work/table"
bad "table:1: not a table of starts, expected a file written by 'lxfw predict --starts-out'"
for edit in '2s/ 0 / x /' '2s/ [0-9]*$//' '3s/$/ 5/' '3s/ -1 / - /' '3s/^n/m/' '3s/n 1/n -2/' '2d'; do
	sed "$edit" "$work/good" > "$work/table"
	bad 'table:[234]: not a line of a table of starts'
done
# Outdated, or of a clock that is ahead.
sed "1s/.*/lxfw-starts 1 $((now - 7200)) $((now - 10)) 1/" "$work/good" > "$work/table"
look 1 '' -n 2 -t 10
sed "1s/.*/lxfw-starts 1 $((now + 7200)) $((now + 9000)) 1/" "$work/good" > "$work/table"
look 1 '' -n 2 -t 10

# refuses TEXT OPTIONS...
refuses()
{
	text=$1 status=0
	shift
	"$lxfw" predict "$@" > "$work/out" 2> "$work/messages" || status=$?
	[ $status = 2 ] || fail "$*: exit status $status"
	grep -q -- "$text" "$work/messages" || fail "$*: $(cat "$work/messages")"
	[ ! -s "$work/out" ] || fail "$*: output $(cat "$work/out")"
}
refuses '--starts without --request' --starts "$work/good"
refuses "'17' given, expected only options" --starts "$work/good" --request '-t 1' 17
refuses 'without --journal, or with --request or --at' --starts-out "$work/table" \
	--evaluate "$work/log.swf"
rm -f "$work/table"
mkdir "$work/folder"
refuses 'folder/nowhere/table' --starts-out "$work/folder/nowhere/table" \
	--journal "$work/journal"
: > "$work/no-scontrol"
refuses 'scontrol: failed' --starts-out "$work/table" --journal "$work/journal"
[ ! -e "$work/table" ] || fail 'a table without scontrol'

finish
