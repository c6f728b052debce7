# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Part of the soak test of shares: compare samples of the controller's job records with
# slurmdbd's records.
#
# Slurm keeps messages to slurmdbd in memory until they are sent, and writes its state
# every few seconds. A killed controller loses both: the end of a record that was closed
# by a change of size, which is never sent again, and a change that it had not saved.
# Jobs to which this may have happened are excused: those that, by the controller's log
# or by their records, started, changed or ended between its last save and its death. A
# difference of any other job is an error.

# Print the running jobs: id, processors, start, last change.
look_at_jobs()
{
	squeue -h -r -t R -O 'JobID:12,NumCPUs:12,StartTime:14,ResizeTime:14'
}

# Sample in the background, until the folder is removed. A sample is its time and four
# words per job.
sample_jobs()
{
	local jobs
	while sleep 0.3 && [ -e "$run/by-hand" ]; do
		jobs=$(look_at_jobs) &&
			echo "$(date +%s.%N) $(xargs <<<"$jobs")" >>"$run/busy"
	done 2>/dev/null
}

# Record an imminent kill: the time since which changes may be lost, and the time of
# death.
note_kill()
{
	echo "$(stat -c %.Y "$run/state/job_state") $(date +%s.%N)" >>"$run/kills"
}

# A requeued job is eligible some minutes later, and sacct prints jobs that are eligible
# before the end of the requested period.
#
# If Slurm itself changes a job's size, it sends slurmdbd the new record with the start
# of the job and counts its time twice. The submit time of such a job is used instead.
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
			END { if (restarted) printf "  %d records corrected to which Slurm gave an earlier start\n", restarted >"/dev/stderr" }' |
		sort -t '|' -k 1,1n -k 10,10n >"$run/accounts"
}

# Write to $run/seen one line per job: processor seconds, maximum of processors, and the
# variance of the processor seconds. A job that is new or has changed did so in the second
# that is reported. A job that is gone ended at the time that the controller reports last,
# if that was its last run, else in the middle between two samples. For a job without a
# sample, because the controller was dead or locked, the last report of the controller is
# used, without suspensions. The variance is that of times uniformly distributed in their
# second, or between two samples.
sum_samples()
{
	squeue -h -r -t all -O 'JobID:12,NumCPUs:12,StartTime:14,EndTime:14,TimeUsed:14' >"$run/ends"
	awk '
		function add(job, procs, seconds) {
			work[job] += procs * seconds
			if (procs > most[job])
				most[job] = procs
		}
		# The processors of the job changed by PROCS at a time known within SECONDS,
		# and accounting knows it within a second.
		function doubt(job, procs, seconds) {
			variance[job] += procs ^ 2 * (1 + seconds ^ 2) / 12
		}
		# Return the middle of the second TOLD, limited to the two samples.
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
				was = job in last ? last[job] : 0
				# The job was resumed, or moved to other cores.
				at = same || told[job] < before - 1.5 ? (now + before) / 2 : when(told[job])
				add(job, was, at - before)
				add(job, procs[job], now - at)
				if (!same || procs[job] != was)
					doubt(job, procs[job] - was, told[job] < before - 1.5 ? now - before : 1)
			}
			for (job in last)
				if (!(job in procs)) {
					at = (now + before) / 2
					if (ended[job] > before - 1.5 && ended[job] < now + 1.5)
						at = when(ended[job])
					add(job, last[job], at - before)
					doubt(job, last[job], now - before > 1 ? now - before : 1)
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
				if (!(job in work)) {
					add(job, width[job], whole[job] / width[job])
					doubt(job, width[job], 1)
				}
			for (job in work)
				printf "%s %.2f %d %.2f\n", job, work[job], most[job], variance[job]
		}' "$run/ends" "$run/busy" >"$run/seen"
}

# Write to $run/at-risk each job that started, changed or ended between a save and the
# following kill, by the log or by its records. A change is logged up to some seconds
# later, when all changes of the pass are made.
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

# Print the differences, one per line: job, kind, details. Slurm's times are whole
# seconds: for a job with n records, n + 1 times may be wrong by half a second, and a
# sample by a third.
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
			# A second change within one second is assigned to the next
			# second, in which the job may already have ended.
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
				# sacct does not print a job that was held when it was
				# cancelled or at the moment of its start. Slurm does
				# not send it the last tasks of an array.
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

# Fail for any difference that is not excused, and if more than two per kill are
# excused.
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
	[ -n "$wrong" ] || ((excused <= 2 * kills)) || fail "$excused jobs excused after $kills kills"
	[ -z "$wrong" ] || fail "$(wc -l <<<"$wrong") differences not explained by a kill: $(head -n 20 <<<"$wrong" | xargs -d '\n' printf '%s; ')"
}

# Compare the processor time of the samples with that in accounting, for all jobs that
# are not excused. They differ by less than three standard deviations and 1 %.
expect_work_conserved()
{
	awk -v stock="$kind" '
		FILENAME ~ /differences$/ { excused[$1]; next }
		FILENAME ~ /seen$/ {
			if ($1 in excused) left_out += $2
			else {
				seen += $2
				variance += $4
			}
			next
		}
		{
			split($0, f, "|")
			if (!(f[1] in excused) && f[1] !~ /[^0-9]/)
				accounted += f[9]
		}
		END {
			allowed = 0.01 * accounted + 3 * sqrt(variance)
			apart = seen - accounted
			printf "  processor seconds: %.0f by samples, %.0f in accounting, %+.0f of at most %.0f; %.0f of excused jobs left out\n", seen, accounted, apart, allowed, left_out
			exit stock != "stock" && (apart > allowed || apart < -allowed || !accounted)
		}' "$run/differences" "$run/seen" "$run/accounts" || fail "work is not conserved"
}
