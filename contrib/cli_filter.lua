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

	-- srun returns from its submission when the job has started.
	if find(set, "quiet") or (options.type ~= "sbatch" and options.type ~= "salloc") then
		return nil
	end
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
	local good, result = pcall(request_of, options)

	request = nil
	if good and offset == 0 and os.getenv("LXFW_EXPECTED") ~= "no" then
		request = result
	end
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

function slurm_cli_setup_defaults(options, early)
	return slurm.SUCCESS
end

function slurm_cli_pre_submit(options, offset)
	lxfw_before(options, offset)
	return slurm.SUCCESS
end

function slurm_cli_post_submit(offset, job_id, step_id)
	lxfw_after(offset)
	return slurm.SUCCESS
end
