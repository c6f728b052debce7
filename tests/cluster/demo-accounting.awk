# SPDX-License-Identifier: GPL-2.0-or-later
#
# Converts `scontrol -o show job` with SLURM_TIME_FORMAT=%s to the form of `sacct -P`.
#
#	awk -f demo-accounting.awk RECORDS

# "[D-]HH:MM:SS" in seconds
function seconds(words,  f, n, i, sum)
{
	n = split(words, f, /[-:]/)
	sum = n == 4 ? f[1] * 24 : 0
	sum = (sum + f[n - 2]) * 60
	return (sum + f[n - 1]) * 60 + f[n]
}

function clock(length_s)
{
	return sprintf("%02d:%02d:%02d", length_s / 3600, length_s / 60 % 60, length_s % 60)
}

BEGIN { print "JobID|JobName|Submit|Start|End|Elapsed|Timelimit|NNodes|NCPUS|ReqMem|User|State|NodeList" }

{
	split("", value)
	for (i = 1; i <= NF; i++) {
		at = index($i, "=")
		if (at && !(substr($i, 1, at - 1) in value))
			value[substr($i, 1, at - 1)] = substr($i, at + 1)
	}
	user = value["UserId"]
	sub(/\(.*/, "", user)
	memory = value["MinMemoryNode"]
	sub(/M$/, "", memory)
	if (memory ~ /G$/)
		memory *= 1024
	printf "%s|%s|%s|%s|%s|%s|%s|%s|%s|%sM|%s|%s|%s\n", value["JobId"], value["JobName"],
		value["SubmitTime"], value["StartTime"], value["EndTime"],
		clock(value["EndTime"] - value["StartTime"]), clock(seconds(value["TimeLimit"])),
		value["NumNodes"], value["NumCPUs"], memory * value["NumNodes"], user,
		value["JobState"], value["NodeList"]
}
