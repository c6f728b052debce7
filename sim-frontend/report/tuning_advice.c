/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/tuning_advice.h"

#include <stdlib.h>
#include <string.h>

#include "sim-frontend/report/page.h"
#include "sim-frontend/report/svg.h"

#define TEXT 700

void lxfw_tuning_advice_clear(struct lxfw_tuning_advice *advice)
{
	free(advice->lines);
	free(advice->diff);
	free(advice->restarts);
	*advice = (struct lxfw_tuning_advice) { .path = NULL };
}

static bool changes(const struct lxfw_tuning_advice *advice)
{
	return advice->diff && *advice->diff;
}

/* --- sentences ---------------------------------------------------------------------- */

/* The sentences before the lines. */
static void put_before(const struct lxfw_tuning_advice *advice, char *text)
{
	switch (advice->site) {
	case LXFW_ADVICE_CONF:
		if (advice->impossible)
			snprintf(text, TEXT, "sched/lxfw cannot run this setting as it was "
				 "simulated: 'lxfw check-conf' would change it, and says why. "
				 "%s is not changed.", advice->path);
		else if (!changes(advice))
			snprintf(text, TEXT, "%s has this setting. Nothing is to be done.",
				 advice->path);
		else
			snprintf(text, TEXT, "Change these lines of %s, '-' is removed and '+' is "
				 "added.%s", advice->path, advice->runs ? "" :
				 " They include what sched/lxfw needs beside the setting.");
		break;
	case LXFW_ADVICE_PBS:
		snprintf(text, TEXT, "Give lxfw-pbsd these lines in its file of parameters "
			 "(lxfw-pbsd --config FILE), and keep its other lines.");
		break;
	case LXFW_ADVICE_SLURM:
		snprintf(text, TEXT, "On a Slurm cluster, put these lines into slurm.conf, and "
			 "keep the other items of its SchedulerParameters. "
			 "With --cluster slurm.conf, this is the change of that file.");
		break;
	}
}

/* What the controller must do then. */
static void put_then(const struct lxfw_tuning_advice *advice, char *text)
{
	switch (advice->site) {
	case LXFW_ADVICE_CONF:
		if (advice->impossible || !changes(advice))
			text[0] = '\0';
		else if (advice->restarts)
			snprintf(text, TEXT, "Then restart slurmctld, since %s changes: "
				 "'scontrol reconfigure' is not sufficient. %s "
				 "'lxfw check-conf' on the host of slurmctld checks "
				 "the result with the installed files.", advice->restarts,
				 advice->selects ? "SelectType changes, too: unless "
				 "select/cons_tres or cons_res was in use before (cons_tres is the "
				 "default from Slurm 23.11 on), running jobs are lost, see "
				 "slurm.conf(5): do this when none runs." : "Running jobs continue.");
		else
			snprintf(text, TEXT, "Then run 'scontrol reconfigure'. slurmctld need not "
				 "be restarted.");
		break;
	case LXFW_ADVICE_PBS:
		snprintf(text, TEXT, "Then send lxfw-pbsd SIGHUP. If pbs_sched schedules now, it "
			 "has none of these keys: start lxfw-pbsd in its place (lxfw-pbsd(8)), or "
			 "use what 'lxfw tune --pbs-formula' prints for pbs_sched.");
		break;
	case LXFW_ADVICE_SLURM:
		snprintf(text, TEXT, "If SchedulerType changes, restart slurmctld: without "
			 "sched/lxfw the items have no effect, and 'scontrol reconfigure' does not "
			 "load it. If it was sched/lxfw before, run 'scontrol reconfigure'.");
		break;
	}
}

static void put_back(const struct lxfw_tuning_advice *advice, char *text)
{
	switch (advice->site) {
	case LXFW_ADVICE_CONF:
		if (advice->impossible || !changes(advice))
			text[0] = '\0';
		else
			snprintf(text, TEXT, "To go back, restore the '-' lines, remove the '+' lines, "
				 "and %s.",
				 advice->restarts ? "restart slurmctld" :
						    "run 'scontrol reconfigure'");
		break;
	case LXFW_ADVICE_PBS:
		snprintf(text, TEXT, "To go back, restore the file and send SIGHUP. To return to "
			 "pbs_sched, see 'Going back' in lxfw-pbsd(8).");
		break;
	case LXFW_ADVICE_SLURM:
		snprintf(text, TEXT, "To go back, restore both lines as they were, and restart "
			 "slurmctld or run 'scontrol reconfigure' likewise.");
		break;
	}
}

static const char shadow_text[] =
	"The setting has lxfw_shadow=on: sched/lxfw records decisions and starts no jobs until "
	"this item is removed.";

/* --- text --------------------------------------------------------------------------- */

static const char *lines_of(const struct lxfw_tuning_advice *advice)
{
	const char *lines = advice->site == LXFW_ADVICE_CONF ? advice->diff : advice->lines;

	return lines && !advice->impossible ? lines : "";
}

static void print_sentence(const char *text, FILE *out)
{
	if (*text)
		fprintf(out, "%s\n", text);
}

void lxfw_tuning_advice_print(const struct lxfw_tuning_advice *advice, FILE *out)
{
	char text[TEXT];

	put_before(advice, text);
	fprintf(out, "\nWhat to do: %s\n", text);
	fputs(lines_of(advice), out);
	put_then(advice, text);
	print_sentence(text, out);
	put_back(advice, text);
	print_sentence(text, out);
	if (advice->shadow)
		print_sentence(shadow_text, out);
}

/* --- page --------------------------------------------------------------------------- */

static void put_sentence(const char *text, struct lxfw_output *output)
{
	if (!*text)
		return;
	lxfw_output_text(output, "<p>");
	lxfw_html_text(output, text);
	lxfw_output_text(output, "</p>\n");
}

/* The lines that are added, each for one click. */
static void put_added(const char *diff, struct lxfw_output *output)
{
	char *copy = strdup(diff), *rest = copy, *line;

	while (rest && (line = strsep(&rest, "\n")) != NULL) {
		if (*line == '+' && strncmp(line, "+++ ", 4) != 0)
			lxfw_page_copy_line(output, line + 1);
	}
	free(copy);
}

static void put_lines(const char *lines, struct lxfw_output *output)
{
	char *copy = strdup(lines), *rest = copy, *line;

	while (rest && (line = strsep(&rest, "\n")) != NULL) {
		if (*line)
			lxfw_page_copy_line(output, line);
	}
	free(copy);
}

void lxfw_tuning_advice_page(const struct lxfw_tuning_advice *advice,
			     struct lxfw_output *output)
{
	const char *lines = lines_of(advice);
	char text[TEXT];

	lxfw_output_text(output, "<p><b>What to do</b></p>\n");
	put_before(advice, text);
	put_sentence(text, output);
	if (*lines && advice->site == LXFW_ADVICE_CONF) {
		lxfw_output_text(output, "<div class=\"scroll\" tabindex=\"0\"><pre><code>");
		lxfw_html_text(output, lines);
		lxfw_output_text(output, "</code></pre></div>\n<p>The added lines; one click "
				 "selects a line:</p>\n");
		put_added(lines, output);
	} else if (*lines) {
		put_lines(lines, output);
	}
	put_then(advice, text);
	put_sentence(text, output);
	put_back(advice, text);
	put_sentence(text, output);
	if (advice->shadow)
		put_sentence(shadow_text, output);
}
