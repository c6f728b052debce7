#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The table, the page and the JSON of lxfw tune say the same, to the digit; and neither
# an interrupt nor a full disk leaves anything behind that could be taken for a result.
# Nearly all of the time goes into the copies of the log, which are therefore few.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

cd "$work" || exit 99

"$lxfw" generate lublin --procs 64 --jobs 1200 --load 0.8 --estimate-factor 3 --seed 3 \
	--out log.swf || fail 'generate'

# rows: of the page in `page.html`, the cells of each row of a table with a blank between
rows()
{
	sed 's/<\/tr>/\n/g' page.html | sed -n 's/.*<tr[^>]*>//p' |
		sed 's/<\/t[dh]><t[dh][^>]*>/ /g; s/<[^>]*>//g'
}

# What the values of the JSON, as CSV, have to look like in both.
cat > expected.awk <<'EOA'
# a span of time as pages and tables have it
function span(s,  a) {
	a = s < 0 ? -s : s
	if (a < 99.5) return sprintf("%.0fs", s)
	if (a < 99.95 * 60) return sprintf("%.1fm", s / 60)
	if (a < 99.95 * 3600) return sprintf("%.1fh", s / 3600)
	return sprintf("%.1fd", s / 86400)
}
function shown(goal, v) {
	if (goal ~ /wait|awrt|response/) return span(v)
	return sprintf((v < 100 ? "%.2f" : "%.0f"), v)
}
function change(now, then) { return percent((then - now) / now) }
function percent(of) { return sprintf("%+.0f %%", 100 * of) }
function ceiling(x) { return x == int(x) ? x : int(x) + 1 }
function chance(p) { return p < 0.01 ? "&lt;1 %" : p > 0.99 ? "&gt;99 %" : sprintf("%.0f %%", 100 * p) }
{
	number = $4
	text = $0
	sub(/^[^,]*,[^,]*,[^,]*,[^,]*,/, "", text)
	gsub(/"/, "", text)
	of[$1 "," $2 "," $3] = number != "" ? number : text
	if ($1 == "choices.all_blocks" && $2 + 0 > choices) choices = $2 + 0
}
END {
	goals = split("p95_wait mean_slowdown max_wait", name, " ")
	for (i = 1; i <= goals; i++) {
		g = name[i]
		crossed = ("candidate.not_seen,," g) in of
		now = of["now.all_blocks,," g]
		then = of["candidate.not_seen,," g]
		c = "candidate.changes_not_seen." g ",,"
		v = of[c "verdict"]
		if (crossed) print "both", g, shown(g, of[c "now"]), shown(g, of[c "then"]),
			percent(of[c "change"]), sprintf("%+.0f %% to %+.0f %%",
				100 * of[c "change_low"], 100 * of[c "change_high"]),
			of[c "blocks_better"] " of " of[c "blocks"],
			v == "unsure" ? "cannot tell" : v
		line = g " " shown(g, now)
		for (j = 1; j <= choices; j++)
			line = line " " shown(g, of["choices.all_blocks," j "," g])
		print "page", line
		for (j = 1; j <= choices; j++) {
			c = "choices.changes." g "," j ","
			then = of["choices.all_blocks," j "," g]
			print "table", sprintf("%c", 64 + j), shown(g, of[c "then"]),
				percent(of[c "change"]),
				sprintf("%+.0f %% to %+.0f %%", 100 * of[c "change_low"],
					100 * of[c "change_high"]),
				of[c "blocks_better"] " of " of[c "blocks"]
		}
	}
	for (k = 1; k <= 2; k++) {
		m = k == 1 ? "mean_wait" : "mean_bounded_slowdown"
		now = of["now.classes.short,," m]
		line = "short: run up to 1 h " of["now.classes.short,,jobs"] " " shown(m, now)
		for (j = 1; j <= choices; j++)
			line = line " " change(now, of["choices.classes.short," j "," m])
		print "both", line
	}
	line = "weighted response (AWRT) " span(of["now.whole,,awrt"])
	for (j = 1; j <= choices; j++)
		line = line " " span(of["choices.whole," j ",awrt"])
	print "both", line
	weeks = of["candidate,,weeks_needed"]
	if (weeks > 0 && weeks <= 520 && of["trial,,worth"] != 1)
		print "both", sprintf("about %.0f weeks of log",
			weeks == int(weeks) ? weeks : int(weeks) + 1)
	for (i = 1; i <= goals; i++) {
		c = "trial.changes." name[i] ",,"
		if (of[",,recommended"] == "" && (c "change") in of)
			print "both", name[i], percent(of[c "change"]),
				percent(of[c "change_low"]) " to " percent(of[c "change_high"]),
				chance(of[c "chance_worse"]),
				chance(of[c "chance_worse_than_margin"])
	}
	if (of[",,recommended"] == "" && of["trial,,worth"] == 1)
		print "both", "is worth a trial"
	weeks = of["trial,,weeks"]
	if (of[",,recommended"] == "" && weeks > 0 && weeks <= 520)
		print "both", sprintf("About %.0f week%s of a trial in shadow mode", ceiling(weeks),
			ceiling(weeks) > 1 ? "s" : "")
	if (of[",,recommended"] != "")
		print "both", "SchedulerParameters=defer,sched_interval=-1," of[",,recommended"]
}
EOA

# agree CURRENT: every figure of a run in all three
agree()
{
	set -- tune --current "$1" --settings 24 --show 3 --copies 2 --despite-verdict \
		--threads 2 log.swf
	"$lxfw" "$@" --format csv --report page.html > out.csv 2> err
	is=$?
	[ $is -lt 2 ] || fail "$*: exit status $is: $(cat err)"
	"$lxfw" "$@" > table 2> err
	[ $? -eq $is ] || fail "$*: another exit status as a table"
	awk -F, -f expected.awk out.csv > expected
	[ "$(wc -l < expected)" -gt 12 ] || fail "$*: few figures: $(cat expected)"
	sed 's/  */ /g; s/^ //; s/ $//; s/</\&lt;/g; s/>/\&gt;/g' table > table.rows
	{
		rows
		sed 's/<[^>]*>//g' page.html
	} > page.rows
	while read -r where line; do
		case $where in
		both | table)
			grep -qF -- "$line" table.rows ||
				fail "$*: not in the table: '$line'" ;;
		esac
		case $where in
		both | page)
			grep -qF -- "$line" page.rows ||
				fail "$*: not on the page: '$line'" ;;
		esac
	done < expected
}
agree lxfw_policy=fcfs
agree lxfw_policy=easy
agree lxfw_policy=sjf

# --- what is left behind ------------------------------------------------------------
# absent FILES: they are not there
absent()
{
	for file; do
		[ ! -e "$file" ] || fail "$file was left"
	done
}

if [ -w /dev/full ]; then
	for option in '' '--json'; do
		# shellcheck disable=SC2086
		"$lxfw" tune --settings 4 --copies 1 --despite-verdict $option log.swf > /dev/full 2> err
		is=$?
		[ $is -eq 2 ] && grep -q '^lxfw: standard output: ' err ||
			fail "a full disk: exit status $is: $(cat err)"
	done
	"$lxfw" tune --settings 4 --copies 1 --despite-verdict --report /dev/full log.swf > out 2> err
	is=$?
	[ $is -eq 2 ] && [ ! -s out ] && grep -q '^/dev/full: No space left on device$' err ||
		fail "a full disk for the page: exit status $is: $(cat out err)"
	"$lxfw" tune --settings 4 --copies 1 --despite-verdict --state /dev/full log.swf > out 2> err
	is=$?
	if ! grep -q 'built without SQLite' err; then
		[ $is -eq 2 ] && [ ! -s out ] && grep -q '^/dev/full: ' err ||
			fail "a full disk for the state: exit status $is: $(cat out err)"
	fi
fi

# Interrupted twice in the middle as from a terminal: the state is kept, and the search
# ends as it does in one go. 'timeout' is where SIGINT is not ignored, as it is in the
# background of a script.
if command -v timeout > /dev/null && ! grep -q 'built without SQLite' err; then
	search="tune --copies 1 --despite-verdict --threads 2 --format json"
	# shellcheck disable=SC2086
	"$lxfw" $search --settings 60 log.swf > whole 2> err
	should=$?
	# the first ones may come before the search does, on a busy machine
	interrupts=0
	for second in 1 1 2 4 8 16 32; do
		# shellcheck disable=SC2086
		timeout --preserve-status -s INT $second "$lxfw" $search \
			--settings 100000 --state s.db --report page2.html log.swf > out 2> err
		is=$?
		[ $is -eq 130 ] || fail "interrupted: exit status $is: $(cat err)"
		if grep -q '^lxfw: interrupted after [0-9]* of 100000 settings; run the same command to resume from s.db$' err; then
			interrupts=$((interrupts + 1))
			[ $interrupts -lt 2 ] || break
		else
			[ ! -s out ] || fail "interrupted: $(cat out)"
		fi
	done
	[ $interrupts -eq 2 ] || fail "interrupted: $(cat err)"
	# shellcheck disable=SC2086
	"$lxfw" $search --settings 60 --state s.db log.swf > out 2> err
	is=$?
	[ $is -eq $should ] || fail "resumed: exit status $is, not $should: $(cat err)"
	cmp -s whole out || fail "resumed: $(diff whole out)"
	# a file cut short, in the middle of a page of it and between two
	for bytes in 100 4096 6000; do
		head -c $bytes s.db > cut.db
		# shellcheck disable=SC2086
		"$lxfw" $search --settings 60 --state cut.db log.swf > out 2> err
		is=$?
		[ $is -eq 2 ] && [ ! -s out ] && grep -q '^cut.db: ' err ||
			fail "cut to $bytes bytes: exit status $is: $(cat out err)"
	done
	absent s.db-journal s.db-wal
fi

finish
