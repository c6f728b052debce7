# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints the measured waits of the demo beside the simulated ones and their range over
# perturbed copies.
#
#	awk -v copies=N -v line=FILE -f demo-waits.awk ACCOUNTING SIMULATED
#
# ACCOUNTING is the output of demo-accounting.awk, SIMULATED that of `lxfw simulate
# --shake N --format csv`. A line about the mean wait is written to FILE.

# Nearest rank, as everywhere in lxfw.
function percentile(part,  rank)
{
	rank = int(part * jobs)
	if (rank < part * jobs)
		rank++
	return wait[rank]
}

function sort_waits(  i, j, w)
{
	for (i = 2; i <= jobs; i++) {
		w = wait[i]
		for (j = i; j > 1 && wait[j - 1] > w; j--)
			wait[j] = wait[j - 1]
		wait[j] = w
	}
}

function row(name, figure, measured, digits,  form)
{
	form = "%-20s %10." digits "f %10." digits "f %14." digits "f to %." digits "f\n"
	printf form, name, measured, value[figure], low[figure], high[figure]
}

BEGIN { FS = "|"; jobs = sum = 0 }

FILENAME == ARGV[1] {
	if (FNR > 1) {
		wait[++jobs] = $4 - $3
		sum += $4 - $3
	}
	next
}

{ split($0, f, ",") }

FNR == 1 {
	for (i = 1; i in f; i++)
		column[f[i]] = i
	next
}

{
	value[f[column["figure"]]] = f[column["value"]]
	low[f[column["figure"]]] = f[column["shaken_low"]]
	high[f[column["figure"]]] = f[column["shaken_high"]]
}

END {
	if (!jobs || !("mean_wait_s" in low)) {
		print "demo-waits.awk: no jobs, or no mean wait of copies" >"/dev/stderr"
		exit 2
	}
	sort_waits()
	mean = sum / jobs
	printf "%-20s %10s %10s %20s\n", "wait in s", "measured", "simulated", copies " perturbed copies"
	row("mean", "mean_wait_s", mean, 1)
	row("median", "median_wait_s", percentile(0.5), 0)
	row("95th percentile", "p95_wait_s", percentile(0.95), 0)
	row("longest", "max_wait_s", wait[jobs], 0)
	where = mean < low["mean_wait_s"] ? "below" : mean > high["mean_wait_s"] ? "above" : "within"
	printf "The measured mean is %s the range of the copies.\n", where
	printf "mean wait %.1f s measured, %.1f s simulated, %.1f to %.1f s in %d perturbed copies\n",
		mean, value["mean_wait_s"], low["mean_wait_s"], high["mean_wait_s"], copies >line
}
