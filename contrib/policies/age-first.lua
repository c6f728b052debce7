-- SPDX-License-Identifier: GPL-2.0-or-later
-- Shortest request first, but jobs that have waited longer than 36 hours before all others,
-- oldest first: the policy sjf with lxfw_age_first=129600 (lxfw-params(5)).
--
--   lxfw simulate --policy-file age-first.lua TRACE

backfill = "easy" -- one reservation, or as many as --params lxfw_reservations=K says

function priority(job, now)
	if job.wait > 129600 then
		return 1e9 + job.wait
	end
	return -job.limit
end
