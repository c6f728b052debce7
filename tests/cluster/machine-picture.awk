# SPDX-License-Identifier: GPL-2.0-or-later
#
# Draws the jobs of a machine over time, from the journal of a scheduler: as text of 80
# columns, or as an SVG file. Time increases to the right. Below each other are the hosts
# with their processors, and the number of waiting jobs.
#
#	lxfw journal --format csv JOURNAL | awk [-v svg=1] [-v title=TEXT] \
#		-f machine-picture.awk
#
# A job is drawn on the lowest processors that were free on its hosts when it started,
# contiguous if possible: a journal has the number of a job's processors only.
# It needs a host, and a job that started.

BEGIN { hosts = boxes = started = waiting = longest = any = end = 0 }

# --- the journal -----------------------------------------------------------------

# "HOST up:PROCESSORS:MEMORY"
function add_host(details,  f, part)
{
	split(details, f, " ")
	if (!(f[1] in host_number)) {
		host_number[f[1]] = hosts
		host_name[hosts++] = f[1]
	}
	split(f[2], part, ":")
	if (part[2] > capacity[host_number[f[1]]])
		capacity[host_number[f[1]]] = part[2]
}

# Return the lowest processor from which PROCS are free on HOST; -1 if none is.
function contiguous(host, procs,  p, length_free)
{
	for (p = 0; p < capacity[host]; p++) {
		length_free = (host, p) in user ? 0 : length_free + 1
		if (length_free == procs)
			return p - procs + 1
	}
	return -1
}

function add_box(job, host, from, procs)
{
	box_job[boxes] = job
	box_host[boxes] = host
	box_from[boxes] = from
	box_procs[boxes] = procs
	box_start[boxes] = time
	box_end[boxes] = -1
	boxes++
}

# Put PROCS processors of JOB on HOST.
function hold(job, host, procs,  p, from)
{
	from = contiguous(host, procs)
	if (from >= 0) {
		for (p = from; p < from + procs; p++)
			user[host, p] = job
		add_box(job, host, from, procs)
		return
	}
	for (p = 0; p < capacity[host] && procs > 0; p++) {
		if ((host, p) in user)
			continue
		for (from = p; p < capacity[host] && !((host, p) in user) && procs > 0; p++) {
			user[host, p] = job
			procs--
		}
		add_box(job, host, from, p - from)
	}
}

# The job no longer has processors. REFUSED: it never had them.
function release(job, refused,  b, p)
{
	if (!(job in first_box))
		return
	for (b = first_box[job]; b < boxes; b++) {
		if (box_job[b] != job || box_end[b] != -1)
			continue
		box_end[b] = refused ? box_start[b] : time
		for (p = box_from[b]; p < box_from[b] + box_procs[b]; p++)
			delete user[box_host[b], p]
	}
	delete first_box[job]
}

function count_waiting(change)
{
	waiting += change
	waiting_change[time] = waiting
	if (waiting > most_waiting)
		most_waiting = waiting
}

function start(job, details,  f, n, i, part)
{
	if (job in pending) {
		delete pending[job]
		count_waiting(-1)
	}
	if (!(job in number))
		number[job] = started++
	wait[job] = time - submitted[job]
	release(job, 0)
	first_box[job] = boxes
	n = split(details, f, " ")
	for (i = 1; i <= n; i++)
		if (split(f[i], part, ":") >= 3 && (part[1] in host_number))
			hold(job, host_number[part[1]], part[2])
}

function wait_again(job)
{
	if (!(job in pending) && (job in submitted)) {
		pending[job] = 1
		count_waiting(1)
	}
}

{
	# time,kind,what,job,"details"
	split($0, column, ",")
	time = column[1]
	what = column[2] " " column[3]
	job = column[4]
	details = $0
	sub(/^[^"]*"/, "", details)
	sub(/"$/, "", details)
}

what == "event host" { add_host(details) }

what == "event submit" {
	if (!any++)
		begin = time
	submitted[job] = time
	wait_again(job)
}

what == "action start" || what == "action resume" || what == "action resize" { start(job, details) }

what == "action requeue" {
	release(job, 0)
	wait_again(job)
}

what == "event refused" {
	release(job, 1)
	wait_again(job)
}

what == "action suspend" { release(job, 0) }

what == "event end" {
	release(job, 0)
	if (job in pending) {
		delete pending[job]
		count_waiting(-1)
	}
	end = time
}

any { last = time }

# --- text ------------------------------------------------------------------------

function letter(job)
{
	return substr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", number[job] % 62 + 1, 1)
}

# Return the job that has the most of processors FROM to UNTIL - 1 of HOST at a time; ""
# if most of them are free.
function job_of_row(host, from, until, at,  b, low, high, n, most, free, job)
{
	free = until - from
	for (b = 0; b < boxes; b++) {
		if (box_host[b] != host || box_start[b] > at || box_end[b] <= at)
			continue
		low = box_from[b] > from ? box_from[b] : from
		high = box_from[b] + box_procs[b] < until ? box_from[b] + box_procs[b] : until
		n = high - low
		if (n <= 0)
			continue
		free -= n
		if (n > most) {
			most = n
			job = box_job[b]
		}
	}
	return free * 2 > until - from ? "" : job
}

function waiting_at(at,  t, n)
{
	for (t = begin; t <= at; t++)
		if (t in waiting_change)
			n = waiting_change[t]
	return n + 0
}

# Print a line of numbers, one every ten columns.
function scale(name, what,  i, line)
{
	line = sprintf("%-7s ", name)
	for (i = 0; i < columns; i += 10)
		line = line sprintf("%-10s", what == "time" ? i * step " s" : waiting_at(begin + i * step))
	sub(/ +$/, "", line)
	print line
}

function draw_text(  host, row, rows, from, until, i, line, job)
{
	step = int((last - begin + 71) / 72)
	if (step < 1)
		step = 1
	columns = int((last - begin + step - 1) / step)
	if (title != "")
		print title
	for (host = 0; host < hosts; host++) {
		rows = capacity[host] < 4 ? capacity[host] : 4
		for (row = 0; row < rows; row++) {
			from = int(row * capacity[host] / rows)
			until = int((row + 1) * capacity[host] / rows)
			line = sprintf("%-7s|", row ? "" : substr(host_name[host], 1, 7))
			for (i = 0; i < columns; i++) {
				job = job_of_row(host, from, until, begin + i * step)
				line = line (job == "" ? "." : letter(job))
			}
			print line
		}
	}
	scale("time", "time")
	scale("waiting", "waiting")
}

# --- SVG -------------------------------------------------------------------------

function text(x, y, size, anchor, words)
{
	printf "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" text-anchor=\"%s\">%s</text>\n", x, y, size, anchor, words
}

# Return the class of a wait, 0 to 4.
function shade_of(seconds)
{
	return seconds <= 0 ? 0 : seconds <= longest / 4 ? 1 : seconds <= longest / 2 ? 2 : seconds <= longest * 3 / 4 ? 3 : 4
}

function fill(class)
{
	return substr("#deebf7#b3d1e8#7fb3d8#3f8fc4#0b559f", class * 7 + 1, 7)
}

function draw_box(b, top,  x, y, w, h, job)
{
	job = box_job[b]
	x = 60 + (box_start[b] - begin) * second
	w = (box_end[b] - box_start[b]) * second
	y = top + box_from[b] * height
	h = box_procs[b] * height
	printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" stroke=\"white\"><title>job %s: %d processors of %s for %d s, waited %d s</title></rect>\n",
		x, y, w, h, fill(shade_of(wait[job])), job, box_procs[b], host_name[box_host[b]],
		box_end[b] - box_start[b], wait[job]
	if (h >= 10 && w >= 7 * length(job) + 2)
		printf "<text x=\"%.1f\" y=\"%.1f\" font-size=\"10\" text-anchor=\"middle\" fill=\"%s\">%s</text>\n",
			x + w / 2, y + h / 2 + 3.5, shade_of(wait[job]) < 3 ? "black" : "white", job
}

function time_axis(top, y,  t, every)
{
	every = 10
	while ((last - begin) / every > 12)
		every *= every == 10 || every == 100 || every == 1000 ? 3 : 10 / 3
	for (t = 0; t <= last - begin; t += every) {
		printf "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#999999\" stroke-dasharray=\"2 3\"/>\n",
			60 + t * second, top, 60 + t * second, y
		text(60 + t * second, y + 13, 10, "middle", t " s")
	}
}

# The number of waiting jobs, in 50 pixels from Y on.
function draw_waiting(y,  t, n, path)
{
	path = sprintf("M60 %.1f", y + 50)
	for (t = begin; t <= last; t++) {
		if (!(t in waiting_change))
			continue
		n = waiting_change[t]
		path = path sprintf(" H%.1f V%.1f", 60 + (t - begin) * second, y + 50 - n * 50 / (most_waiting ? most_waiting : 1))
	}
	printf "<rect x=\"60\" y=\"%d\" width=\"%d\" height=\"50\" fill=\"#f4f4f4\"/>\n", y, width
	printf "<path d=\"%s H%.1f V%.1f Z\" fill=\"#e69f00\" fill-opacity=\"0.6\"/>\n", path, 60 + width, y + 50
	text(54, y + 22, 11, "end", "waiting")
	text(54, y + 35, 11, "end", "jobs")
	text(64 + width, y + 9, 10, "start", most_waiting)
	text(64 + width, y + 50, 10, "start", 0)
}

function legend(y,  class, words)
{
	text(60, y, 11, "start", "A box is a job on its processors, shaded by its wait:")
	for (class = 0; class < 5; class++) {
		words = class == 0 ? "none" : "up to " int(longest * class / 4 + 0.999) " s"
		printf "<rect x=\"%d\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", 368 + class * 82, y - 10, fill(class)
		text(384 + class * 82, y, 11, "start", words)
	}
}

function escaped(words)
{
	gsub(/&/, "\\&amp;", words)
	gsub(/</, "\\&lt;", words)
	return words
}

function draw_svg(  host, b, y, top, total, job)
{
	width = 720
	height = 5
	second = width / (last - begin)
	for (job in wait)
		if (wait[job] > longest)
			longest = wait[job]
	total = 150
	for (host = 0; host < hosts; host++)
		total += capacity[host] * height + 8
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"820\" height=\"%d\" viewBox=\"0 0 820 %d\" font-family=\"sans-serif\">\n",
		total, total
	printf "<rect width=\"820\" height=\"%d\" fill=\"white\"/>\n", total
	text(60, 22, 14, "start", escaped(title))
	legend(42)
	top = y = 54
	for (host = 0; host < hosts; host++) {
		printf "<rect x=\"60\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#f4f4f4\"/>\n", y, width, capacity[host] * height
		text(54, y + capacity[host] * height / 2, 11, "end", host_name[host])
		text(54, y + capacity[host] * height / 2 + 12, 10, "end", capacity[host] " proc.")
		for (b = 0; b < boxes; b++)
			if (box_host[b] == host && box_end[b] > box_start[b])
				draw_box(b, y)
		y += capacity[host] * height + 8
	}
	draw_waiting(y)
	time_axis(top, y + 56)
	print "</svg>"
}

END {
	if (!hosts || !started) {
		print "machine-picture.awk: the journal has no host or no start of a job" >"/dev/stderr"
		exit 2
	}
	# An end that the journal does not have is beyond the right margin.
	if (end > 0)
		last = end
	if (last <= begin)
		last = begin + 1
	for (b = 0; b < boxes; b++)
		if (box_end[b] == -1)
			box_end[b] = last
	if (svg)
		draw_svg()
	else
		draw_text()
}
