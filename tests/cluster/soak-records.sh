# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Part of the soak test of quanta: compare the states of all jobs with slurmdbd's records.
#
# slurmctld informs slurmdbd of a new job up to five seconds later, and of its start and
# its end through a queue in memory. If slurmctld is killed, slurmdbd may have no record of
# a job whose whole run was shortly before, although slurmctld had saved its end: Slurm
# does not send it again. Such jobs are excused and counted: those that, by the journal,
# started and ended within lost_seconds before a kill. A job of which slurmdbd has any
# record is not excused, nor is one whose start or end the journal does not have.

lost_seconds=10

# accounted [OPTION]: print the jobs of slurmdbd and their states, and the word "array" for
# tasks that have no record of their own.
#
# Slurm does not update the record of an array's pending tasks, 7_[0-3], if some of them
# have started since and the last one is cancelled. For such arrays, only tasks with their
# own record count. Of components that were cancelled before they started, Slurm 24.11
# shows the job number instead of 7+1.
accounted()
{
	sacct -n -X -P -a -S now-1days "$@" -o jobid,state | awk -F '[|]' '
		components {
			split($0, id, " ")
			component[id[1]] = id[2]
			next
		}
		{
			sub(/ by .*/, "", $2)
			sub(/\+0$/, "", $1)
		}
		$1 in component { $1 = component[$1] }
		# records before a change of shares
		$2 == "RESIZING" { next }
		$1 ~ /\[/ {
			split($1, id, /_\[|\]/)
			count = split(id[2], parts, ",")
			for (i = 1; i <= count; i++) {
				if (split(parts[i], ends, "-") == 1)
					ends[2] = ends[1]
				for (j = ends[1]; j <= ends[2] + 0; j++)
					together[id[1] "_" j] = $2
			}
			next
		}
		{
			apart[$1]
			print $1, $2
		}
		END {
			for (task in together)
				if (!(task in apart))
					print task, together[task], "array"
		}' components=1 "$run/components" components=0 - | sort -u
}

# short_runs NUMBERS KILLS: read a journal as `lxfw journal` prints it, and print the jobs
# that started and ended within lost_seconds before a kill. NUMBERS has the number and the
# name of components, which the journal has under their numbers; KILLS has the time of a
# kill in the second column.
short_runs()
{
	awk -v seconds="$lost_seconds" '
		FILENAME ~ /components$/ { name[$1] = $2; next }
		FILENAME ~ /kills$/ { kill[++kills] = $2; next }
		$3 == "start" || ($3 == "run" && !($4 in start)) { start[$4] = $1 }
		$3 == "end" && $4 in start {
			for (i = 1; i <= kills; i++)
				if (start[$4] >= kill[i] - seconds && $1 <= kill[i])
					print $4 in name ? name[$4] : $4
		}
		# A refused job has not started.
		$3 ~ /^(end|refused)$/ { delete start[$4] }' "$1" "$2" - | sort -u
}

# slurmdbd has the end of each job, and no other one.
accounts_agree()
{
	squeue -h -r -t all -o '%A %i' | grep '+[1-9]' >"$run/components"
	"$build/lxfw" journal "$run/journal" | short_runs "$run/components" "$run/kills" >"$run/short-runs"
	accounted | cut -d ' ' -f 1,2 >"$run/accounted"
	accounted -D >"$run/accounted-all"
	[ -z "$(accounts_differ)" ]
}

# Slurm need not have sent anything to slurmdbd before it was killed about a job that
# was held and cancelled before it started, or started again. If it was killed before it
# saved a requeue of which slurmdbd had been informed, the latest record of the job is
# that of a pending one, and an earlier record has its end. The excused jobs that slurmdbd
# does not know are written to $run/lost.
accounts_differ()
{
	: >"$run/lost"
	sort -u "$run/states" | diff - "$run/accounted" | awk -v kills="$kills" -v lost="$run/lost" '
		FILENAME ~ /accounted-all$/ {
			record[$1, $2]
			if ($3 != "array")
				own[$1]
			next
		}
		FILENAME ~ /short-runs$/ { short[$1]; next }
		kills > 0 && $1 == "<" && $2 in short && !($2 in own) {
			print $2 >>lost
			never_sent[$2]
			next
		}
		kills > 0 && $1 == "<" && ($2, $3) in record { earlier[$2]; next }
		kills > 0 && $1 == "<" && $3 == "CANCELLED" { never_sent[$2]; next }
		$1 == "<" { print }
		$1 == ">" { known[$2] = $3; line[$2] = $0 }
		END {
			for (job in known)
				if (!(job in never_sent || (job in earlier && known[job] == "PENDING")) ||
				    known[job] !~ /^(PREEMPTED|REQUEUED|PENDING)$/)
					print line[job]
		}' "$run/accounted-all" "$run/short-runs" -
}

# In each run, also of requeued jobs, the time from start to end is run time or
# suspended time. slurmdbd adds and subtracts absolute times. If a killed controller
# lost a message, the sums are wrong; these runs are counted separately.
wrong_sums()
{
	sacct -n -X -P -D -a -S now-1days -o jobid,start,end,elapsedraw,suspended | awk -F '[|]' -v unpaired="$run/unpaired" '
		$2 ~ /^[0-9]+$/ && $3 ~ /^[0-9]+$/ {
			days = split($5, part, "-") == 2 ? part[1] : 0
			split(part[days > 0 ? 2 : 1], time, ":")
			stood = ((days * 24 + time[1]) * 60 + time[2]) * 60 + time[3]
			if (stood > 86400) {
				print >>unpaired
				next
			}
			apart = $3 - $2 - $4 - stood
			if (apart < -1 || apart > 1)
				print
		}'
}

expect_accounts_agree()
{
	local wrong=
	[ "$accounting" = yes ] || return 0
	if [ "$kind" != quanta ]; then
		poll 60 dbd_has_heard || fail "slurmdbd lacks records"
		expect_differences_excused
		expect_work_conserved
		return
	fi
	: >"$run/unpaired"
	wrong=$(wrong_sums | head -n 5 | xargs)
	[ -z "$wrong" ] || fail "neither run nor suspended: $wrong"
	[ ! -s "$run/unpaired" ] || [ "$kills" -gt 0 ] || fail "suspended forever: $(head -n 5 "$run/unpaired" | xargs)"
	[ ! -s "$run/unpaired" ] || echo "  $(wc -l <"$run/unpaired") suspensions in accounting without an end"
	poll 120 accounts_agree || fail "slurmdbd differs: $(accounts_differ | head -n 20 | xargs)"
	[ ! -s "$run/lost" ] || echo "  $(wc -l <"$run/lost") jobs unknown to slurmdbd that started and ended within $lost_seconds s before a kill: $(xargs <"$run/lost")"
}
