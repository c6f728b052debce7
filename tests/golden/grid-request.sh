#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `lxfw grid request`: the example of the thesis, offers computed by hand, and messages.
. "${LXFW_TOP_SRCDIR:-.}/tests/golden/golden.sh" || exit 99

# offers FILE OPTIONS: standard input has "SITE:PROCS+... START END COST UTILITY HOPS" lines
offers()
{
	file=$1
	shift
	"$lxfw" grid request --json "$@" "$file" > "$work/json" 2> "$work/messages" ||
		fail "request $*: exit status $?: $(cat "$work/messages")"
	python3 - "$work/json" > "$work/is" << 'END' || fail "request $*: $(cat "$work/json")"
import json, sys
for offer in json.load(open(sys.argv[1]))['offers']:
    print('+'.join('%s:%d' % (part['site'], part['procs']) for part in offer['resources']),
          offer['start'], offer['end'], '%g' % offer['job_cost'], '%g' % offer['utility'],
          offer['hops'])
END
	diff -u - "$work/is" > "$work/diff" || fail "request $*: $(cat "$work/diff")"
}

# --- the example ------------------------------------------------------------------------------

# At `here', element 1 does not hold, and element 2 needs 8 processors for 9 s at 2 a second and
# processor. At `there' element 1 holds.
example=$golden/../fuzz/corpus/nwire/thesis
sed 's/"MaxOfferNumber" {0}/"MaxOfferNumber" {9}/' "$example" > "$work/all"
offers "$work/all" --at 899950 << 'END'
here:8 900000 900009 144 -144 0
there:8 900000 900005 40 -900000 1
END
# MaxOfferNumber 0: the best one. In text it is an offer in the language.
offers "$example" --at 899950 << 'END'
here:8 900000 900009 144 -144 0
END
"$lxfw" grid request --at 899950 "$example" > "$work/offer" 2> "$work/messages" ||
	fail "$(cat "$work/messages")"
grep -q '^  KEY "JobCost" {VALUE "JobCost" {144}}$' "$work/offer" || fail "$(cat "$work/offer")"
"$lxfw" grid request "$work/offer" > "$work/out" 2> "$work/messages"
grep -q "offer:1:1: OFFER, expected REQUEST or MASCHINE" "$work/messages" ||
	fail "an offer is not read as one: $(cat "$work/messages")"
# Costs of the offer above the budget, no hops.
sed 's/"OfferBudget" {100.00}/"OfferBudget" {1}/' "$work/all" > "$work/budget"
offers "$work/budget" --at 899950 << 'END'
here:8 900000 900009 144 -144 0
END
sed 's/"HOPS" {2}/"HOPS" {0}/' "$work/all" > "$work/hops"
offers "$work/hops" --at 899950 --from there << 'END'
there:8 900000 900005 40 -900000 0
END
sed 's/{900.89}/{143}/' "$work/all" > "$work/budget"
offers "$work/budget" --at 899950 << 'END'
there:8 900000 900005 40 -900000 1
END

# --- timetables -----------------------------------------------------------------------------

# s1 has 2 of 4 processors in use until 100, and 4 from 120 to 150, planned at 5. Job 9 was
# submitted later. The job of 3 processors and 20 s fits from 100 to 120, or from 150 on.
cat > "$work/jobs.csv" << 'END'
job_id,submit,start,end,wait,run,procs,home,sites
1,0,0,100,0,100,2,s1,s1:2
2,5,120,150,115,30,6,s1,s1:4+s2:2
3,5,6,9,1,3,4,s2,s2:4
9,50,150,900,100,750,4,s1,s1:4
END
request()
{
	printf 'REQUEST "r" {\nKEY "Job" {\n%s\n}\n}\n' "$*" > "$work/request"
}
request 'VALUE "NumberOfProcessors" {3} VALUE "RunTime" {20} VALUE "MaxOfferNumber" {1}
VALUE "Hops" {0}'
# Price: 60, and the fourth processor beside it, which is free for 100 s before in any case.
offers "$work/request" --sites 4,4 --jobs "$work/jobs.csv" --at 10 --starts 1 \
	--machine NumberOfProcessors*RunTime+left_right << 'END'
s1:3 100 120 80 -100 0
END
# A job follows another one at once, on the processor that was free for the shortest time: the other
# one is free from 50 on.
cp "$work/jobs.csv" "$work/all.csv"
printf '1,0,0,50,0,50,1,s1,s1:1\n2,0,0,100,0,100,1,s1,s1:1\n3,0,100,200,100,100,1,s1,s1:1\n' \
	> "$work/jobs.csv"
request 'VALUE "NumberOfProcessors" {1} VALUE "RunTime" {60}'
offers "$work/request" --sites 2 --jobs "$work/jobs.csv" --at 10 --offers 1 --machine 1 << 'END'
s1:1 50 110 1 -50 0
END
printf '1,0,0,100,0,100,2,s1,s1:2\n2,0,100,150,0,50,2,s1,s1:2\n' > "$work/jobs.csv"
offers "$work/request" --sites 2 --jobs "$work/jobs.csv" --at 10 --offers 1 --machine 1 << 'END'
s1:1 150 210 1 -150 0
END
mv "$work/all.csv" "$work/jobs.csv"
# With an end, and three starts in the window from 150 to 190 of the second one.
request 'VALUE "NumberOfProcessors" {3} VALUE "RunTime" {20} VALUE "EndTime" {190}
VALUE "UtilityValue" {StartTime} VALUE "MaxOfferNumber" {1} VALUE "Hops" {0}'
offers "$work/request" --sites 4,4 --jobs "$work/jobs.csv" --at 10 --starts 3 \
	--machine RunTime << 'END'
s1:3 170 190 20 170 0
END
# Messages take 5 s: the other site knows at 25 that it is accepted, the home at 20.
request 'VALUE "NumberOfProcessors" {2} VALUE "RunTime" {20} VALUE "MaxOfferNumber" {2}'
offers "$work/request" --sites 2,2 --at 10 --delay 5 --machine 1 --offers 1 << 'END'
s1:2 20 40 1 -20 0
s2:2 25 45 1 -25 1
END
request 'VALUE "NumberOfProcessors" {2} VALUE "RunTime" {20} VALUE "MaxOfferNumber" {2}
VALUE "ReservationTime" {24}'
offers "$work/request" --sites 2,2 --at 10 --delay 5 --machine 1 --offers 1 << 'END'
s1:2 20 40 1 -20 0
END
request 'VALUE "NumberOfProcessors" {2} VALUE "RunTime" {20} VALUE "SearchTime" {19}'
offers "$work/request" --sites 2,2 --at 10 --delay 5 --machine 1 --offers 1 << 'END'
s1:2 10 30 1 -10 0
END
# Several sites, 5 of 4 and 4 processors: four and one, at least two, at most three.
request 'VALUE "NumberOfProcessors" {5} VALUE "RunTime" {20}'
offers "$work/request" --sites 4,4 --machine NumberOfProcessors << 'END'
s1:4+s2:1 0 20 5 0 1
END
# In time until the end, and not before it.
request 'VALUE "NumberOfProcessors" {5} VALUE "RunTime" {20} VALUE "EndTime" {20}'
offers "$work/request" --sites 4,4 --machine NumberOfProcessors << 'END'
s1:4+s2:1 0 20 5 0 1
END
request 'VALUE "NumberOfProcessors" {5} VALUE "RunTime" {20} VALUE "MaxMulti-Site" {3}'
offers "$work/request" --sites 4,4 --machine NumberOfProcessors << 'END'
s1:3+s2:2 0 20 5 0 1
END
# A site with just the least number of processors takes part.
request 'VALUE "NumberOfProcessors" {5} VALUE "RunTime" {20} VALUE "MinMulti-Site" {1}'
offers "$work/request" --sites 4,1 --machine NumberOfProcessors << 'END'
s1:4+s2:1 0 20 5 0 1
END
# The values of such an offer: hops of the farthest site, which is first here; the idle areas of all
# sites, 20 at s2 and none at s1; and the utilization of all, 5 of 6 processors.
request 'VALUE "NumberOfProcessors" {5} VALUE "RunTime" {20} VALUE "UtilityValue" {-Hops - 10 * Sites}'
offers "$work/request" --sites 2,4 --machine NumberOfProcessors << 'END'
s2:4+s1:1 0 20 5 -21 1
END
request 'VALUE "NumberOfProcessors" {5} VALUE "RunTime" {20} VALUE "MaxMulti-Site" {3}
VALUE "UtilityValue" {left_right + 6 * utilization}'
offers "$work/request" --sites 2,4 --machine NumberOfProcessors << 'END'
s2:3+s1:2 0 20 5 25 1
END
request 'VALUE "NumberOfProcessors" {5} VALUE "RunTime" {20}'
"$lxfw" grid request --several never --sites 4,4 "$work/request" > "$work/out" \
	2> "$work/messages"
[ $? -eq 1 ] || fail 'no offers: exit status is not 1'
grep -q 'request r: no offers' "$work/messages" || fail "$(cat "$work/messages")"
# The user chooses on a terminal.
if command -v script > /dev/null; then
	request 'VALUE "NumberOfProcessors" {2} VALUE "RunTime" {20}'
	{ echo 7; echo 2; } | script -qec "'$lxfw' grid request --sites 2,2 --offers 1 \
		--machine 1 '$work/request'" /dev/null > "$work/out" 2>&1 ||
		fail "on a terminal: $(cat "$work/out")"
	[ "$(grep -o 'Offer 1 to 2, 0 for none' "$work/out" | wc -l)" -eq 2 ] ||
		fail "on a terminal: $(cat "$work/out")"
	[ "$(grep -c '^OFFER "r-2"' "$work/out")" -eq 2 ] ||
		fail "on a terminal: $(cat "$work/out")"
fi

# --- conditions --------------------------------------------------------------------------------

# alternative CONDITION: the utility of the request at a site with Memory 8 and a Colour
alternative()
{
	cat > "$work/request" << END
REQUEST "r" {
  KEY "Job" {VALUE "NumberOfProcessors" {2} VALUE "RunTime" {6} VALUE "Want" {3}}
  KEY "Utility" {
    ELEMENT 1 {CONDITION {$1} VALUE "UtilityValue" {1}}
    ELEMENT 2 {VALUE "UtilityValue" {2}}
  }
}
MASCHINE "m" {
  KEY "Values" {VALUE "NumberOfProcessors" {4} VALUE "Memory" {2 * 4}
    VALUE "Colour" {"red"} VALUE "Objective" {$2}}
}
END
	"$lxfw" grid request --json --offers 1 "$work/request" > "$work/json" \
		2> "$work/messages" || fail "$1: $(cat "$work/messages")"
	python3 -c 'import json, sys
offer = json.load(open(sys.argv[1]))["offers"][0]
print("%g %g" % (offer["utility"], offer["job_cost"]))' "$work/json"
}
while read -r expected price formula condition; do
	is=$(alternative "$condition" "$formula")
	[ "$is" = "$expected $price" ] || fail "$condition, $formula: $is"
done << 'END'
1 1 1 (Memory == 8)
2 1 1 (Memory > 8)
1 1 1 (memory >= Want + 5)
1 1 1 (Colour EQ "red")
2 1 1 (Colour NE "red")
2 1 1 (Colour == 3)
2 1 1 (Size < 3)
2 1 1 (Size >= 3)
1 1 1 (ISNDEF Size)
1 1 1 (ISDEF Want)
1 1 1 (NOT (ISDEF Size))
1 1 1 (Memory == 9) || (Memory == 8) && (ISDEF Colour)
2 1 1 ((Memory == 9) || (Memory == 8)) && (ISNDEF Colour)
1 1 1 (Memory == 8) || (Memory == 9) && (ISNDEF Colour)
1 1 1 (NOT (Memory == 9)) && (Memory == 8)
2 1 1 (NumberOfProcessors != 2)
1 13 1+RunTime*NumberOfProcessors (Speed==1)
1 7 -3+2*5 (Speed<=1)
1 2 17%5 (Speed>=1)
1 2 SQRT(16)/-(-2) (Speed>=1)
1 1 LOG(EXP(1)) (Speed>=1)
1 8 Memory (Speed>=1)
1 1.5e+40 1.5E+40 (Speed>=1)
1 2e+300 2E+300 (Speed>=1)
1 1.25e-40 1.25E-40 (Speed>=1)
1 1.23457e-12 1.23456789012345E-12 (Speed>=1)
1 2.34e+20 2.34E+20 (Speed>=1)
1 3 3E+30/1E+30 (Speed>=1)
END

# --- messages ------------------------------------------------------------------------------------

# bad EXPECTED TEXT: exit status 2, the place and EXPECTED in the message, no output
bad()
{
	printf "$2" > "$work/request"
	"$lxfw" grid request --sites 4,4 "$work/request" > "$work/out" 2> "$work/messages"
	[ $? -eq 2 ] || fail "$2: exit status is not 2"
	grep -q -e "request:$1" "$work/messages" || fail "$2: $(cat "$work/messages")"
	[ ! -s "$work/out" ] || fail "$2: output"
}

# job TEXT: a request with the values 2 and 10
job_with()
{
	printf 'REQUEST "r" {\\n KEY "k" { VALUE "NumberOfProcessors" {2} VALUE "RunTime" {10}\\n'
	printf '%s' "$1 } }"
}

bad '1:1: the file ends, expected REQUEST, MASCHINE or OFFER' ''
bad "1:1: 'WANTED', expected REQUEST" 'WANTED "r" {}'
bad "1:9: 'r', expected an id in quotes" 'REQUEST r {}'
bad '1:9: the string does not end in its line' 'REQUEST "r {\n}'
bad "1:14: '}', expected KEY" 'REQUEST "r" {}'
bad "2:11: '}', expected ELEMENT or VALUE" 'REQUEST "r" {\n KEY "k" {}\n}'
bad "2:11: 'VALUE', expected '{'" 'REQUEST "r" {\n KEY "k"  VALUE "v" {1} }'
bad "3:27: '}', expected a number, a name" "$(job_with ' VALUE "EndTime" {20 + 4 *}')"
bad "3:21: ';', expected a word" "$(job_with ' VALUE "EndTime" {20;}')"
bad "3:19: '1.2.3', expected a number" "$(job_with ' VALUE "EndTime" {1.2.3}')"
bad '3:17: the file ends, expected an operator' 'REQUEST "r" {\n KEY "k" {\n VALUE "v" {1+(2'
bad "1:46: '==', expected a name, NOT, ISDEF" \
	'REQUEST "r" {KEY "k" {ELEMENT 1 {CONDITION {(== 3)} VALUE "v" {1}}}}'
bad "1:48: '=', expected a word" \
	'REQUEST "r" {KEY "k" {ELEMENT 1 {CONDITION {(a = 3)} VALUE "v" {1}}}}'
bad "1:31: '1.5', expected the number" 'REQUEST "r" {KEY "k" {ELEMENT 1.5 {VALUE "v" {1}}}}'
# What contradicts itself.
bad "3:2: the value 'RUNTIME' is given in line 2 too" "$(job_with ' VALUE "RUNTIME" {9}')"
bad "3:1: the key 'K' is given in line 2 too" \
	'REQUEST "r" {\nKEY "k" {VALUE "a" {1}}\nKEY "K" {VALUE "b" {1}}}'
bad "3:1: the element 4 is given in line 2 too" \
	'REQUEST "r" {KEY "k" {\nELEMENT 4 {VALUE "a" {1}}\nELEMENT 4 {VALUE "a" {1}}}}'
bad "2:1: 'm' is given in line 1 too" \
	'MASCHINE "m" {KEY "k" {VALUE "a" {1}}}\nMASCHINE "m" {KEY "k" {VALUE "a" {1}}}'
bad "1:58: the condition on 'B' contradicts that of line 1, column 46" \
	'REQUEST "r" {KEY "k" {ELEMENT 1 {CONDITION {(b <= 3) && (B > 3)} VALUE "v" {1}}}}'
bad "1:61: the condition on 'b' contradicts" \
	'REQUEST "r" {KEY "k" {ELEMENT 1 {CONDITION {((b EQ "x") && (b EQ "y"))} VALUE "v" {1}}}}'
bad "1:72: the condition on 'b' contradicts" \
	'REQUEST "r" {KEY "k" {ELEMENT 1 {CONDITION {(a < 1) || ((ISNDEF b) && (b > 1))}
VALUE "v" {1}}}}'
bad '3:2: EndTime is 0, expected more than the time of the request, 0' \
	"$(job_with ' VALUE "EndTime" {0}')"
bad '2:43: RunTime is 10, expected at most the time from StartTime to EndTime, 9' \
	"$(job_with ' VALUE "EndTime" {9}')"
bad '3:2: MinMulti-Site is 3, expected at most MaxMulti-Site, 2' \
	"$(job_with ' VALUE "MinMulti-Site" {3} VALUE "MaxMulti-Site" {2}')"
bad '3:2: SearchTime is -1, expected at least the time of the request, 0' \
	"$(job_with ' VALUE "SearchTime" {-1}')"
bad '3:2: ReservationTime is -1, expected at least the time of the request' \
	"$(job_with ' VALUE "ReservationTime" {-1}')"
bad '3:2: JobBudget is -1, expected 0 or more' "$(job_with ' VALUE "JobBudget" {-1}')"
bad '3:2: Hops is 1.5, expected a whole number' "$(job_with ' VALUE "Hops" {1.5}')"
bad "3:19: 'a' is not defined, expected a value" "$(job_with ' VALUE "EndTime" {a}')"
bad "3:.*'b' is defined by itself" "$(job_with ' VALUE "EndTime" {b} VALUE "b" {b + 1}')"
bad "2:.*'NumberOfProcessors' is defined by itself" 'REQUEST "r" {KEY "k" {VALUE "RunTime" {9}
VALUE "NumberOfProcessors" {NumberOfProcessors}}}'
bad "2:.*'[A-Za-z]*' is defined by itself" 'REQUEST "r" {KEY "k" {VALUE "RunTime" {9}
VALUE "NumberOfProcessors" {a} VALUE "a" {NumberOfProcessors + 1}}}'
bad "3:2: EndTime is inf, expected a whole number" \
	"$(job_with ' VALUE "EndTime" {1E+308 * 10}')"
bad "3:2: 'EndTime' is a text, expected a number" "$(job_with ' VALUE "EndTime" {"x"}')"
bad '3:2: the value has no result, expected a number: division by zero' \
	"$(job_with ' VALUE "EndTime" {1 / 0}')"
bad '1:1: no RunTime, expected a value' \
	'REQUEST "r" {KEY "k" {VALUE "NumberOfProcessors" {1}}}'
bad '1:1: no NumberOfProcessors, expected a value or a condition' \
	'REQUEST "r" {KEY "k" {VALUE "RunTime" {1}}}'
bad "4:1: no site 'm', expected the name of a site" "$(job_with '')
MASCHINE \"m\" {KEY \"k\" {VALUE \"a\" {1}}}"
bad '2:1: a second request, expected one, or --id' \
	'REQUEST "r" {KEY "k" {VALUE "a" {1}}}\nREQUEST "s" {KEY "k" {VALUE "a" {1}}}'
bad ' request r: formula: .*division by zero' \
	"$(job_with ' VALUE "UtilityValue" {1 / under}')"
# A value that has no effect, in a key, an element and a resource, and a comparison that cannot hold
# are reported; the request is carried out.
cat > "$work/request" << 'END'
REQUEST "r" {
  KEY "Job" {VALUE "NumberOfProcessors" {2} VALUE "RunTime" {6} VALUE "Want" {3}
    VALUE "Memmory" {8} VALUE "used" {1} VALUE "UserName" {"ann"} VALUE "itself" {3}}
  KEY "Utility" {
    ELEMENT 1 {CONDITION {(OperationSystem EQ "AIX") && (Sped > 1) || (speed < Want)}
      VALUE "UtilityValue" {Used + 1} VALUE "JobBugdet" {2}}
    ELEMENT 2 {CONDITION {(NOT (ISDEF Absent))} VALUE "UtilityValue" {2}}
  }
}
MASCHINE "m" {KEY "k" {VALUE "NumberOfProcessors" {4} VALUE "ResourceID" {"m"} VALUE "Colour" {"red"}
  VALUE "Objektive" {1} VALUE "OperatingSystem" {"AIX"}}}
OFFER "o" {KEY "k" {VALUE "any" {1}}}
END
bad "3:5: the value 'Memmory' is unknown, expected Memory?" "$(cat "$work/request")"
sed -i 's/Memmory/Storage/' "$work/request"
bad "6:39: the value 'JobBugdet' is unknown, expected JobBudget?" "$(cat "$work/request")"
sed -i 's/JobBugdet/Reserve/; s/Objektive/Purpose/' "$work/request"
sed '/^OFFER/d' "$work/request" > "$work/silent"
"$lxfw" grid request --offers 1 "$work/silent" > "$work/out" 2> "$work/messages" ||
	fail "no effect: $(cat "$work/messages")"
effect="has no effect, expected an attribute of lxfw-grid-request(5), or a name that an"
effect="$effect expression or a condition has"
diff -u - "$work/messages" > "$work/diff" << END || fail "no effect: $(cat "$work/diff")"
lxfw: $work/silent:3:5: the value 'Storage' $effect
lxfw: $work/silent:3:67: the value 'itself' $effect
lxfw: $work/silent:6:39: the value 'Reserve' $effect
lxfw: $work/silent:10:80: the value 'Colour' $effect
lxfw: $work/silent:11:3: the value 'Purpose' $effect
lxfw: $work/silent:5:58: the comparison with 'Sped' never holds, expected a name that a request or a resource of the file gives a value
END
# Nothing is reported of the example, nor of an offer, which is refused.
"$lxfw" grid request --at 899950 "$example" > "$work/out" 2> "$work/messages"
[ ! -s "$work/messages" ] || fail "the example: $(cat "$work/messages")"
"$lxfw" grid request "$work/request" > "$work/out" 2> "$work/messages"
! grep -q any "$work/messages" || fail "an offer: $(cat "$work/messages")"
bad "3:2: the value 'OperationSystemEqual' is given in line 2 too" \
	"$(job_with ' VALUE "OperationSystemEqual" {1}' | sed 's/{10}/{10} VALUE "OperatingSystemEqual" {0}/')"
i=0 deep=1
while [ $i -lt 201 ]; do
	i=$((i + 1)) deep="($deep)"
done
bad '3:.*expected at most 200 levels' "$(job_with " VALUE \"x\" {$deep}")"
head -c 70000 /dev/zero | tr '\0' ' ' > "$work/long"
"$lxfw" grid request --sites 4 "$work/long" > "$work/out" 2> "$work/messages"
grep -q 'long: more than 65536 bytes, expected a shorter file' "$work/messages" ||
	fail "$(cat "$work/messages")"

# misused EXPECTED ARGUMENTS
misused()
{
	expected=$1
	shift
	"$lxfw" grid request "$@" > "$work/out" 2> "$work/messages"
	[ $? -eq 2 ] || fail "$*: exit status is not 2"
	grep -q -e "$expected" "$work/messages" || fail "$*: $(cat "$work/messages")"
}
request 'VALUE "NumberOfProcessors" {2} VALUE "RunTime" {20}'
# A named pipe, which may have no writer, is refused; standard input may be a pipe.
mkfifo "$work/pipe"
misused 'pipe: no regular file, expected a request' --sites 4,4 "$work/pipe"
cat "$work/request" | "$lxfw" grid request --sites 4,4 /dev/stdin > "$work/out" 2> "$work/messages" ||
	fail "/dev/stdin: $(cat "$work/messages")"
misused '0 files given, expected one request'
misused 'nowhere: No such file' "$work/nowhere"
misused "--from 'moon', expected the name of a site" --from moon --at 899950 "$example"
misused '--hops, --live, --budget' --hops 3 "$example"
misused 'no request other, expected REQUEST' --id other "$example"
echo '1,0,0,100,0,100,9,s1,s1:9' > "$work/jobs.csv"
misused "jobs.csv:1: 9 processors at 's1', expected a site with as many" --sites 4,4 \
	--jobs "$work/jobs.csv" "$work/request"
printf '1,0,0,100,0,100,3,s1,s1:3\n2,0,9,100,0,100,3,s1,s1:3\n' > "$work/jobs.csv"
misused 'jobs.csv:2: more processors than site' --sites 4,4 --jobs "$work/jobs.csv" \
	"$work/request"
echo '1,0' > "$work/jobs.csv"
misused 'jobs.csv:1: expected a line of lxfw grid' --sites 4,4 --jobs "$work/jobs.csv" \
	"$work/request"

finish
