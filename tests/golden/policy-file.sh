#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Policies from files. Lua versions of built-in policies must make exactly the same
# decisions. Journals name the file and replay with no other. An error in a file is
# reported with its line, and no output is left. A shared object works with its release
# only.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

policies=$(cd "$top_srcdir/contrib/policies" && pwd) || exit 99
modules=$(cd "$top_builddir" && pwd)/.libs
shared=$(cd "$top_srcdir/.." && pwd)/shared/traces
cd "$work" || exit 99

echo 'function priority(job, now) return 0 end' > zero.lua
{
	echo "; MaxProcs: 4"
	job 1 0 10 2 10
	job 2 5 10 4 10
} > good.swf
if "$lxfw" simulate --policy-file zero.lua good.swf 2>&1 | grep -q 'were left out'; then
	echo 'policies from files are not built: skipped'
	exit 77
fi

# --- Lua versions of built-in policies --------------------------------------
# The last column is the priority, which only built-in policies report.

# twin FILE POLICY TRACE OPTIONS...; $keys: parameters of POLICY only
keys=
twin()
{
	file=$1 policy=$2 trace=$3
	shift 3
	"$lxfw" simulate --policy "$policy" ${keys:+--params "$keys"} \
		--jobs-out built-in.csv "$@" "$trace" \
		> /dev/null 2> err || fail "$policy: $(cat err)"
	"$lxfw" simulate --policy-file "$file" --jobs-out twin.csv "$@" "$trace" \
		> /dev/null 2> err || fail "$file: $(cat err)"
	[ -s twin.csv ] || fail "$file: no jobs"
	for table in built-in twin; do
		sed 's/,[^,]*$//' $table.csv > $table
	done
	cmp -s built-in twin ||
		fail "$file differs from $policy, $* $trace: $(diff built-in twin | head -n 4)"
}

"$lxfw" generate lublin --procs 128 --jobs 2000 --load 0.9 --estimate-factor 3 \
	--out made.swf || fail 'no trace'
"$lxfw" generate ncsa-o2k --month 2000-01 --out memory.swf || fail 'no trace'
twin "$policies/lxfw.lua" lxfw made.swf
twin "$policies/lxfw.lua" lxfw made.swf --params lxfw_reservations=4
twin "$policies/lxfw.lua" lxfw memory.swf --cluster ncsa-o2k
twin "$policies/lxfw.lua" lxfw memory.swf --cluster ncsa-o2k \
	--params lxfw_quantum=60,lxfw_quantum_end=suspend
twin "$policies/list.lua" list made.swf

# lxfw_age_first: jobs that have waited longer come first. In the log of even times many
# jobs have waited for exactly that time in a pass.
for age in 7200 129600; do
	sed "s/129600/$age/" "$policies/age-first.lua" > age.lua
	keys=lxfw_age_first=$age
	twin age.lua sjf made.swf
	twin age.lua sjf memory.swf --cluster ncsa-o2k
done
awk 'BEGIN {
	draw = 7
	submit = 0
	for (i = 1; i <= 3000; i++) {
		draw = (draw * 69069 + 1) % 1048576
		run = 600 * (1 + int(draw / 64) % 12)
		print i, submit, -1, run, 1 + int(draw / 1024) % 16, -1, -1, -1, \
			run * (1 + int(draw / 16384) % 3), -1, 1, 1, 1, 1, 1, 1, -1, -1
		submit += 600 * (int(draw / 256) % 12)
	}
}' > even.swf
for age in 1800 7200; do
	sed "s/129600/$age/" "$policies/age-first.lua" > age.lua
	keys=lxfw_age_first=$age
	twin age.lua sjf even.swf --cluster procs=20
	"$lxfw" simulate --policy sjf --cluster procs=20 \
		--jobs-out without.csv even.swf > /dev/null 2> err || fail "$(cat err)"
	cmp -s without.csv built-in.csv && fail "lxfw_age_first=$age has no effect"
done
# By weights, until a job is old.
cat > weights.lua <<'END'
backfill = "easy"
function priority(job, now)
	if job.wait > 7200 then return 1e9 + job.wait end
	local hours = job.limit / 3600.0
	return 1.0 + (0.0167 + 1.0 / hours) / 3600.0 * job.wait
end
END
keys=lxfw_age_first=7200
twin weights.lua lxfw even.swf --cluster procs=20
sed -i 's/"easy"/4/' weights.lua
keys=lxfw_age_first=7200,lxfw_reservations=4
twin weights.lua lxfw made.swf
keys=
if [ -e "$shared/SDSC-SP2-1998-4.2-cln.swf.gz" ]; then
	gzip -dc "$shared/SDSC-SP2-1998-4.2-cln.swf.gz" 2> /dev/null |
		head -n 8000 > real.swf
	twin "$policies/lxfw.lua" lxfw real.swf
else
	echo 'no real log: compared on generated ones only'
fi

for twin in conservative:\"conservative\" easy:\"easy\" easy:1; do
	{
		echo "backfill = ${twin#*:}"
		echo 'function priority(job, now) return now - job.submit end'
	} > order.lua
	twin order.lua "${twin%:*}" made.swf
done

# --- several contenders, perturbed copies, threads --------------------------
for threads in 1 3; do
	"$lxfw" simulate --policy-file "$policies/lxfw.lua" --policy lxfw --shake 2 \
		--threads $threads --format csv made.swf > several.$threads 2> err ||
		fail "several: $(cat err)"
done
cmp -s several.1 several.3 || fail 'the result depends on the number of threads'
grep '^lxfw\.lua,' several.1 | cut -d, -f3,4 > one
grep '^lxfw,' several.1 | cut -d, -f3,4 > two
[ -s one ] && cmp -s one two || fail "contenders differ: $(diff one two | head -n 4)"

# --- journals ---------------------------------------------------------------
"$lxfw" simulate --policy-file "$policies/lxfw.lua" --journal journal made.swf \
	> /dev/null 2> err || fail "journal: $(cat err)"
digest=$(sha256sum < "$policies/lxfw.lua" | cut -d' ' -f1)
"$lxfw" journal journal | head -n 1 | grep -q "policy script:$digest$" ||
	fail "the journal names $("$lxfw" journal journal | head -n 1)"
"$lxfw" replay --policy-file "$policies/lxfw.lua" journal > out 2> err ||
	fail "replay: $(cat out err)"

# refuses MESSAGE ARGUMENTS...: exit status 2, only this message
refuses()
{
	message=$1
	shift
	"$lxfw" "$@" > out 2> err
	is=$?
	[ $is = 2 ] || fail "lxfw $*: exit status $is, not 2"
	[ ! -s out ] || fail "lxfw $*: prints $(head -n 1 out)"
	[ "$(cat err)" = "$message" ] || fail "lxfw $*: message '$(cat err)', not '$message'"
	ls jobs.csv* > left 2> /dev/null
	[ ! -s left ] || fail "lxfw $*: leaves $(cat left)"
}

refuses "lxfw: journal: the policy is from a file, script:$digest, expected --policy-file with that file" \
	replay journal
refuses "lxfw: journal: the policy is from another file than zero.lua, expected one with script:$digest" \
	replay --policy-file zero.lua journal
"$lxfw" simulate --policy easy --journal easy.journal good.swf > /dev/null 2> err ||
	fail "easy: $(cat err)"
refuses "lxfw: easy.journal: the policy is easy, not from a file, expected no --policy-file" \
	replay --policy-file zero.lua easy.journal
refuses "lxfw: good.swf: the policy is from a file that was not given, expected --policy-file of 'lxfw simulate' or 'lxfw replay'" \
	simulate --params "lxfw_policy=script:$digest" good.swf
refuses "lxfw: lxfw_policy beside --policy-file, expected one of them" \
	simulate --policy-file zero.lua --params lxfw_policy=easy good.swf
refuses "lxfw: lxfw_ww: not applicable, policy script has no weights" \
	simulate --policy-file zero.lua --params lxfw_ww=1 good.swf
refuses "lxfw: lxfw_reservations: not applicable, $policies/list.lua fixes how many jobs have a reservation" \
	simulate --policy-file "$policies/list.lua" --params lxfw_reservations=2 good.swf
refuses "lxfw: lxfw_reservation_mode: not applicable, $policies/list.lua reserves nothing" \
	simulate --policy-file "$policies/list.lua" \
	--params lxfw_reservation_mode=compress good.swf
refuses 'none.lua: No such file or directory' simulate --policy-file none.lua good.swf
refuses 'good.swf: no file of a policy, expected FILE.lua, FILE.formula or FILE.so' \
	simulate --policy-file good.swf good.swf

# --- errors in a script -----------------------------------------------------
number='expected a function priority(job, now) that returns a number'
kinds='expected "easy", "conservative", "none" or a number of reservations from 1 to 1000000'

# wrong WHERE-AND-WHAT LINE...: run a script of these lines
wrong()
{
	message=$1
	shift
	printf '%s\n' "$@" > bad.lua
	refuses "bad.lua$message" simulate --policy-file bad.lua \
		--jobs-out jobs.csv good.swf
}

wrong ":1: no function priority(job, now), expected one that returns a number" ''
wrong ":1: no function priority(job, now), expected one that returns a number" 'priority = 5'
wrong ":2: ')' expected near 'return', $number" 'function priority(job, now' 'return 1 end'
wrong ":2: priority() returned nil for job 1, $number" '' 'function priority() end'
wrong ":1: priority() returned string for job 1, $number" 'function priority() return "5" end'
wrong ":1: priority() returned NaN for job 1, $number" 'function priority() return 0/0 end'
wrong ":2: attempt to compare number with nil, $number" \
	'function priority(job)' 'return job.wait < nil end'
wrong ":2: a job has no 'user', expected id, submit, wait, procs, hosts, limit, memory or tier" \
	'function priority(job)' 'return job.user end'
# one call of these could take years
for name in find match gmatch gsub; do
	wrong ":2: attempt to call a nil value (field '$name'), $number" \
		'function priority(job)' \
		"string.$name('aaaa', 'a-a-b') end"
done
for call in "string.rep('', 1 << 62)" 'table.move({}, 1, 1 << 62, 2)' \
	'table.insert({}, 1, 2)' 'table.remove({}, 1)'; do
	name=${call%%(*}
	wrong ":2: attempt to call a nil value (field '${name#*.}'), $number" \
		'function priority(job)' "$call end"
done
for name in io require load pcall coroutine debug print; do
	wrong ":1: no variable '$name', expected one of the script's own, or math, string, table or utf8" \
		"local x = $name"
done
wrong ":2: no variable 'os', expected one of the script's own, or math, string, table or utf8" \
	'function priority(job)' 'return os.time() end'
wrong ":2: my own, $number" 'function priority()' 'error("my own") end'
wrong ":1: an error without a text, $number" 'function priority() error({}) end'
wrong ":1: stack overflow, $number" 'function priority(job, now) return 1 + priority(job, now) end'
wrong ":2: no end after 10000000 instructions, expected one" 'local i = 0' 'while true do i = i + 1 end'
wrong ":2: no end after 10000000 instructions, expected one" \
	'function priority(job)' 'while true do end end'
# few instructions that take long
wrong ":1: no end after 5 s of computation, expected one" \
	'local s = "x" for i = 1, 1000000 do s = s .. "one and another one and one more" end'
wrong ": out of memory, expected a script that needs at most 64 MB" \
	'local s = "x"' 'for i = 1, 40 do s = s .. s end'
wrong ":2: pairs() of a table with a table as key, not a number or text, $number" \
	'function priority()' 'for key in pairs({ [{}] = 1 }) do end end'
wrong ":1: string.format() with %p, $number" \
	'function priority() return string.format("%p", "x") end'
wrong ":1: backfill is 'often', $kinds" 'backfill = "often" function priority() return 1 end'
wrong ":1: backfill is '0', $kinds" 'backfill = 0 function priority() return 1 end'
wrong ":1: backfill is 'table', $kinds" 'backfill = {} function priority() return 1 end'
printf '\033Lua' > bad.lua
refuses "bad.lua: attempt to load a binary chunk (mode is 't'), $number" \
	simulate --policy-file bad.lua good.swf
# the error is reported in a comparison too, and does not depend on Lua's random seed
echo 'function priority(job) return nil end' > bad.lua
refuses "bad.lua:1: priority() returned nil for job 1, $number" \
	simulate --policy-file bad.lua --policy easy --threads 2 good.swf
cat > order.lua << 'END'
local names = { alpha = 1, beta = 2, gamma = 3, delta = 4, epsilon = 5, zeta = 6 }
local text = ""
for name, value in pairs(names) do text = text .. name .. value end
function priority(job, now)
	return #text * job.procs + string.byte(text, 1 + job.id % #text) * math.random()
end
END
for run in 1 2 3; do
	"$lxfw" simulate --policy-file order.lua --jobs-out order.$run made.swf \
		> /dev/null 2> err || fail "order.lua: $(cat err)"
done
cmp -s order.1 order.2 && cmp -s order.1 order.3 || fail 'a script differs from run to run'

# --- Ctrl-C in a script -----------------------------------------------------
if env --default-signal=INT true 2> /dev/null; then
	echo 'function priority() for i = 1, 5000000 do end return 0 end' > slow.lua
	env --default-signal=INT "$lxfw" simulate --policy-file slow.lua \
		--jobs-out jobs.csv made.swf > out 2> err &
	while ! ls jobs.csv.* > left 2> /dev/null && kill -0 $! 2> /dev/null; do
		sleep 0.05
	done
	kill -INT $!
	wait $!
	is=$?
	[ $is = 130 ] || fail "interrupted: exit status $is: $(cat err)"
	ls jobs.csv* > left 2> /dev/null
	[ ! -s left ] && [ ! -s out ] || fail "interrupted: leaves $(cat left out)"
fi

# --- shared objects ---------------------------------------------------------
if [ -e "$modules/policy_module.so" ]; then
	cp "$modules/policy_module.so" "$modules/policy_module_other.so" \
		"$modules/policy_module_preset.so" .
	cat > widest.lua <<- 'END'
	backfill = "none"
	function priority(job, now) return job.procs end
	END
	for file in widest.lua policy_module.so; do
		"$lxfw" simulate --policy-file $file --jobs-out $file.csv \
			--journal $file.journal made.swf > /dev/null 2> err ||
			fail "$file: $(cat err)"
		"$lxfw" replay --policy-file $file $file.journal > out 2>&1 ||
			fail "$file: $(cat out)"
	done
	cmp -s widest.lua.csv policy_module.so.csv || fail 'the shared object differs from the script'
	refuses "policy_module_other.so: interface 99 of policies, expected 2: compile it with this release's headers" \
		simulate --policy-file policy_module_other.so good.swf
	refuses "lxfw: policy_module_preset.so: the preset has lxfw_policy, expected other keys" \
		simulate --policy-file policy_module_preset.so good.swf
	head -c 5000 policy_module.so > short.so
	refuses "short.so: truncated, expected a shared object" \
		simulate --policy-file short.so good.swf
	echo junk > junk.so
	refuses "junk.so: cannot be loaded ($work/junk.so: file too short), expected a shared object" \
		simulate --policy-file junk.so good.swf
else
	echo 'shared objects are not built: skipped'
fi

# --- subcommands that refuse policy files -----------------------------------
cat > slurm.conf << END
ClusterName=one
SlurmctldHost=one
SchedulerType=sched/lxfw
SchedulerParameters=defer,sched_interval=-1,lxfw_policy=script:$digest
NodeName=n1 CPUs=4
PartitionName=p Nodes=n1 Default=YES
END
"$lxfw" check-conf slurm.conf > out 2>&1
grep -q 'lxfw_policy=script is for simulations: sched/lxfw refuses it' out ||
	fail "check-conf: $(cat out)"
finish
