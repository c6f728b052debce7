-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- List scheduling (Garey and Graham 1975) as a policy from a file: in the order of
-- submission whatever fits starts, and nothing is reserved. It decides as the built-in
-- policy `list` does.

backfill = "none"

function priority(job, now)
	return job.wait -- the longest wait first
end
