# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints the results of slurm-testsuite, RESULTS/CONFIGURATION.tsv of each configuration,
# as a table, and below it the reasons of what did not pass. The first file is that of
# stock. If a test was repeated, its last result counts. Exit status 1: another
# configuration is worse than stock in some test.

BEGIN { FS = "\t" }

FNR == 1 {
	name = FILENAME
	gsub(/^.*\/|\.tsv$/, "", name)
	names[++configurations] = name
}

{
	key = $1 SUBSEP configurations
	if (!($1 in known)) {
		known[$1] = 1
		tests[++count] = $1
	}
	result[key] = $2
	passed[key] = $3
	failed[key] = $4
	skipped[key] = $5
	reason[key] = $7
}

# The result with the number of subtests, where a test has any.
function cell(key,	total)
{
	if (!(key in result))
		return "not run"
	total = passed[key] + failed[key] + skipped[key]
	if (total == 0)
		return result[key]
	if (failed[key])
		return result[key] ", " failed[key] " of " total
	if (skipped[key])
		return result[key] ", " skipped[key] " of " total
	return result[key] ", " total
}

# Worse than stock: it passes or is skipped there, or has fewer failed or more passed
# subtests.
function worse(test, i,		key, stock)
{
	key = test SUBSEP i
	stock = test SUBSEP 1
	if (!(key in result) || !(stock in result))
		return 0
	if (result[key] != "fail")
		return result[stock] == "pass" && result[key] == "skip"
	return result[stock] != "fail" || failed[key] > failed[stock] || passed[key] < passed[stock]
}

END {
	line = "| test |"
	rule = "|---|"
	for (i = 1; i <= configurations; i++) {
		line = line " " names[i] " |"
		rule = rule "---|"
	}
	print line
	print rule
	for (t = 1; t <= count; t++) {
		line = "| " tests[t] " |"
		for (i = 1; i <= configurations; i++) {
			line = line " " cell(tests[t] SUBSEP i) " |"
			sum[i, result[tests[t], i]]++
		}
		print line
	}
	print ""
	for (t = 1; t <= count; t++)
		for (i = 1; i <= configurations; i++)
			if (result[tests[t], i] ~ /fail|skip/)
				print "- " tests[t] ", " names[i] ": " reason[tests[t], i]
	print ""
	for (i = 1; i <= configurations; i++)
		printf "%s: %d passed, %d failed, %d skipped\n", names[i],
			sum[i, "pass"], sum[i, "fail"], sum[i, "skip"]
	for (t = 1; t <= count; t++)
		for (i = 2; i <= configurations; i++)
			if (worse(tests[t], i)) {
				print "worse than stock: " tests[t] ", " names[i]
				status = 1
			}
	exit status
}
