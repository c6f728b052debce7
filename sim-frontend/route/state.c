/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim-frontend/util/text.h"

#define HEAD "lxfw-move 1 "
#define LINE 512
#define MOST INT32_MAX

static const char *const phases[] = {
	[LXFW_MOVE_REST] = "rest", [LXFW_MOVE_COPYING] = "copying",
	[LXFW_MOVE_HOLDING] = "holding", [LXFW_MOVE_CANCELLING] = "cancelling",
	[LXFW_MOVE_ALONE] = "alone", [LXFW_MOVE_ARRIVING] = "arriving",
	[LXFW_MOVE_LEAVING] = "leaving", [LXFW_MOVE_DONE] = "done",
};

static int invalid(void)
{
	errno = EINVAL;
	return -1;
}

/* A name, or "-" for none. */
static int take_name(const char *word, char to[LXFW_ROUTE_NAME])
{
	*to = '\0';
	if (!word)
		return -1;
	if (strcmp(word, "-") == 0)
		return 0;
	if (!lxfw_route_name_is_valid(word))
		return -1;
	strcpy(to, word);
	return 0;
}

int lxfw_route_state_parse(struct lxfw_move *state, char *line)
{
	int64_t *const numbers[] = {
		&state->serial, &state->next, &state->moves, &state->since, &state->job,
	};
	char *rest = NULL, *word;
	size_t phase = 0;

	*state = (struct lxfw_move) { 0 };
	if (strncmp(line, HEAD, sizeof(HEAD) - 1) != 0)
		return invalid();
	word = strtok_r(line + sizeof(HEAD) - 1, " \n", &rest);
	while (word && phase <= LXFW_MOVE_DONE && strcmp(word, phases[phase]) != 0)
		phase++;
	if (!word || phase > LXFW_MOVE_DONE)
		return invalid();
	state->phase = (enum lxfw_move_phase)phase;
	for (int i = 0; i < 5; i++) {
		if (i == 4 && take_name(strtok_r(NULL, " \n", &rest), state->old))
			return invalid();
		word = strtok_r(NULL, " \n", &rest);
		if (!word || lxfw_text_integer(word, strlen(word), 0, i == 3 ? INT64_MAX : MOST,
					       numbers[i]))
			return invalid();
	}
	if (take_name(strtok_r(NULL, " \n", &rest), state->new) || strtok_r(NULL, " \n", &rest) ||
	    state->next < state->serial)
		return invalid();
	if ((state->phase == LXFW_MOVE_COPYING || state->phase == LXFW_MOVE_HOLDING ||
	     state->phase == LXFW_MOVE_CANCELLING || state->phase == LXFW_MOVE_ALONE) &&
	    !*state->new)
		return invalid();
	return 0;
}

int lxfw_route_state_read(struct lxfw_move *state, int folder, const char *marker,
			  struct lxfw_error *error)
{
	char name[LXFW_ROUTE_MARKER + 8], line[LINE];
	ssize_t got;
	int file;

	*state = (struct lxfw_move) { .phase = LXFW_MOVE_REST };
	snprintf(name, sizeof(name), "%.16s.state", marker);
	file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (file < 0)
		return errno == ENOENT ? 0 : lxfw_error_system(error, name);
	got = read(file, line, sizeof(line) - 1);
	close(file);
	line[got > 0 ? got : 0] = '\0';
	return lxfw_route_state_parse(state, line) ?
	       lxfw_error_at(error, name, 1, "not a state of 'lxfw route --pull'") : 0;
}

int lxfw_route_state_write(const struct lxfw_move *state, int folder,
			   const char *marker, struct lxfw_error *error)
{
	char name[LXFW_ROUTE_MARKER + 8], temporary[LXFW_ROUTE_MARKER + 8], line[LINE];
	int length = snprintf(line, sizeof(line), HEAD "%s %lld %lld %lld %lld %s %lld %s\n",
			      phases[state->phase], (long long)state->serial,
			      (long long)state->next, (long long)state->moves,
			      (long long)state->since, *state->old ? state->old : "-",
			      (long long)state->job, *state->new ? state->new : "-");
	int file;

	snprintf(name, sizeof(name), "%.16s.state", marker);
	snprintf(temporary, sizeof(temporary), "%.16s.new", marker);
	file = openat(folder, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW |
		      O_NONBLOCK | O_CLOEXEC, 0600);
	if (file < 0)
		return lxfw_error_system(error, temporary);
	if (write(file, line, (size_t)length) != length || fsync(file)) {
		lxfw_error_system(error, temporary);
		close(file);
		return -1;
	}
	if (close(file) || renameat(folder, temporary, folder, name) || fsync(folder))
		return lxfw_error_system(error, name);
	return 0;
}
