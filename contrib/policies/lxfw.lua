-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- LXF&W-backfill (Chiang and Vernon 2001, table 3) as a policy from a file: the largest
-- expansion factor first, plus a weight of the wait, and one reservation. It decides as
-- the built-in policy `lxfw` with its preset does, to the last bit: the same operations
-- in the same order. A beginning for orders of your own.

local ww = 0.0167 -- per hour of wait
local wx = 1      -- expansion factor: (wait + limit) / limit

backfill = "easy" -- one reservation, or as many as --params lxfw_reservations=K says

function priority(job, now)
	local hours = job.limit / 3600
	local slope = (ww + wx / hours) / 3600 -- per second of wait
	return wx + slope * job.wait
end
