/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/wire.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim-frontend/util/text.h"

#define HEAD "lxfw-route 1"
#define END "end\n"
#define AGE_MAX 86400
#define MOST (INT64_C(1) << 60)
#define TIME_MOST (INT64_C(1) << 40)	/* seconds: a wait and a thousand limits can be added */

bool lxfw_route_question_ends(const char *text, size_t length)
{
	size_t end = sizeof(END) - 1;

	return length > end && memcmp(text + length - end, END, end) == 0 &&
	       text[length - end - 1] == '\n';
}

static int bad(const char *line, struct lxfw_error *error)
{
	char quoted[60];

	return lxfw_error_format(error, "'%s', expected a question of 'lxfw route'",
				 lxfw_text_quote(quoted, sizeof(quoted), line, strlen(line)));
}

static int take_routed(struct lxfw_route_question *to, const char *line,
		       struct lxfw_error *error)
{
	size_t length = strcspn(line, " ");
	struct lxfw_route_routed *routed = &to->routed[to->routed_count];

	if (to->routed_count == LXFW_ROUTE_ROUTED ||
	    lxfw_text_integer(line, length, 0, AGE_MAX, &routed->age))
		return bad(line, error);
	to->routed_count++;
	return lxfw_request_read(&routed->request, line + length, error);
}

static int take_cluster(struct lxfw_route_question *to, const char *line,
			struct lxfw_error *error)
{
	const char *name = line + strlen("cluster ");

	if (!lxfw_route_name_is_valid(name))
		return bad(line, error);
	snprintf(to->cluster, sizeof(to->cluster), "%s", name);
	return 0;
}

static int take_line(struct lxfw_route_question *to, const char *line,
		     struct lxfw_error *error)
{
	int64_t job;

	if (strlen(line) > LXFW_ROUTE_LINE)
		return bad(line, error);
	if (strncmp(line, "start ", 6) == 0)
		return lxfw_request_read(&to->request, line + 6, error);
	if (strncmp(line, "cluster ", 8) == 0)
		return take_cluster(to, line, error);
	if (strncmp(line, "routed ", 7) == 0)
		return take_routed(to, line + 7, error);
	if (strncmp(line, "queue ", 6) == 0 &&
	    (strcmp(line + 6, "yes") == 0 || strcmp(line + 6, "no") == 0)) {
		to->queue = line[6] == 'y';
		return 0;
	}
	if (strncmp(line, "job ", 4) == 0 &&
	    lxfw_text_integer(line + 4, strlen(line + 4), 1, INT64_MAX, &job) == 0) {
		to->job = (uint64_t)job;
		return 0;
	}
	return bad(line, error);
}

int lxfw_route_question_read(struct lxfw_route_question *question, char *text,
			     struct lxfw_error *error)
{
	char *rest = NULL, *line = strtok_r(text, "\n", &rest);

	*question = (struct lxfw_route_question) { .queue = true };
	if (!line || strcmp(line, HEAD) != 0)
		return bad(line ? line : "", error);
	while ((line = strtok_r(NULL, "\n", &rest)) && strcmp(line, "end") != 0) {
		if (take_line(question, line, error))
			return -1;
	}
	if (!line || strtok_r(NULL, "\n", &rest))
		return bad(line ? "after the end" : "", error);
	if (question->job == 0 && question->request.tasks == 0)
		return bad("no job", error);
	return 0;
}

void lxfw_route_answer_write(const struct lxfw_route_answer *answer, char text[LXFW_ROUTE_ANSWER])
{
	char quoted[120], runs[60] = "";

	if (answer->ended > 0)
		snprintf(runs, sizeof(runs), " %" PRId64 " %" PRId64, answer->ended, answer->mean);
	if (answer->can)
		snprintf(text, LXFW_ROUTE_ANSWER, HEAD " start %" PRId64 " %" PRId64 " %" PRId64
			 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "%s\n", answer->wait,
			 answer->free, answer->procs, answer->work, answer->limit, answer->ping,
			 answer->pass, runs);
	else
		snprintf(text, LXFW_ROUTE_ANSWER, HEAD " no %s\n",
			 lxfw_text_quote(quoted, sizeof(quoted), answer->reason,
					 strlen(answer->reason)));
}

int lxfw_route_answer_read(struct lxfw_route_answer *answer, const char *text,
			   struct lxfw_error *error)
{
	int64_t *const numbers[] = {
		&answer->wait, &answer->free, &answer->procs, &answer->work, &answer->limit,
		&answer->ping, &answer->pass, &answer->ended, &answer->mean,
	};
	const char *at = text + sizeof(HEAD " start") - 1;
	size_t length = strcspn(text, "\n");
	char quoted[60];

	*answer = (struct lxfw_route_answer) { 0 };
	if (strncmp(text, HEAD " no ", sizeof(HEAD " no")) == 0 && length < strlen(text)) {
		lxfw_text_quote(answer->reason, sizeof(answer->reason),
				text + sizeof(HEAD " no"), length - sizeof(HEAD " no"));
		return 0;
	}
	answer->can = strncmp(text, HEAD " start ", sizeof(HEAD " start")) == 0 &&
		      length < strlen(text);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers) && answer->can; i++) {
		if (numbers[i] == &answer->ended && *at == '\n')
			break;
		size_t digits = strcspn(at + 1, " \n");
		bool time = numbers[i] == &answer->wait || numbers[i] == &answer->limit ||
			    numbers[i] == &answer->mean;
		bool age = numbers[i] == &answer->ping || numbers[i] == &answer->pass;

		answer->can = *at == ' ' &&
			      lxfw_text_integer(at + 1, digits, age ? -1 : 0,
						time ? TIME_MOST : MOST, numbers[i]) == 0;
		at += 1 + digits;
	}
	if (answer->can && *at == '\n')
		return 0;
	answer->can = false;
	return lxfw_error_format(error, "it says '%s', expected an answer of 'lxfw route "
				 "--serve'", lxfw_text_quote(quoted, sizeof(quoted), text, length));
}
