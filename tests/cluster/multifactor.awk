# SPDX-License-Identifier: GPL-2.0-or-later
#
# What concerned priorities, from a log of slurmctld with DebugFlags=Priority and
# SlurmctldDebug=debug2, in the order in which it happened; for the program multifactor.
# LAST: when priorities were calculated last. Read twice: awk ... LOG LOG.

# The number behind WORDS in the line.
function number_after(words,    text)
{
	if (!match($0, words))
		return ""
	text = substr($0, RSTART + RLENGTH)
	sub(/[^0-9.e+].*/, "", text)
	sub(/\.$/, "", text)
	return text
}

# What the controller computed since the last event, which the model computes at once.
function flush(    i)
{
	for (i = 1; i <= expected_count; i++)
		print expected[i]
	expected_count = 0
	for (i = 1; i <= raw_count; i++)
		print "raw", raw_name[i], raw[raw_name[i]]
	for (i = 1; i <= raw_count; i++)
		delete raw[raw_name[i]]
	raw_count = 0
}

function take_usage(    name)
{
	match($0, /new usage to assoc [0-9]+ \([^)]*\)?[^ ]* raw/)
	name = $0
	sub(/.*new usage to assoc [0-9]+ \(/, "", name)
	sub(/\) raw usage is now.*/, "", name)
	# users in one partition only are not told by their names
	if (name !~ /\/\(null\)$/)
		return
	sub(/\/\(null\)$/, "", name)
	sub(/\(null\)/, "-", name)
	sub(/\//, " ", name)
	if (!(name in raw))
		raw_name[++raw_count] = name
	raw[name] = number_after("raw usage is now ")
}

FNR == 1 { pass++ }

/Decay factor over / {
	time += number_after("Decay factor over ")
	if (pass == 2) {
		flush()
		print "step", time
	}
}

# The first calculation, LAST less what passed since.
pass == 2 && FNR == 1 { time = last - time }

pass < 2 { next }

/No last decay/ {
	flush()
	print "step", time
}

function submit(job)
{
	flush()
	if (!(job in submitted))
		print "submit", job
	submitted[job] = 1
}

/initial priority for job / {
	job = number_after("initial priority for job ")
	submit(job)
	expected[++expected_count] = "priority " job " " number_after("initial priority for job [0-9]+ is ")
}

/priority for job [0-9]+ is now / {
	job = number_after("priority for job ")
	expected[++expected_count] = "priority " job " " number_after("priority for job [0-9]+ is now ")
}

/JobId=[0-9]+ multi-partition priorities: / {
	job = number_after("JobId=")
	if (!(job in submitted))
		submit(job)
	names = $0
	sub(/.*multi-partition priorities: /, "", names)
	count = split(names, pairs, ", ")
	for (i = 1; i <= count; i++) {
		split(pairs[i], pair, "=")
		expected[++expected_count] = "in " job " " pair[1] " " pair[2]
	}
}

/Allocate JobId=|[sS]tarted JobId=/ {
	flush()
	print "start", number_after("JobId=")
}

# The second one comes too, but without limits it is the only one.
/priority_p_job_end: called for job |_job_complete: JobId=[0-9]+ done/ {
	job = number_after("called for job |_job_complete: JobId=")
	flush()
	if (!(job in ended))
		print "end", job
	ended[job] = 1
}

/new usage to assoc / { take_usage() }

/_slurm_rpc_get_priority_factors / {
	flush()
	print "sprio"
}

/_slurm_rpc_get_shares / {
	flush()
	print "sshare"
}

END { flush() }
