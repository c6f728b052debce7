# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Of the soak of shares: what the controller said of each job while it ran, sampled,
# against the records that slurmdbd has of it.
#
# Slurm keeps what it has still to tell slurmdbd in memory, and writes its own state
# every few seconds. A controller that is killed loses both: the end of a record that
# a change of size closed, which nobody tells again; a change that it had not saved.
# Jobs to which that happened are excused: those that by the controller's log or by
# their records started, changed or ended between its last save and its death, and only
# those. Any other job that differs is a fault.

# Jobs that run: id, processors, start, last change.
look_at_jobs()
{
	squeue -h -r -t R -O 'JobID:12,NumCPUs:12,StartTime:14,ResizeTime:14'
}

# In the background, until the folder is gone. A sample is its time, and four words for
# each job.
sample_jobs()
{
	local jobs
	while sleep 0.3 && [ -e "$run/by-hand" ]; do
		jobs=$(look_at_jobs) &&
			echo "$(date +%s.%N) $(xargs <<<"$jobs")" >>"$run/busy"
	done 2>/dev/null
}

# About to be killed: from when on what it did may be lost, and when it died.
note_kill()
{
	echo "$(stat -c %.Y "$run/state/job_state") $(date +%s.%N)" >>"$run/kills"
}

# A requeued job is eligible some minutes later, and sacct tells of those that are
# eligible before the end of what it is asked for.
#
# Where Slurm itself changes a job's size it tells slurmdbd afterwards that the new
# record began with the job, and counts its time twice: it is kept as submitted then.
read_accounts()
{
	sacct -n -D -X -P -a -S now-1days -E now+1days \
		-o jobidraw,state,submit,start,end,elapsedraw,suspended,alloccpus,cputimeraw,dbindex |
		awk -F '[|]' -v OFS='|' -v stock="$kind" '
			stock == "stock" && $3 > $4 + 0 && $4 ~ /^[0-9]+$/ {
				$9 -= ($3 - $4) * $8
				$4 = $3
				restarted++
			}
			{ print }
			END { if (restarted) printf "  %d records put right that Slurm dates back\n", restarted >"/dev/stderr" }' |
		sort -t '|' -k 1,1n -k 10,10n >"$run/accounts"
}

# To $run/seen, a line a job: processor seconds, most processors. A job that is new, or
# has changed, did so at the second that is told; one that is gone went at the end that
# the controller tells at last, if that was its last run, else in the middle between two
# samples. Of a job that no sample shows, because the controller was dead or locked, it
# is what the controller tells at last, suspensions apart.
sum_samples()
{
	squeue -h -r -t all -O 'JobID:12,NumCPUs:12,StartTime:14,EndTime:14,TimeUsed:14' >"$run/ends"
	awk '
		function add(job, procs, seconds) {
			work[job] += procs * seconds
			if (procs > most[job])
				most[job] = procs
		}
		# The middle of the second TOLD, between the two samples.
		function when(told) {
			told += 0.5
			return told < before ? before : told > now ? now : told
		}
		# [DAYS-[HOURS:]]MINUTES:SECONDS
		function seconds_of(text,    parts, count, sum, i) {
			count = split(text, parts, /[-:]/)
			for (i = 1; i <= count; i++)
				sum = sum * (i == 2 && text ~ /-/ ? 24 : 60) + parts[i]
			return sum
		}
		FILENAME ~ /ends$/ {
			if ($3 ~ /^[0-9]+$/ && $4 ~ /^[0-9]+$/ && $4 > $3 + 0) {
				ended[$1] = $4
				whole[$1] = seconds_of($5) * $2
				width[$1] = $2
			}
			next
		}
		{
			now = $1
			if (!before)
				before = now
			delete procs
			delete told
			for (i = 2; i + 3 <= NF; i += 4) {
				procs[$i] = $(i + 1)
				told[$i] = $(i + 2) > $(i + 3) + 0 ? $(i + 2) : $(i + 3) + 0
			}
			for (job in procs) {
				same = job in last && last_told[job] == told[job]
				# Resumed, or moved to other cores.
				at = same || told[job] < before - 1.5 ? (now + before) / 2 : when(told[job])
				add(job, last[job], at - before)
				add(job, procs[job], now - at)
			}
			for (job in last)
				if (!(job in procs)) {
					at = (now + before) / 2
					if (ended[job] > before - 1.5 && ended[job] < now + 1.5)
						at = when(ended[job])
					add(job, last[job], at - before)
				}
			delete last
			delete last_told
			for (job in procs) {
				last[job] = procs[job]
				last_told[job] = told[job]
			}
			before = now
		}
		END {
			for (job in whole)
				if (!(job in work))
					add(job, width[job], whole[job] / width[job])
			for (job in work)
				printf "%s %.2f %d\n", job, work[job], most[job]
		}' "$run/ends" "$run/busy" >"$run/seen"
}

# To $run/at-risk: each job that started, changed or ended between a save and the death
# after it, by the log or by its records. The log tells of a change up to some seconds
# after it, when all of the pass are made.
find_at_risk()
{
	awk -F '[|]' '
		function look(job, time, slack,    i) {
			for (i = 1; i <= kills; i++)
				if (time >= from[i] - slack && time <= to[i] + 0.5)
					print job
		}
		FILENAME ~ /kills$/ {
			split($0, times, " ")
			from[++kills] = times[1] - 1
			to[kills] = times[2]
			next
		}
		FILENAME ~ /accounts$/ {
			look($1, $4, 1)
			look($1, $5, 1)
			next
		}
		/started JobId=|processors of|_job_complete: JobId=|REQUEST_KILL_JOB|requeue|suspend|complete JobId=/ {
			split($0, parts, /[][]/)
			text = substr(parts[2], 1, 19)
			gsub(/[-T:]/, " ", text)
			time = mktime(text) + substr(parts[2], 20, 4)
			if (!match($0, /JobId=[0-9]+(_([0-9]+|\*)\([0-9]+\))?/))
				next
			job = substr($0, RSTART + 6, RLENGTH - 6)
			sub(/.*\(/, "", job)
			sub(/\)/, "", job)
			look(job, time, 0)
		}' "$run/kills" "$run/accounts" "$run/log/slurmctld" | sort -u >"$run/at-risk"
}

# What differs, a line each: job, kind, details.
# Slurm tells seconds: of a job of n records n + 1 times may be half a second off, and
# a sample the third of one.
find_differences()
{
	sed -nE 's/.*_hold_job_rec: hold on JobId=([0-9]+_[^(]*\()?([0-9]+).*/\2/p' "$run/log/slurmctld" >"$run/held"
	awk -F '[ |]' '
		FILENAME ~ /held$/ { held[$1]; next }
		FILENAME ~ /raw-states$/ { state[$1] = $2; next }
		FILENAME ~ /seen$/ { seen[$1] = $2; most[$1] = $3; next }
		$1 ~ /[^0-9]/ { next }
		{
			job = $1
			sub(/ by .*/, "", $2)
			split($0, f, "|")
			verdict = f[2]
			sub(/ .*/, "", verdict)
			if (f[5] !~ /^[0-9]+$/ && verdict != "PENDING")
				print job, "unended", verdict, f[4]
			# A second change in one second counts as made in the next, in which
			# the job may be over.
			if (count[job]++ && was[job] == "RESIZING" && f[4] != end[job] &&
			    !(f[4] == f[5] && f[4] == end[job] - 1))
				print job, "torn", end[job], f[4]
			else if (count[job] > 1 && was[job] != "RESIZING" && f[4] ~ /^[0-9]+$/ && end[job] ~ /^[0-9]+$/ && f[4] < end[job])
				print job, "overlapping", end[job], f[4]
			was[job] = verdict
			end[job] = f[5]
			if (f[7] ~ /-/)
				print job, "unresumed", f[7]
			work[job] += f[9]
			if (f[8] > most[job])
				most[job] = f[8]
		}
		END {
			for (job in state) {
				# sacct does not tell of what was held when it was cancelled,
				# or at the moment when it started; nor Slurm it of the last
				# tasks of an array.
				if (!(job in count) && (job in held || state[job] == "CANCELLED"))
					continue
				if (state[job] == "CANCELLED" && was[job] ~ /REQUEUED|PENDING/)
					continue
				if (!(job in count)) {
					print job, "unknown", state[job]
					continue
				}
				if (was[job] != state[job])
					print job, "verdict", was[job], state[job]
				apart = work[job] - seen[job]
				if (apart < 0)
					apart = -apart
				if (apart > most[job] * (1.5 + 0.5 * count[job]))
					print job, "work", work[job], seen[job]
			}
		}' "$run/held" "$run/raw-states" "$run/seen" "$run/accounts" | sort -n >"$run/differences"
}

# Fails for any but those excused, and if these are more than two a kill.
expect_differences_excused()
{
	local wrong excused
	squeue -h -r -t all -O 'JobID:12,State:20' | awk '{ print $1, $2 }' >"$run/raw-states"
	read_accounts
	sum_samples
	find_at_risk
	find_differences
	wrong=$(awk 'NR == FNR { risk[$1]; next } !($1 in risk)' "$run/at-risk" "$run/differences")
	awk 'NR == FNR { risk[$1]; next }
		$1 in risk { count[$2]++; jobs[$1] }
		END {
			printf "  %d jobs started, changed or ended just before a kill; excused of them: %d", length(risk), length(jobs)
			for (kind in count)
				printf ", %d %s", count[kind], kind
			print ""
		}' "$run/at-risk" "$run/differences"
	awk 'NR == FNR { risk[$1]; next } { print "    " ($1 in risk ? "job" : "by itself, job"), $0 }' "$run/at-risk" "$run/differences"
	[ "$kind" != stock ] || return 0
	excused=$(cut -d ' ' -f 1 "$run/differences" | sort -u | comm -12 - "$run/at-risk" | wc -l)
	[ -n "$wrong" ] || ((excused <= 2 * kills)) || fail "$excused jobs to be excused after $kills kills"
	[ -z "$wrong" ] || fail "$(wc -l <<<"$wrong") differences that no kill explains: $(head -n 20 <<<"$wrong" | xargs -d '\n' printf '%s; ')"
}

# The processor time of the samples and that in accounting, of all jobs but the excused.
expect_work_conserved()
{
	awk -v stock="$kind" '
		FILENAME ~ /differences$/ { excused[$1]; next }
		FILENAME ~ /seen$/ {
			if ($1 in excused) left_out += $2
			else seen += $2
			next
		}
		{
			split($0, f, "|")
			if (!(f[1] in excused) && f[1] !~ /[^0-9]/)
				accounted += f[9]
		}
		END {
			apart = accounted > 0 ? 100 * (seen / accounted - 1) : 100
			printf "  processor seconds: %.0f by samples, %.0f in accounting, %+.2f %%; %.0f of excused jobs left out\n", seen, accounted, apart, left_out
			# So few are a second of some jobs.
			few = seen - accounted < 50 && accounted - seen < 50
			exit stock != "stock" && !few && (apart > 2 || apart < -2)
		}' "$run/differences" "$run/seen" "$run/accounts" || fail "work is not conserved within 2 %"
}
