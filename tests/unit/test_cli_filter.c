/* SPDX-License-Identifier: GPL-2.0-or-later */
/* contrib/cli_filter.lua, with a table in place of Slurm and of the command that chooses. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/file.h"
#include "tests/unit/unit.h"

/* Runs the script with `route` set. choose(PATH) returns the cluster of a job with this script,
   or nil. */
static const char world[] =
	"local source, choose_on = ...\n"
	"local count\n"
	"slurm = { SUCCESS = 0, json_cli_options = function(o) return o.json end }\n"
	"io.popen = function(text)\n"
	"	command = text\n"
	"	return { read = function() return 'cluster beta\\nwait 0\\n' end,\n"
	"		 close = function() end }\n"
	"end\n"
	"io.stderr = { write = function() end }\n"
	"source, count = source:gsub('local route = nil', 'local route = \"/conf\"')\n"
	"assert(count == 1)\n"
	"assert(load(source))()\n"
	"function choose(path)\n"
	"	local options = { type = 'sbatch', argv = { path }, json = '{\"ntasks\":\"4\"}' }\n"
	"	assert(slurm_cli_pre_submit(options, 0) == 0)\n"
	"	return options.clusters\n"
	"end\n";

/* Whether a job with these options has a record, by which it can move. */
static const char recorded[] =
	"local json = ...\n"
	"local options = { type = 'sbatch', argv = {}, json = '{\"wrap\":\"x\",' .. json .. '}' }\n"
	"command = ''\n"
	"assert(slurm_cli_pre_submit(options, 0) == 0)\n"
	"return command:find('--record', 1, true) ~= nil\n";

static void read_script(char *text, size_t size)
{
	const char *top = getenv("LXFW_TOP_SRCDIR");
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/contrib/cli_filter.lua", top ? top : ".");
	file = fopen(path, "r");
	assert_non_null(file);
	text[fread(text, 1, size - 1, file)] = '\0';
	fclose(file);
}

static lua_State *begin(void)
{
	lua_State *lua = luaL_newstate();
	static char text[65536];

	assert_non_null(lua);
	luaL_openlibs(lua);
	read_script(text, sizeof(text));
	assert_int_equal(luaL_loadstring(lua, world), LUA_OK);
	lua_pushstring(lua, text);
	if (lua_pcall(lua, 1, 0, 0) != LUA_OK)
		fail_msg("%s", lua_tostring(lua, -1));
	return lua;
}

/* Whether a job with the script PATH is sent to a cluster. */
static bool is_routed(lua_State *lua, const char *path)
{
	bool routed;

	lua_getglobal(lua, "choose");
	lua_pushstring(lua, path);
	if (lua_pcall(lua, 1, 1, 0) != LUA_OK)
		fail_msg("%s", lua_tostring(lua, -1));
	routed = lua_isstring(lua, -1) && strcmp(lua_tostring(lua, -1), "beta") == 0;
	lua_pop(lua, 1);
	return routed;
}

static void finds_heterogeneous_jobs(void **state)
{
	lua_State *lua = begin();

	(void)state;
	assert_true(is_routed(lua, unit_file("plain", "#!/bin/sh\n#SBATCH -n 4\n")));
	assert_false(is_routed(lua, unit_file("het", "#!/bin/sh\n#SBATCH hetjob\n")));
	assert_false(is_routed(lua, unit_file("old", "#!/bin/sh\n#SBATCH \tpackjob\n")));
	assert_true(is_routed(lua, unit_path("absent")));
	/* A shell sees the name. */
	assert_false(is_routed(lua, unit_file("it's $(kill $$) \"`x`\\", "\n#SBATCH hetjob\n")));
	lua_close(lua);
}

/* sbatch has read the script already: what can be read once is not opened again. */
static void opens_files_only(void **state)
{
	lua_State *lua = begin();
	const char *fifo = unit_path("fifo");

	(void)state;
	assert_int_equal(mkfifo(fifo, 0600), 0);
	alarm(60);
	assert_true(is_routed(lua, fifo));
	alarm(0);
	lua_close(lua);
}

/* A job that moves has its variables from a file. */
static void records_what_can_move(void **state)
{
	static const struct {
		const char *json;
		bool recorded;
	} cases[] = {
		{ "\"ntasks\":\"4\"", true }, { "\"wait\":\"set\"", false },
		{ "\"export\":\"ALL\"", true }, { "\"export\":\"none\"", true },
		{ "\"export\":\"NIL\"", true }, { "\"export\":\"ALL,A=b\"", true },
		{ "\"export\":\"ALLOWED\"", false }, { "\"export\":\"A,B=c\"", false },
		{ "\"export\":\"A=\\\"ALL\\\"\"", false }, { "\"export\": 1", false },
		{ "\"export-file\":\"f\"", false }, { "\"propagate\":\"CPU\"", false },
	};
	lua_State *lua = begin();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(luaL_loadstring(lua, recorded), LUA_OK);
		lua_pushstring(lua, cases[i].json);
		if (lua_pcall(lua, 1, 1, 0) != LUA_OK)
			fail_msg("%s", lua_tostring(lua, -1));
		if (lua_toboolean(lua, -1) != cases[i].recorded)
			fail_msg("%s", cases[i].json);
		lua_pop(lua, 1);
	}
	lua_close(lua);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_heterogeneous_jobs),
		cmocka_unit_test(opens_files_only),
		cmocka_unit_test(records_what_can_move),
	};

	return cmocka_run_group_tests_name("cli_filter", tests, unit_files_begin, unit_files_end);
}
