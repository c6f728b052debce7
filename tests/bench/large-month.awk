# SPDX-License-Identifier: GPL-2.0-or-later
#
# Generates one month of a large cluster in the Standard Workload Format: 55,000 jobs on
# 93,312 processors, the size of CEA's Curie. The workload is synthetic. Users submit
# the same job several times, most jobs are small and some are wide, and fewer jobs are
# submitted at night and on weekends. Run times are scaled so that the offered load is
# DEMAND.
#
#	awk [-v demand=0.9] [-v seed=1] -f large-month.awk > month.swf

# The minimal standard generator of Park and Miller. Every product is below 2^53.
function uniform()
{
	state = state * 16807 % 2147483647
	return state / 2147483647
}

# Return a random integer from 0 to N - 1.
function below(n)
{
	return int(uniform() * n)
}

function normal(    i, sum)
{
	for (i = 0; i < 12; i++)
		sum += uniform()
	return sum - 6
}

# Return a submit time: a Poisson process thinned by hour and day.
function arrival(    time, hour, weight)
{
	do {
		time = below(month)
		hour = int(time / 3600) % 24
		weight = hour < 7 || hour > 20 ? 0.35 : 1
		if (int(time / 86400) % 7 > 4)
			weight *= 0.4
	} while (uniform() > weight)
	return time
}

function power_of_two(low, high)
{
	return 2 ^ (low + below(high - low + 1))
}

function processors(    kind)
{
	kind = uniform()
	if (kind < 0.22)
		return 1
	if (kind < 0.55)
		return 1 + below(32)
	if (kind < 0.80)
		return power_of_two(4, 9)
	if (kind < 0.97)
		return 16 * (4 + below(124))
	if (kind < 0.995)
		return power_of_two(11, 13)
	return 1024 * (10 + below(30))
}

# Return the requested time: a round number, most often the limit of the queue.
function limit_of(run,    i)
{
	for (i = 1; i < limits && limit[i] < run * 1.2; i++)
		;
	if (uniform() < 0.5)
		i += below(limits - i + 1)
	return limit[i > limits ? limits : i]
}

BEGIN {
	month = 30 * 86400
	procs = 93312
	jobs = 55000
	demand = demand ? demand : 0.9
	state = seed ? seed : 1
	for (i = 0; i < 20; i++)
		uniform()
	limits = split("600 1800 3600 7200 14400 28800 43200 86400 259200", limit)

	campaign = 0
	for (count = 0; count < jobs;) {
		time = arrival()
		width = processors()
		typical = exp(6.6 + 1.9 * normal())
		repeat = uniform() < 0.4 ? 1 : 1 + int(-log(uniform()) * 8)
		longest = typical * 3
		if (longest > limit[limits])
			longest = limit[limits]
		asked = 0
		for (i = 0; i < repeat && count < jobs; i++) {
			run[count] = typical * exp(0.5 * normal())
			if (uniform() < 0.12)	# the job fails early
				run[count] = 1 + below(60)
			if (run[count] > longest)
				run[count] = longest
			submit[count] = int(time)
			wide[count] = width
			user[count] = campaign
			area += run[count] * width
			count++
			time += uniform() < 0.5 ? below(10) : below(3600)
			if (time >= month)
				time = month - 1
		}
		most[campaign++] = longest
	}
	scale = demand * month * procs / area

	# counting sort by submit time
	for (i = 0; i < jobs; i++)
		chain[i] = -1
	for (i = jobs - 1; i >= 0; i--) {
		chain[i] = submit[i] in first ? first[submit[i]] : -1
		first[submit[i]] = i
	}
	for (i = 0; i < campaign; i++)
		asked_of[i] = limit_of(most[i] * scale)
	print "; Computer: made up, of the size of CEA Curie"
	printf "; MaxProcs: %d\n", procs
	for (time = 0; time < month; time++) {
		if (!(time in first))
			continue
		for (i = first[time]; i >= 0; i = chain[i]) {
			seconds = int(run[i] * scale) + 1
			if (seconds > asked_of[user[i]])
				seconds = asked_of[user[i]]
			printf "%d %d -1 %d %d -1 -1 %d %d -1 1 %d 1 1 1 1 -1 -1\n",
				++number, time, seconds, wide[i], wide[i],
				asked_of[user[i]], user[i] % 300 + 1
		}
	}
}
