# SPDX-License-Identifier: GPL-2.0-or-later
#
# Draws an SVG panel for each node of a chart: the running jobs on the processors of the
# node, from the bottom up, each with the height of its share. Time increases to the
# right.
#
#	awk -v times=FILE -v title=TEXT -v y=Y -v most=SECONDS [-v fixed=1] \
#		-f shares-chart.awk JOBS SHARES
#
# JOBS has the columns name, node (n1 of 2 processors, n2 of 64) and, as the seventh,
# "rigid" for rigid jobs. SHARES has name, second, processors, with the lines of a job
# in the order of time. `times` has name, submission, start, end. Panels are below each
# other from Y on, SECONDS wide. Rigid jobs are at the bottom, with a frame, so that
# their position does not change. With `fixed`, all jobs are rigid, none has a frame,
# and each is on the lowest processors that are free when it starts.

function colour(job)
{
	return substr("#56b4e9#e69f00#009e73#cc79a7#bbbbbb#d55e00#aab4ff#f0e442#7fb800", number[job] * 7 + 1, 7)
}

function text(x, at, size, words)
{
	printf "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\">%s</text>\n", x, at, size, words
}

# Draw the share of a job since its last change, and record the largest area. For a
# moment after a change, a job that has grown may report it before another one that has
# shrunk. Parts outside of the panel are clipped.
function finish(job, to,  from, high, low, area)
{
	from = since[job]
	low = total - base[job]
	high = low - held[job] > 0 ? low - held[job] : 0
	if (held[job] && low > high && to > from) {
		printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" fill=\"%s\"%s><title>%s: %d processors</title></rect>\n",
			70 + from * second, y + high * scale, (to - from) * second, (low - high) * scale, colour(job),
			!fixed && adapts[job] == "rigid" ? " stroke=\"black\"" : "", job, held[job]
		area = (low - high) * (to - from)
		if (area > largest[job]) {
			largest[job] = area
			label[job] = sprintf("%.1f %.1f", 66 + (from + to) / 2 * second, y + (low + high) / 2 * scale + 4)
		}
	}
	held[job] = 0
}

# From TIME on, the job has PROCS processors, beginning with processor AT.
function change(job, time, procs, at)
{
	if (procs == held[job] && (procs == 0 || at == base[job]))
		return
	finish(job, time)
	held[job] = procs
	base[job] = at
	since[job] = time
}

function procs_at(job, time)
{
	while (now[job] < steps[job] && when[job, now[job]] <= time)
		now[job]++
	return now[job] && time < end[job] ? has[job, now[job] - 1] : 0
}

# Stack the jobs.
function stack(host, time,  k, at, procs)
{
	at = 0
	for (k = 0; k < count[host]; k++) {
		procs = procs_at(order[k, host], time)
		change(order[k, host], time, procs, at)
		at += procs
	}
}

# Return the lowest free processors.
function lowest(host, procs,  k, at, other, moved)
{
	at = 0
	do {
		moved = 0
		for (k = 0; k < count[host]; k++) {
			other = order[k, host]
			if (held[other] && at < base[other] + held[other] && base[other] < at + procs) {
				at = base[other] + held[other]
				moved = 1
			}
		}
	} while (moved)
	return at
}

# Keep each job at its first position.
function keep(host, time,  k, job, procs)
{
	for (k = 0; k < count[host]; k++)
		if (procs_at(order[k, host], time) == 0)
			change(order[k, host], time, 0, 0)
	for (k = 0; k < count[host]; k++) {
		job = order[k, host]
		procs = procs_at(job, time)
		if (procs && !held[job])
			change(job, time, procs, lowest(host, procs))
	}
}

function panel(host,  m, k, job, f)
{
	printf "<rect x=\"70\" y=\"%d\" width=\"720\" height=\"%d\" fill=\"#f4f4f4\"/>\n", y, total * scale
	for (m = 0; m < moments; m++) {
		if (fixed)
			keep(host, moment[m])
		else
			stack(host, moment[m])
	}
	for (k = 0; k < count[host]; k++) {
		job = order[k, host]
		if (!(job in label))
			continue
		split(label[job], f, " ")
		text(f[1], f[2], 12, job)
	}
	text(10, y + total * scale / 2, 11, host ": " total)
	y += total * scale + 10
}

function axis(above,  i)
{
	for (i = 0; i <= most; i += most / 6) {
		printf "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#999999\" stroke-dasharray=\"2 3\"/>\n",
			70 + i * second, above, 70 + i * second, y - 6
		text(66 + i * second, y + 6, 10, i " s")
	}
}

function sort_moments(  i, j, m)
{
	for (i = 1; i < moments; i++) {
		m = moment[i]
		for (j = i; j > 0 && moment[j - 1] > m; j--)
			moment[j] = moment[j - 1]
		moment[j] = m
	}
}

NR == FNR {
	k = count[$2]++
	for (; $7 == "rigid" && k > 0; k--)
		order[k, $2] = order[k - 1, $2]
	order[k, $2] = $1
	number[$1] = jobs++
	adapts[$1] = $7
	next
}

{
	# its share from this time on
	when[$1, steps[$1]] = $2
	has[$1, steps[$1]++] = $3
	moment[moments++] = $2
}

END {
	second = 720 / most
	while ((getline line <times) > 0) {
		split(line, f, " ")
		end[f[1]] = f[4]
		moment[moments++] = f[4]
	}
	sort_moments()
	text(10, y, 14, title)
	y += 8
	top = y
	total = 2
	scale = 24
	panel("n1")
	total = 64
	scale = 3
	panel("n2")
	axis(top)
}
