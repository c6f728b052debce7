/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A policy in Lua, from the file to the order of some jobs. */
#include "tests/fuzz/fuzz.h"

#include <unistd.h>

#include "common/sched.h"
#include "sim-frontend/script/script.h"
#include "tests/fuzz/file.h"

const char fuzz_name[] = "script";

#define HOSTS 2
#define JOBS 5

static char link_path[64];

static void remove_link(void)
{
	unlink(link_path);
}

/* The kind of a policy is known by the name of its file: a link with such a name. */
static const char *lua_file(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);

	if (!path || link_path[0])
		return path ? link_path : NULL;
	snprintf(link_path, sizeof(link_path), "/tmp/lxfw-fuzz-%ld.lua", (long)getpid());
	FUZZ_CHECK(symlink(path, link_path) == 0 && atexit(remove_link) == 0);
	return link_path;
}

static void apply(struct lxfw_sched *sched, const struct lxfw_event *event)
{
	struct lxfw_error error = { "" };

	if (lxfw_sched_apply(sched, event, &error))
		FUZZ_CHECK(error.text[0] != '\0');
}

static void add_hosts(struct lxfw_sched *sched)
{
	static const char *const names[HOSTS] = { "n0", "n1" };

	for (int32_t i = 0; i < HOSTS; i++) {
		const struct lxfw_event event = {
			.type = LXFW_EVENT_HOST, .host = {
				.index = i, .up = true, .name = names[i],
				.total = { .procs = 4, .memory_mb = 4000 },
			},
		};

		apply(sched, &event);
	}
}

static void add_jobs(struct lxfw_sched *sched)
{
	for (int i = 0; i < JOBS; i++) {
		const struct lxfw_request request = {
			.id = (uint64_t)i + 1, .submit = 10 * i, .estimate = 1 << 2 * i,
			.shape = LXFW_SHAPE_ANYWHERE, .unit = { .procs = 1, .memory_mb = 100 * i },
			.count = 8 - i, .tier = i == 3,
		};
		const struct lxfw_event event = {
			.type = LXFW_EVENT_JOB_SUBMIT, .time = request.submit, .request = &request,
		};

		apply(sched, &event);
	}
}

static void decide(const struct lxfw_params *params)
{
	struct lxfw_sched *sched = lxfw_sched_create(params);
	struct lxfw_decision decision;

	if (!sched)
		return;
	add_hosts(sched);
	add_jobs(sched);
	for (int64_t now = 100; now < 100000; now *= 10) {
		if (lxfw_sched_decide(sched, now, &decision))
			break;
		FUZZ_CHECK(decision.wake > now);
	}
	lxfw_sched_destroy(sched);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = lua_file(data, size);
	struct lxfw_error error = { "" };
	struct lxfw_script *script = path ? lxfw_script_load(path, &error) : NULL;
	struct lxfw_params params;

	if (!script) {
		FUZZ_CHECK(error.text[0] != '\0');
		return 0;
	}
	if (lxfw_script_params(script, NULL, &params, &error) == 0)
		decide(&params);
	else
		FUZZ_CHECK(error.text[0] != '\0');
	lxfw_script_free(script);
	return 0;
}
