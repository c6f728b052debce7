/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Policies in Lua: an order of waiting jobs, and the kind of backfill.
 *
 * Each scheduler runs the script in a separate state, which is freed as an observer. The
 * script has access to nothing that differs from run to run: no files, modules, clock or
 * addresses. pairs() visits keys in sorted order, since the order of Lua's tables is
 * random. pcall() and coroutines are removed, since they could prevent the abortion of a
 * script that runs too long. A call of a function of the library counts as one
 * instruction. Functions of which one call can take years are therefore removed: those
 * with patterns, and those that repeat a step for each number of a range. All others take
 * time in proportion to the memory in use, which is limited.
 */
#include "sim-frontend/script/script.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "common/books/books.h"
#include "common/books/observer.h"
#include "sim-frontend/util/text.h"

/* Limits per call. An instruction can take long, if it copies or compares strings of many
   MB. The processor time is therefore limited too. */
#define INSTRUCTIONS_MAX 10000000
#define SECONDS_MAX 5
#define INSTRUCTIONS_TIMED 1000	/* number after which the time is examined */

/* Limit of a script. */
#define MEMORY_MAX ((size_t)64 << 20)

/* Prefix of Lua's messages. The path may be too long for it. */
#define CHUNK "policy"

/* Registry fields of objects that are used in each pass. */
#define PRIORITY "priority"
#define JOB "job"

static const char prelude[] =
"local next, type, sort, error, select = next, type, table.sort, error, select\n"
"local find, format, text = string.find, string.format, tostring\n"
"local function before(a, b)\n"
"	local of, other = type(a), type(b)\n"
"	if of ~= other then return of < other end\n"
"	return a < b\n"
"end\n"
"function pairs(t)\n"
"	local keys, at = {}, 0\n"
"	for key in next, t do\n"
"		if type(key) ~= 'number' and type(key) ~= 'string' then\n"
"			error('pairs() of a table with a ' .. type(key) ..\n"
"			      ' as key, not a number or text', 2)\n"
"		end\n"
"		keys[#keys + 1] = key\n"
"	end\n"
"	sort(keys, before)\n"
"	return function()\n"
"		at = at + 1\n"
"		if keys[at] ~= nil then return keys[at], t[keys[at]] end\n"
"	end\n"
"end\n"
"function tostring(value)\n"
"	local of = type(value)\n"
"	return (of == 'table' or of == 'function') and of or text(value)\n"
"end\n"
"function string.format(how, ...)\n"
"	for i = 1, select('#', ...) do\n"
"		local of = type((select(i, ...)))\n"
"		if of == 'table' or of == 'function' then\n"
"			error('string.format() of a ' .. of, 2)\n"
"		end\n"
"	end\n"
"	if find(how, '%%[^%a%%]*p') then error('string.format() with %p', 2) end\n"
"	return format(how, ...)\n"
"end\n"
"math.randomseed(1)\n"
"math.randomseed, string.dump, table.sort = nil, nil, nil\n"
"string.find, string.match, string.gmatch, string.gsub = nil, nil, nil, nil\n"
"string.rep, table.insert, table.move, table.remove = nil, nil, nil, nil\n"
"for _, name in ipairs { 'collectgarbage', 'dofile', 'getmetatable', 'load',\n"
"			'loadfile', 'next', 'pcall', 'print', 'rawequal', 'rawget',\n"
"			'rawlen', 'rawset', 'setmetatable', 'warn', 'xpcall' } do\n"
"	_G[name] = nil\n"
"end\n";

static const luaL_Reg libraries[] = {
	{ LUA_GNAME, luaopen_base },
	{ LUA_MATHLIBNAME, luaopen_math },
	{ LUA_STRLIBNAME, luaopen_string },
	{ LUA_TABLIBNAME, luaopen_table },
	{ LUA_UTF8LIBNAME, luaopen_utf8 },
	{ NULL, NULL },
};

/* A running script. */
struct run {
	const struct lxfw_script *script;
	lua_State *lua;
	size_t memory;		/* bytes in use */
	int32_t instructions;	/* executed by the present call, rounded down */
	int64_t begun;		/* processor time in ns when they were counted first */
	struct lxfw_error problem;
};

/* --- a state ---------------------------------------------------------------------- */

static void *allocate(void *context, void *old, size_t old_size, size_t size)
{
	struct run *run = context;
	size_t before = old ? old_size : 0;
	void *new;

	if (size == 0) {
		free(old);
		run->memory -= before;
		return NULL;
	}
	if (size > before && run->memory + (size - before) > MEMORY_MAX)
		return NULL;
	new = realloc(old, size);
	if (new)
		run->memory = run->memory - before + size;
	return new;
}

static struct run *run_in(lua_State *lua)
{
	void *run;

	(void)lua_getallocf(lua, &run);
	return run;
}

/* Processor time of this thread in ns. Does not depend on the load of the machine. */
static int64_t time_used(void)
{
	struct timespec used;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used))
		return 0;
	return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

/* Called after each INSTRUCTIONS_TIMED instructions. Ends the call beyond its limits. */
static void count(lua_State *lua, lua_Debug *at)
{
	struct run *run = run_in(lua);

	(void)at;
	if (run->instructions == 0)
		run->begun = time_used();
	run->instructions += INSTRUCTIONS_TIMED;
	luaL_where(lua, 0);
	if (run->instructions >= INSTRUCTIONS_MAX)
		lua_pushfstring(lua, "no end after %d instructions, expected one",
				INSTRUCTIONS_MAX);
	else if (time_used() - run->begun >= SECONDS_MAX * INT64_C(1000000000))
		lua_pushfstring(lua, "no end after %d s of computation, expected one",
				SECONDS_MAX);
	else {
		lua_pop(lua, 1);
		return;
	}
	lua_concat(lua, 2);
	lua_error(lua);
}

/* Resets the limits for a call. */
static void begin_call(lua_State *lua)
{
	run_in(lua)->instructions = 0;
	lua_sethook(lua, count, LUA_MASKCOUNT, INSTRUCTIONS_TIMED);
}

static int no_variable(lua_State *lua)
{
	return luaL_error(lua, "no variable '%s', expected one of the script's own, or math, "
			  "string, table or utf8", luaL_tolstring(lua, 2, NULL));
}

static int no_field(lua_State *lua)
{
	return luaL_error(lua, "a job has no '%s', expected id, submit, wait, procs, "
			  "hosts, limit, memory or tier", luaL_tolstring(lua, 2, NULL));
}

/* Makes the use of an undefined global an error: `os`, or a misspelled name. */
static void be_strict(lua_State *lua, lua_CFunction missing)
{
	lua_createtable(lua, 0, 1);
	lua_pushcfunction(lua, missing);
	lua_setfield(lua, -2, "__index");
	lua_setmetatable(lua, -2);
}

static void find_priority(lua_State *lua)
{
	lua_pushglobaltable(lua);
	lua_pushliteral(lua, PRIORITY);
	lua_rawget(lua, -2);
	if (!lua_isfunction(lua, -1)) {
		lua_pushliteral(lua, CHUNK ":1: no function priority(job, now), "
				"expected one that returns a number");
		lua_error(lua);
	}
	lua_setfield(lua, LUA_REGISTRYINDEX, PRIORITY);
	lua_pop(lua, 1);
}

/* Runs the script once. Called in protected mode, as is all that may fail. */
static int begin_script(lua_State *lua)
{
	const struct run *run = lua_touserdata(lua, 1);

	for (const luaL_Reg *one = libraries; one->func; one++) {
		luaL_requiref(lua, one->name, one->func, 1);
		lua_pop(lua, 1);
	}
	if (luaL_loadbufferx(lua, prelude, sizeof(prelude) - 1, "=lxfw", "t"))
		return lua_error(lua);
	lua_call(lua, 0, 0);
	lua_pushglobaltable(lua);
	be_strict(lua, no_variable);
	lua_pop(lua, 1);
	if (luaL_loadbufferx(lua, run->script->source, run->script->length,
			     "=" CHUNK, "t"))
		return lua_error(lua);
	begin_call(lua);
	lua_call(lua, 0, 0);
	find_priority(lua);
	lua_createtable(lua, 0, 8);
	be_strict(lua, no_field);
	lua_setfield(lua, LUA_REGISTRYINDEX, JOB);
	return 0;
}

/* The message handler. Adds the line of the script to messages that have no line or
   one of another chunk. */
static int locate(lua_State *lua)
{
	const char *text = lua_tostring(lua, 1);
	lua_Debug at;

	if (!text)
		text = "an error without a text";
	if (strncmp(text, CHUNK ":", sizeof(CHUNK)) == 0)
		return 1;
	if (strncmp(text, "lxfw:", 5) == 0)
		text += 5 + strspn(text + 5, "0123456789: ");
	for (int level = 0; lua_getstack(lua, level, &at); level++) {
		lua_getinfo(lua, "Sl", &at);
		if (at.currentline > 0 && strcmp(at.short_src, CHUNK) == 0) {
			lua_pushfstring(lua, CHUNK ":%d: %s", at.currentline, text);
			return 1;
		}
	}
	/* a tail call removes the function from the stack */
	if (lua_getfield(lua, LUA_REGISTRYINDEX, PRIORITY) != LUA_TFUNCTION) {
		lua_pushstring(lua, text);
		return 1;
	}
	lua_getinfo(lua, ">S", &at);
	lua_pushfstring(lua, CHUNK ":%d: %s", at.linedefined, text);
	return 1;
}

/* Converts Lua's message, "policy:LINE: text". */
static void say(struct run *run)
{
	const char *text = lua_tostring(run->lua, -1);
	char quoted[400];
	long line = 0;

	if (strncmp(text, CHUNK ":", sizeof(CHUNK)) == 0) {
		char *end;

		line = strtol(text + sizeof(CHUNK), &end, 10);
		text = end + strspn(end, ": ");
	}
	lxfw_text_quote(quoted, sizeof(quoted), text, strlen(text));
	lxfw_error_at(&run->problem, run->script->path, line, "%s%s", quoted,
		      strstr(quoted, ", expected ") ? "" :
		      ", expected a function priority(job, now) that returns a number");
}

/* Calls FUNCTION with ARGUMENT. Returns 0, or -1 with `problem` set. */
static int protect(struct run *run, lua_CFunction function, void *argument)
{
	int failed;

	/* these need no memory, and the stack has 20 free slots */
	lua_pushcfunction(run->lua, locate);
	lua_pushcfunction(run->lua, function);
	lua_pushlightuserdata(run->lua, argument);
	failed = lua_pcall(run->lua, 1, 0, 1);
	if (failed == LUA_ERRMEM)
		lxfw_error_at(&run->problem, run->script->path, 0, "out of memory, "
			      "expected a script that needs at most %zu MB",
			      MEMORY_MAX >> 20);
	else if (failed)
		say(run);
	lua_settop(run->lua, 0);
	return failed ? -1 : 0;
}

static void close_run(struct run *run)
{
	if (run->lua)
		lua_close(run->lua);
	free(run);
}

/* Returns NULL with errno ENOMEM, or EINVAL with ERROR set. */
static struct run *open_run(const struct lxfw_script *script, struct lxfw_error *error)
{
	struct run *run = calloc(1, sizeof(*run));

	if (run) {
		run->script = script;
		run->lua = lua_newstate(allocate, run);
	}
	if (!run || !run->lua) {
		free(run);
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
		return NULL;
	}
	if (protect(run, begin_script, run)) {
		if (error)
			*error = run->problem;
		close_run(run);
		errno = EINVAL;
		return NULL;
	}
	return run;
}

/* --- the policy ------------------------------------------------------------------- */

static void clear(struct lxfw_sched *sched, void *state)
{
	(void)sched;
	close_run(state);
}

static const struct lxfw_observer observer = { .clear = clear };

static const struct lxfw_script *script_of(const struct lxfw_sched *sched)
{
	return (const struct lxfw_script *)sched->policy;
}

static struct run *run_of(const struct lxfw_sched *sched,
			  const struct lxfw_script *script)
{
	for (int i = 0; i < sched->observer_count; i++) {
		const struct lxfw_attached *at = &sched->observers[i];
		struct run *run = at->state;

		if (at->observer == &observer && run->script == script)
			return run;
	}
	return NULL;
}

/* The script ran when the file was read, so a failure now means that memory ran out. */
static int begin(struct lxfw_sched *sched)
{
	const struct lxfw_script *script =
		(const struct lxfw_script *)sched->params.script;
	struct run *run = run_of(sched, script);

	if (run)
		return 0;
	run = open_run(script, NULL);
	if (!run) {
		errno = ENOMEM;
		return -1;
	}
	lxfw_observe(sched, &observer, run);
	return 0;
}

static void set(lua_State *lua, const char *field, int64_t value)
{
	lua_pushinteger(lua, value);
	lua_setfield(lua, -2, field);
}

static void push_job(lua_State *lua, const struct lxfw_sched *sched,
		     const struct lxfw_head *head)
{
	const struct lxfw_class *class = &sched->classes[head->class];
	const struct lxfw_request *request = &sched->jobs[class->head].request;
	struct lxfw_resources sum = lxfw_request_sum(request);

	lua_getfield(lua, LUA_REGISTRYINDEX, JOB);
	set(lua, "id", (int64_t)request->id);
	set(lua, "submit", request->submit);
	set(lua, "wait", sched->now - request->submit);
	set(lua, "procs", sum.procs);
	set(lua, "hosts", request->shape == LXFW_SHAPE_HOSTS ? request->count :
							       request->min_hosts);
	set(lua, "limit", request->estimate);
	set(lua, "memory", sum.memory_mb);
	set(lua, "tier", request->tier);
}

/* Reports a result that is not a number, with the line where the function begins. */
static int refuse(lua_State *lua, const struct lxfw_head *head,
		  const struct lxfw_sched *sched)
{
	const char *what = lua_type(lua, -1) == LUA_TNUMBER ? "NaN" :
							      luaL_typename(lua, -1);
	uint64_t job = sched->jobs[sched->classes[head->class].head].request.id;
	lua_Debug at;

	lua_getfield(lua, LUA_REGISTRYINDEX, PRIORITY);
	lua_getinfo(lua, ">S", &at);
	lua_pushfstring(lua, CHUNK ":%d: priority() returned %s for job %I",
			at.linedefined, what, (LUAI_UACINT)job);
	return lua_error(lua);
}

static int rank_all(lua_State *lua)
{
	struct lxfw_sched *sched = lua_touserdata(lua, 1);

	for (size_t i = 0; i < sched->head_count; i++) {
		struct lxfw_head *head = &sched->heads[i];
		double priority;

		lua_settop(lua, 1);
		lua_getfield(lua, LUA_REGISTRYINDEX, PRIORITY);
		push_job(lua, sched, head);
		lua_pushinteger(lua, sched->now);
		begin_call(lua);
		lua_call(lua, 2, 1);
		if (lua_type(lua, -1) != LUA_TNUMBER)
			return refuse(lua, head, sched);
		priority = lua_tonumber(lua, -1);
		if (isnan(priority))
			return refuse(lua, head, sched);
		head->intercept = priority;
	}
	return 0;
}

static int rank(struct lxfw_sched *sched)
{
	struct run *run = run_of(sched, script_of(sched));

	if (protect(run, rank_all, sched) == 0)
		return 0;
	sched->problem = run->problem.text;
	return -1;
}

/* --- backfill according to the script --------------------------------------------- */

static const struct { const char *name, *preset; } kinds[] = {
	{ "easy", NULL },
	{ "conservative", "lxfw_reservations=all,lxfw_reservation_mode=compress" },
	{ "none", NULL },
};

static int refuse_backfill(lua_State *lua)
{
	const char *is = lua_type(lua, -1) == LUA_TSTRING ||
			 lua_type(lua, -1) == LUA_TNUMBER ?
				 lua_tostring(lua, -1) : luaL_typename(lua, -1);

	return luaL_error(lua, CHUNK ":1: backfill is '%s', expected "
			  "\"easy\", \"conservative\", \"none\" or a number of reservations "
			  "from 1 to 1000000", is);
}

static int read_backfill(lua_State *lua)
{
	struct lxfw_script *script = lua_touserdata(lua, 1);
	lua_Integer count;
	const char *text;

	lua_pushglobaltable(lua);
	lua_pushliteral(lua, "backfill");
	lua_rawget(lua, -2);
	if (lua_isnil(lua, -1))
		return 0;
	if (lua_isinteger(lua, -1)) {
		count = lua_tointeger(lua, -1);
		if (count < 1 || count > 1000000)
			return refuse_backfill(lua);
		snprintf(script->preset, sizeof(script->preset),
			 "lxfw_reservations=%lld", (long long)count);
		return 0;
	}
	text = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "";
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(kinds[i].name, text) != 0)
			continue;
		if (kinds[i].preset)
			strcpy(script->preset, kinds[i].preset);
		else if (strcmp(text, "none") == 0)
			script->policy.backfill.reservations =
				LXFW_NO_RESERVATIONS;
		return 0;
	}
	return refuse_backfill(lua);
}

int lxfw_script_lua(struct lxfw_script *script, struct lxfw_error *error)
{
	struct run *run = open_run(script, error);

	if (!run)
		return -1;
	if (protect(run, read_backfill, script)) {
		*error = run->problem;
		close_run(run);
		errno = EINVAL;
		return -1;
	}
	close_run(run);
	script->policy.preset = script->preset;
	script->policy.order = (struct lxfw_order) {
		.name = "a script", .alone = true, .rank = rank,
	};
	script->policy.begin = begin;
	return 0;
}
