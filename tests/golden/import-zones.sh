#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Local times in the hour that occurs twice when clocks are set back, and in the one that they
# skip, in several zones and formats. Where run times, waits or the order of the times show which
# of the two moments it was, that one is taken; only the other records are counted.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

case $lxfw in
/*) ;;
*) lxfw=$OLDPWD/$lxfw ;;
esac
cd "$work" || exit 99
if [ ! -r /usr/share/zoneinfo/Europe/Berlin ] || [ ! -r /usr/share/zoneinfo/Australia/Lord_Howe ]
then
	echo 'no time zones (Debian: tzdata)'
	exit 77
fi

# moments ZONE LOG [OPTION...]: standard input has the job, the submission and the start since
# 1970, the run time, and the last part of the message, "unclear N", "skipped N" or "clear"
moments()
{
	zone=$1 log=$2
	shift 2
	"$lxfw" import --tz "$zone" --out out.swf "$@" "$log" 2> told ||
		fail "$zone, $log: exit status $?: $(cat told)"
	{
		awk '/^; UnixStartTime:/ { begin = $3 }
			!/^;/ { print $1, begin + $2, begin + $2 + $3, $4 }' out.swf
		sed -n -e 's/.*clocks skip in this zone: \([0-9]*\) records.*/skipped \1/p' \
			-e 't' -e 's/.*repeated hour .*: \([0-9]*\) records.*/unclear \1/p' \
			-e 't' -e 's/.*/clear/p' told
	} > is
	diff -u - is > diff || fail "$zone, $log: $(cat diff)"
}

# Berlin, 2026-10-25: 03:00 became 02:00 at 1792890000. Job 1 ended after that, though its end
# shows before its start; 2 started before and ran for an hour and a half; 3 began and ended in the
# second hour, before which it waited; 4 may have run in either hour; 5 was submitted at 02:50
# and therefore began in the second hour.
cat > sacct <<'END'
JobID|Submit|Start|End|Elapsed|NCPUS|State
1|2026-10-25T01:00:00|2026-10-25T02:50:00|2026-10-25T02:10:00|00:20:00|1|COMPLETED
2|2026-10-25T01:00:00|2026-10-25T02:20:00|2026-10-25T02:50:00|01:30:00|1|COMPLETED
4|2026-10-25T01:05:00|2026-10-25T02:20:00|2026-10-25T02:50:00|00:30:00|1|COMPLETED
5|2026-10-25T02:50:00|2026-10-25T02:20:00|2026-10-25T02:40:00|00:20:00|1|COMPLETED
END
moments Europe/Berlin sacct <<'END'
1 1792882800 1792889400 1200
2 1792882800 1792887600 5400
4 1792883100 1792887600 1800
5 1792889400 1792891200 1200
unclear 1
END
# ElapsedRaw says the same, and so do the columns of fixed width and scontrol
sed -e '1s/Elapsed/ElapsedRaw/; s/00:20:00/1200/; s/01:30:00/5400/; s/00:30:00/1800/' sacct > raw
moments Europe/Berlin raw <<'END'
1 1792882800 1792889400 1200
2 1792882800 1792887600 5400
4 1792883100 1792887600 1800
5 1792889400 1792891200 1200
unclear 1
END
awk -F '|' 'NR > 1 {
	printf "JobId=%s JobName=x\n   UserId=u(1) JobState=COMPLETED\n   RunTime=%s NumCPUs=1\n", $1, $5
	printf "   SubmitTime=%s EligibleTime=%s\n   StartTime=%s EndTime=%s\n\n", $2, $2, $3, $4
}' sacct > scontrol
moments Europe/Berlin scontrol <<'END'
1 1792882800 1792889400 1200
2 1792882800 1792887600 5400
4 1792883100 1792887600 1800
5 1792889400 1792891200 1200
unclear 1
END
# A table with run times or waits, and without. 3 waited from 02:10 of the second hour; 4 has
# only its times.
cat > table.csv <<'END'
job,submit,start,end,duration,wait,cores
1,2026-10-25 01:00:00,2026-10-25 02:50:00,2026-10-25 02:10:00,1200,,1
2,2026-10-25 01:00:00,2026-10-25 02:20:00,2026-10-25 02:50:00,5400,,1
3,2026-10-25 01:50:00,2026-10-25 02:20:00,2026-10-25 02:50:00,1800,5400,1
4,2026-10-25 01:50:00,2026-10-25 02:20:00,2026-10-25 02:50:00,,,1
5,2026-10-25 02:50:00,2026-10-25 02:20:00,2026-10-25 02:40:00,,,1
6,2026-10-25T02:50:00+01:00,2026-10-25 02:55:00,2026-10-25 02:56:00,,,1
END
moments Europe/Berlin table.csv <<'END'
1 1792882800 1792889400 1200
2 1792882800 1792887600 5400
3 1792885800 1792891200 1800
4 1792885800 1792887600 1800
5 1792889400 1792891200 1200
6 1792893000 1792893300 60
unclear 1
END
# without a zone they are interpreted as UTC, with a message
"$lxfw" import --out out.swf table.csv 2> told || fail "a table without a zone: $(cat told)"
grep -q 'local times interpreted as UTC: in 6 records' told || fail "a table: $(cat told)"
grep -q '^; Note: times were local and are taken for UTC$' out.swf || fail "a table: no note"

# Berlin, 2026-03-29: 02:00 became 03:00 at 1774746000. Job 1 ran for an hour, though clocks
# show two; 2 has a time that did not occur.
cat > spring <<'END'
JobID|Submit|Start|End|Elapsed|NCPUS|State
1|2026-03-29T01:00:00|2026-03-29T01:30:00|2026-03-29T03:30:00|01:00:00|1|COMPLETED
2|2026-03-29T01:00:00|2026-03-29T02:30:00|2026-03-29T04:30:00|01:00:00|1|COMPLETED
END
moments Europe/Berlin spring <<'END'
1 1774742400 1774744200 3600
2 1774742400 1774747800 3600
skipped 1
END

# New York, 2026-11-01: 02:00 became 01:00 at 1793512800.
cat > york <<'END'
JobID|Submit|Start|End|Elapsed|NCPUS|State
1|2026-11-01T00:30:00|2026-11-01T01:50:00|2026-11-01T01:10:00|00:20:00|1|COMPLETED
2|2026-11-01T00:40:00|2026-11-01T01:30:00|2026-11-01T02:30:00|02:00:00|1|COMPLETED
3|2026-11-01T00:50:00|2026-11-01T01:30:00|2026-11-01T02:30:00|01:00:00|1|COMPLETED
END
moments America/New_York york <<'END'
1 1793507400 1793512200 1200
2 1793508000 1793511000 7200
3 1793508600 1793514600 3600
clear
END

# Lord Howe Island, 2026-04-05: 02:00 became 01:30 at 1775314800, and on 2026-10-04 02:00 became
# 02:30 at 1791041400.
cat > howe <<'END'
JobID|Submit|Start|End|Elapsed|NCPUS|State
1|2026-04-05T01:00:00|2026-04-05T01:50:00|2026-04-05T01:40:00|00:20:00|1|COMPLETED
2|2026-04-05T01:00:00|2026-04-05T01:40:00|2026-04-05T01:50:00|00:40:00|1|COMPLETED
3|2026-04-05T01:00:00|2026-04-05T01:40:00|2026-04-05T02:10:00|00:30:00|1|COMPLETED
4|2026-04-05T01:00:00|2026-04-05T01:40:00|2026-04-05T01:50:00|00:10:00|1|COMPLETED
5|2026-10-04T01:00:00|2026-10-04T01:50:00|2026-10-04T02:40:00|00:20:00|1|COMPLETED
END
moments Australia/Lord_Howe howe <<'END'
1 1775311200 1775314200 1200
2 1775311200 1775313600 2400
3 1775311200 1775315400 1800
4 1775311200 1775313600 600
5 1791037800 1791040800 1200
unclear 1
END

finish
