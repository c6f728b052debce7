#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What lxfw tune says where it recommends nothing: the best setting for other weeks, and
# whether it is worth a trial. The logs are four weeks of made users, each with habits of
# his own. The true value of a setting is its mean over other logs of the same users. Two copies
# where the default is 8 take a quarter of the time; the good site needs all of them.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

poor=lxfw_policy=lxfw,lxfw_ww=0.1,lxfw_wx=1,lxfw_wp=1

# made_log SEED FILE
made_log()
{
	{
		echo "; MaxProcs: 32"
		awk -v seed="$1" '
		function draw(n) {
			state = (state * 16807) % 2147483647
			return int(n * state / 2147483647)
		}
		BEGIN {
			state = 1000003 * seed + 17
			for (i = 0; i < 20; i++)
				draw(1)
			while (work < 0.7 * 32 * 28 * 86400) {
				user = 1 + int(10 * (draw(1000) / 1000) ^ 2)
				begin = 86400 * draw(28) + 28800 + draw(36000)
				procs = 2 ^ (user % 4 + draw(3))
				limit = 3600 * 2 ^ ((user * 3) % 5)
				procs = procs > 32 ? 32 : procs
				for (count = 1 + draw(procs > 8 ? 3 : 12); count > 0; count--) {
					run = 1 + int(limit * (draw(1000) / 1000) ^ 2)
					print begin, run, procs, limit, user
					begin += draw(900)
					work += run * procs
				}
			}
		}' | sort -n | awk '$1 < 28 * 86400 {
			print ++n, $1, -1, $2, $3, -1, -1, $3, $4, -1, 1, $5, $5, 1, 1, 1, -1, -1
		}'
	} > "$2"
}

# tune SITE OPTION...: the output is in out, the exit status in is
tune()
{
	site=$1
	shift
	"$lxfw" tune --copies 2 --current "$site" --settings 24 --round 12 --despite-verdict "$@" \
		> out 2> err
	is=$?
	[ $is -lt 2 ] || fail "tune $site $*: $(cat err)"
}

# figures LINE: print p95 wait, mean slowdown and longest wait as sums over other logs
figures()
{
	for seed in 101 102 103 104 105 106 107 108; do
		"$lxfw" simulate --params "$1" --warmup 2d --format csv "truth-$seed"
	done | awk -F, '
		$1 == "policy" { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{
			p95 += $at["p95_wait_s"]
			slowdown += $at["mean_slowdown"]
			longest += $at["max_wait_s"]
		}
		END { print p95, slowdown, longest }'
}

for seed in 1 2 101 102 103 104 105 106 107 108; do
	if [ $seed -lt 100 ]; then
		made_log $seed log-$seed
	else
		made_log $seed truth-$seed
	fi
done

# A poor site. The setting is truly better, in all goals.
before=$(figures $poor)
for seed in 1 2; do
	tune $poor --threads 1 --format csv log-$seed
	cp out csv
	[ $is -eq 1 ] && grep -q '^trial,,worth,1,' csv || fail "poor, seed $seed: $(cat csv)"
	line=$(sed -n 's/^trial,,params,,*//p' csv | tr -d '"')
	after=$(figures "$line")
	echo "$before $after" | awk '{
		exit !($4 < 1.05 * $1 && $5 < 1.05 * $2 && $6 < 1.05 * $3 &&
			($4 < 0.9 * $1 || $5 < 0.9 * $2 || $6 < 0.9 * $3))
	}' || fail "poor, seed $seed: $line is not better: $before, $after"
	! grep -q '^candidate.changes_not_seen.max_wait,,verdict.*worse' csv ||
		fail "poor, seed $seed: the longest wait is worse: $(cat csv)"
	# the number of threads does not matter
	tune $poor --threads 3 --format csv log-$seed
	cmp -s out csv || fail "poor, seed $seed, threads: $(diff csv out)"
	tune $poor --report page.html log-$seed
	for text in 'is worth a trial' 'copies of the log in which each session of a user' \
		'weeks of a trial in shadow mode (lxfw_shadow=on)' 'To try it, '; do
		grep -qF "$text" out && grep -qF "$text" page.html || fail "'$text': $(cat out)"
	done
	grep -qF "<code>$line</code>" page.html || fail "the line is not on the page: $line"
done

# A good one: nothing is worth a trial, and the reason is stated.
tune lxfw_policy=easy --copies 8 log-1
[ $is -eq 1 ] && grep -q '^No setting is worth a trial; the best one would be [A-Z].$' out &&
	grep -q '^No goal to minimize is better by more than 5 % with a probability of 80 %.$' out ||
	fail "good: $(cat out)"

# Without copies there is no such judgement.
tune $poor --copies 0 log-1
! grep -q trial out || fail "without copies: $(cat out)"
tune $poor --copies 0 --json log-1
! grep -q '"trial"' out || fail "without copies: $(cat out)"

# A limit that the settings exceed.
tune $poor --limit 'max_wait<=1h' log-1
! grep -q 'is worth a trial' out || fail "limit: $(cat out)"

# Several months as one input: the records of a job in both count once.
sacct()
{
	echo 'JobID|Submit|Start|End|NCPUS|NNodes|Partition|User|Account|QOS|State|Timelimit'
	awk -v from="$1" -v to="$2" '/^[0-9]/ && $2 >= from * 86400 && $2 < to * 86400 {
		submit = 1735689600 + $2
		printf "%d|%d|%d|%d|%d|1|all|u%d|lab|normal|COMPLETED|%d\n", $1, submit, submit,
			submit + $4, $5, $12, $9 / 60
	}' log-1
}
sacct 0 28 > whole
sacct 0 15 > first
sacct 14 28 > second
months="--cluster procs=32 --infer none --start-overhead 0 --json"
# shellcheck disable=SC2086
tune $poor $months whole
cp out json
# shellcheck disable=SC2086
cat first second | tune $poor $months -
cmp -s out json || fail "two files: $(diff json out) $(cat err)"

# There is a trial only where nothing is recommended.
tune lxfw_policy=fcfs --json log-1
python3 - json out <<'END' || fail "trial and recommendation: $(cat json out)"
import json, sys
poor, bad = (json.load(open(name)) for name in sys.argv[1:])
sys.exit(poor["recommended"] != "" or "trial" not in poor or
	 bad["recommended"] == "" or "trial" in bad)
END

finish
