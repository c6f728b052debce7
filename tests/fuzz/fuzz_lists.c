/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Short texts of other programs. The first byte selects one: 'd' the dependencies of a job,
 * 'o' a command line of sbatch, 't' a JSON web token, 'j' the number and the name of a job by
 * squeue, 0x7f the file of a plugin, anything else the parameters that the plugin has saved.
 */
#include "tests/fuzz/fuzz.h"

#include <errno.h>

#include "plugins/agent/kept_file.h"
#include "sim-frontend/conf/plugin_file.h"
#include "sim-frontend/predict/squeue.h"
#include "sim-frontend/rest/jwt.h"
#include "sim-frontend/trace/dependency.h"
#include "tests/fuzz/file.h"

const char fuzz_name[] = "lists";

static int take_dependency(void *context, const struct lxfw_dependency *dependency)
{
	size_t *left = context;

	FUZZ_CHECK(dependency->number >= 1);
	FUZZ_CHECK(dependency->task >= 0 || dependency->task == LXFW_DEPENDENCY_ALL ||
		   dependency->task == LXFW_DEPENDENCY_SAME);
	return --*left == 0 ? 7 : 0;
}

static void read_dependencies(struct lxfw_slice text)
{
	size_t others = 0, left = 1 + text.length % 5;
	int result = lxfw_dependency_each(text, take_dependency, &left, &others);

	FUZZ_CHECK(result == (left == 0 ? 7 : 0));
	FUZZ_CHECK(others <= text.length + 1);
}

static void read_options(struct lxfw_slice line)
{
	struct lxfw_slice value = lxfw_dependency_option(line);

	(void)lxfw_dependency_limits(line);
	if (value.length == 0)
		return;
	FUZZ_CHECK(value.at >= line.at && value.at + value.length <= line.at + line.length);
	read_dependencies(value);
}

static void read_token(const char *text)
{
	struct lxfw_jwt jwt;

	if (lxfw_jwt_read(&jwt, text))
		return;
	FUZZ_CHECK(memchr(jwt.user, '\0', sizeof(jwt.user)));
	FUZZ_CHECK(memchr(jwt.algorithm, '\0', sizeof(jwt.algorithm)));
}

static void read_job(char *text)
{
	char *at = text, *number = lxfw_squeue_field(&at);
	const char *name = number ? lxfw_squeue_field(&at) : NULL;

	if (name)
		(void)lxfw_squeue_id(number, name);
}

static void read_kept(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	char *text = path ? lxfw_kept_read(path) : NULL;

	FUZZ_CHECK(text || !path || errno == EBADMSG);
	FUZZ_CHECK(!text || strlen(text) <= size);
	free(text);
}

static void read_plugin(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	struct lxfw_error error = { "" };
	uint32_t version;

	if (path && lxfw_plugin_version(path, &version, &error))
		FUZZ_CHECK(error.text[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lxfw_slice slice;
	char *text;

	if (size == 0)
		return 0;
	text = fuzz_text(data + 1, size - 1);
	FUZZ_CHECK(text);
	slice = (struct lxfw_slice) { text, size - 1 };
	switch (data[0]) {
	case 'd':
		read_dependencies(slice);
		break;
	case 'o':
		read_options(slice);
		break;
	case 't':
		read_token(text);
		break;
	case 'j':
		read_job(text);
		break;
	case 0x7f:
		read_plugin(data, size);
		break;
	default:
		read_kept(data, size);
		break;
	}
	free(text);
	return 0;
}
