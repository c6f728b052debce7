-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- A script of Slurm's cli_filter/lua that prints when a job is expected to start, after
-- sbatch or salloc has submitted it:
--
--	lxfw: expected start 14:10 (50 %: 13:55 to 14:40, 90 %: 13:20 to 18:00)
--
-- On the hosts where jobs are submitted, it needs this file as cli_filter.lua beside
-- slurm.conf, CliFilterPlugins=cli_filter/lua in slurm.conf, the command lxfw, and the file
-- that `lxfw predict --starts-out` writes, see lxfw-predict(1). A site that has a
-- cli_filter.lua calls lxfw_before() and lxfw_after() in its functions.
--
-- Nothing is printed for jobs that the table does not represent, if the file is missing,
-- outdated or damaged, with --quiet, or if LXFW_EXPECTED=no is set. A submission never
-- fails because of this script, and it has succeeded when the file is read.

local starts = "/var/lib/lxfw/starts"	-- the file; no blanks or quotes
local lxfw = "lxfw"			-- the command
local seconds = 2			-- longest time that it may take
local route = nil			-- "/etc/slurm/lxfw-route.conf": choose the cluster
local history = nil			-- "/home/me/times.db": run times, instead of what the clusters know

-- Options of which the table knows nothing.
local others = {
	"array", "begin", "bb", "bbf", "clusters", "constraint", "contiguous", "core-spec",
	"cores-per-socket", "deadline", "dependency", "exclude", "gpus", "gpus-per-node",
	"gpus-per-socket", "gpus-per-task", "gres", "hold", "licenses", "mem-per-gpu",
	"mincpus", "nodefile", "nodelist", "ntasks-per-core", "ntasks-per-gpu",
	"ntasks-per-socket", "overcommit", "reservation", "sockets-per-node", "switches",
	"thread-spec", "threads-per-core", "time-min", "tmp", "tres-per-job",
	"tres-per-node", "tres-per-socket", "tres-per-task",
}

local request	-- of the job that is being submitted; nil: nothing is printed

-- The position behind the name of an option that is set, or nil. SET is JSON; quotes in
-- texts of the user follow a backslash.
local function find(set, name)
	local _, last = set:find('[{,]%s*"' .. name:gsub("-", "%%-") .. '":')

	return last
end

-- The value of an option that is set, or nil. A value with other characters than those of
-- PATTERN is an error, which ends the caller.
local function value(set, name, pattern)
	local last = find(set, name)
	local text = last and set:match('^%s*"(' .. pattern .. ')"', last + 1)

	if last and not text then
		error("value of " .. name)
	end
	return text
end

-- The options of lxfw predict --request for those of the job.
local function request_of(options)
	local set = slurm.json_cli_options(options)
	local words = {}

	for _, name in ipairs(others) do
		if find(set, name) then
			return nil
		end
	end

	local tasks = value(set, "ntasks", "%d+")
	local nodes = value(set, "nodes", "[%d-]+")
	local per_node = value(set, "ntasks-per-node", "%d+")

	nodes = nodes and nodes:match("^%d+")	-- the fewest of 2-4
	if not tasks and per_node then
		tasks = (nodes or 1) * per_node
	elseif not tasks and nodes then
		tasks = nodes
	end
	if find(set, "exclusive") then
		words[1] = "--exclusive"
	end

	local function add(option, text)
		if text then
			words[#words + 1] = option .. " " .. text
		end
	end

	add("-n", tasks and string.format("%d", tasks))
	add("-N", nodes)
	add("-c", value(set, "cpus-per-task", "%d+"))
	add("-t", value(set, "time", "[%d:-]+"))
	add("-p", value(set, "partition", "[%w_.+-]+"))
	add("--mem", value(set, "mem", "%d+[KMGT]?"))
	add("--mem-per-cpu", value(set, "mem-per-cpu", "%d+[KMGT]?"))
	return table.concat(words, " ")
end

-- Call in slurm_cli_pre_submit().
function lxfw_before(options, offset)
	request = nil
	-- srun returns from its submission when the job has started.
	if offset > 0 or os.getenv("LXFW_EXPECTED") == "no" or
	    (options.type ~= "sbatch" and options.type ~= "salloc") then
		return
	end
	pcall(function()
		if not find(slurm.json_cli_options(options), "quiet") then
			request = request_of(options)
		end
	end)
end

-- Call in slurm_cli_post_submit().
function lxfw_after(offset)
	local words = request

	request = nil
	if not words or offset > 0 then
		return
	end
	pcall(function()
		local out = io.popen(string.format("exec timeout -s KILL %d %s predict " ..
			"--starts '%s' --request '%s' </dev/null 2>/dev/null", seconds, lxfw,
			starts, words))
		local line = out:read(200)

		out:close()
		line = line and line:match("^lxfw: [^\n]*")
		if line then
			io.stderr:write(line, "\n")
		end
	end)
end

-- A script that reads the job's number expects it on this cluster; --test-only submits nothing.
local not_routed = { "parsable", "test-only" }

-- Whether there is a regular file of this name. A FIFO or terminal that sbatch has read is not
-- opened again: that would wait for ever.
local function is_file(name)
	local quoted = "'" .. name:gsub("'", "'\\''") .. "'"
	local done = os.execute("test -f " .. quoted .. " 2>/dev/null")

	return done == true or done == 0	-- Lua 5.1 returns the status
end

-- Whether the job is heterogeneous, by the words of sbatch and the lines of its script.
local function is_heterogeneous(options)
	local file = io.open("/proc/self/cmdline", "rb")
	local words = file and file:read(1000000) or ""

	if file then
		file:close()
	end
	if words:find("%z:%z") then
		return true
	end
	file = options.argv[1] and is_file(options.argv[1]) and io.open(options.argv[1], "rb")

	local script = file and file:read(1000000) or ""

	if file then
		file:close()
	end
	return ("\n" .. script):find("\n#SBATCH[ \t]+hetjob") or
		("\n" .. script):find("\n#SBATCH[ \t]+packjob")
end

-- Whether a job has all variables of its user, or none. A job that moves has them from a file,
-- from which sbatch does not choose.
local function exports_all(set)
	local last = find(set, "export")
	local text = last and set:match('^%s*"([^"]*)"', last + 1)

	text = text and text:upper()
	return not find(set, "export-file") and
		(not last or (text and (text == "NONE" or text == "NIL" or text == "ALL" or
		text:find("^ALL,"))))
end

-- The command that chooses, or nil. All that it contains of the user consists of letters,
-- digits and the characters in the patterns of request_of() and of this function.
local function command_of(options, set)
	local words = request_of(options)
	local forced = os.getenv("LXFW_ROUTE") == "yes"
	local told = os.getenv("LXFW_ROUTE_TOLD")

	if not words or is_heterogeneous(options) then
		return nil
	end
	for _, name in ipairs(not_routed) do
		if find(set, name) and not (forced and name == "parsable") then
			return nil
		end
	end

	local command = string.format("exec %s route --conf '%s' --request '%s'", lxfw, route,
		words)

	if history then
		command = command .. string.format(" --history '%s'", history)
	end
	if told and told:find("^/tmp/lxfw%-route%.%w+$") then
		command = command .. string.format(" --told '%s'", told)
	end
	-- The comment of a job that may be moved later is its marker.
	if not find(set, "comment") and not find(set, "wait") and not find(set, "propagate") and
	    exports_all(set) and os.getenv("LXFW_ROUTE") ~= "stay" then
		command = command .. string.format(" --record %d",
			find(set, "wrap") and -1 or #options.argv)
	end
	return command .. " </dev/null 2>/dev/null"
end

local function in_words(wait)
	if wait < 60 then
		return wait == 0 and "at once" or string.format("in %d seconds", wait)
	elseif wait < 7200 then
		return string.format("in %d minutes", math.floor((wait + 30) / 60))
	end
	return string.format("in %.1f hours", wait / 3600)
end

-- Call first in slurm_cli_pre_submit().
function lxfw_route(options, offset)
	if not route or offset > 0 or options.type ~= "sbatch" or
	    os.getenv("LXFW_ROUTE") == "no" then
		return
	end
	pcall(function()
		local set = slurm.json_cli_options(options)
		local command = command_of(options, set)
		local out = command and io.popen(command)
		local text = out and out:read(4000) or ""

		if out then
			out:close()
		end

		local cluster = text:match("^cluster ([%w_][%w_.-]*)\n")
		local wait = text:match("\nwait (%d+)\n")
		local marker = text:match("\nmarker (%x+)\n")

		if not cluster or not wait then
			return
		end
		options.clusters = cluster
		if marker then
			options.comment = "lxfw:route:" .. marker
		end
		if not find(set, "quiet") and not find(set, "parsable") then
			io.stderr:write(string.format("lxfw: cluster %s, expected start %s\n",
				cluster, in_words(tonumber(wait))))
		end
	end)
end

function slurm_cli_setup_defaults(options, early)
	return slurm.SUCCESS
end

function slurm_cli_pre_submit(options, offset)
	lxfw_route(options, offset)
	lxfw_before(options, offset)
	return slurm.SUCCESS
end

function slurm_cli_post_submit(offset, job_id, step_id)
	lxfw_after(offset)
	return slurm.SUCCESS
end
