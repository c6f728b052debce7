/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of a queue: what waits and when it is expected to start, how full the machine will be,
   when a job that is submitted now would start, and how good this was. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "common/model/time.h"
#include "sim-frontend/report/chart.h"
#include "sim-frontend/report/page.h"
#include "sim-frontend/report/queue.h"
#include "sim-frontend/report/svg.h"
#include "sim-frontend/util/format.h"

/* Rows of a table of jobs. */
#define ROWS 500

/* The axis of waits begins here, seconds. */
#define WAIT_LEAST 60

static const struct lxfw_calendar local = { .known = true, .zone_rules = true };

static void put_card(struct lxfw_output *output, const char *title, const char *figure,
		     const char *more)
{
	lxfw_page_card_begin(output, title);
	lxfw_output_format(output, "<p><b>%s</b></p><p>%s</p>\n", figure, more);
	lxfw_page_card_end(output);
}

/* --- head ------------------------------------------------------------------------- */

static int64_t in_use(const struct lxfw_publication *of)
{
	int64_t procs = 0;

	for (size_t i = 0; i < of->count; i++)
		procs += of->jobs[i].state == LXFW_PUBLISHED_RUNNING ? of->jobs[i].procs : 0;
	return procs;
}

static int ascending(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/* Formats the time within which half of the jobs that wait are expected to start; "" if that is
   later than the futures, or nothing waits. */
static int median_wait(const struct lxfw_publication *of, char *text, size_t size)
{
	int64_t *starts = calloc(of->count + 1, sizeof(*starts)), median;
	size_t count = 0;

	*text = '\0';
	if (!starts)
		return -1;
	for (size_t i = 0; i < of->count; i++) {
		if (of->jobs[i].state == LXFW_PUBLISHED_WAITING)
			starts[count++] = of->jobs[i].times[LXFW_TOLD_START];
	}
	qsort(starts, count, sizeof(*starts), ascending);
	median = count > 0 ? starts[(count - 1) / 2] : LXFW_NEVER;
	free(starts);
	if (median != LXFW_NEVER)
		lxfw_format_span((double)(median > of->time ? median - of->time : 0), text, size);
	return 0;
}

static void put_notes(const struct lxfw_publication *of, struct lxfw_output *output)
{
	for (size_t i = 0; i < of->note_count; i++) {
		lxfw_output_text(output, "<p>Note: ");
		lxfw_html_text(output, of->notes[i].text);
		lxfw_output_text(output, ".</p>\n");
	}
}

static int put_head(const struct lxfw_publication *of, struct lxfw_output *output)
{
	char moment[64], figure[64], more[64], wait[32];
	size_t waiting = lxfw_publication_count(of, LXFW_PUBLISHED_WAITING);

	lxfw_page_begin(output, "When jobs start", *of->cluster ? of->cluster : "queue");
	lxfw_output_text(output, "<p class=\"soft head\">");
	lxfw_html_text(output, of->cluster);
	lxfw_output_format(output, "%sstate at %s", *of->cluster ? " &middot; " : "",
			   lxfw_page_moment(&local, of->time, moment, sizeof(moment)));
	lxfw_output_format(output, " &middot; renewed until %s at the latest</p>\n",
			   lxfw_page_moment(&local, of->until, moment, sizeof(moment)));
	if (of->old)
		lxfw_output_format(output, "<div class=\"verdict not\"><p>%s since %s. This is the state "
				   "of then.</p></div>\n", of->answers ?
				   "Nothing has seen the workload manager" :
				   "The workload manager has not answered",
				   lxfw_page_moment(&local, of->heard, moment, sizeof(moment)));
	put_notes(of, output);
	lxfw_page_cards_begin(output);
	snprintf(figure, sizeof(figure), "%lld", (long long)in_use(of));
	snprintf(more, sizeof(more), "%lld are up, on %lld node%s", (long long)of->procs,
		 (long long)of->hosts, of->hosts == 1 ? "" : "s");
	put_card(output, "processors in use", figure, more);
	snprintf(figure, sizeof(figure), "%zu",
		 lxfw_publication_count(of, LXFW_PUBLISHED_RUNNING));
	put_card(output, "jobs run", figure, "");
	if (median_wait(of, wait, sizeof(wait)))
		return -1;
	snprintf(figure, sizeof(figure), "%zu", waiting);
	snprintf(more, sizeof(more), "half of them start within %s", wait);
	put_card(output, "jobs wait", figure, *wait ? more : "");
	snprintf(figure, sizeof(figure), "%zu", lxfw_publication_count(of, LXFW_PUBLISHED_KEPT));
	put_card(output, "jobs without a prediction", figure, lxfw_publication_count(of,
		 LXFW_PUBLISHED_KEPT) > 0 ? "held, dependent, at a limit" : "");
	lxfw_page_cards_end(output);
	return 0;
}

/* --- the next day ----------------------------------------------------------------- */

static int put_use(const struct lxfw_publication *of, struct lxfw_output *output)
{
	static const char *const legend[LXFW_USE_LEVELS] = {
		"expected", "nine of ten futures have more", "nine of ten futures have less",
	};
	/* The level of each series. */
	static const int levels[LXFW_USE_LEVELS] = { LXFW_USE_MEDIAN, LXFW_USE_LOW, LXFW_USE_HIGH };
	struct lxfw_svg_point *points = calloc(of->use_count + 1, sizeof(*points));
	struct lxfw_chart chart = { 0 };
	int64_t most = of->procs;	/* jobs also run on nodes that are drained */

	if (!points)
		return -1;
	lxfw_chart_begin(&chart, output, "Processors in use in the next 24 hours", legend,
			 LXFW_USE_LEVELS);
	for (size_t i = 0; i < of->use_count; i++)
		most = of->use[i].procs[LXFW_USE_HIGH] > most ? of->use[i].procs[LXFW_USE_HIGH] : most;
	lxfw_chart_y_linear(&chart, (double)most, "processors");
	lxfw_chart_x_time(&chart, &local, of->use[0].time, of->use[of->use_count - 1].time);
	for (int k = 0; k < LXFW_USE_LEVELS; k++) {
		for (size_t i = 0; i < of->use_count; i++)
			points[i] = (struct lxfw_svg_point) {
				lxfw_chart_x_at(&chart, (double)of->use[i].time),
				lxfw_chart_y_at(&chart, (double)of->use[i].procs[levels[k]]),
			};
		lxfw_chart_curve(&chart, points, of->use_count, k, false);
	}
	lxfw_chart_end(&chart);
	free(points);
	return 0;
}

/* A wait that is longer than the futures is drawn at their end. */
static double drawn(int64_t wait, double most)
{
	return wait == LXFW_NEVER || (double)wait > most ? most : (double)wait;
}

static int put_waits(const struct lxfw_publication *of, struct lxfw_output *output)
{
	static const char *const legend[] = { "half of the jobs wait less", "nine of ten wait less" };
	struct lxfw_svg_point *points = calloc(of->wait_count + 1, sizeof(*points));
	struct lxfw_chart chart = { 0 };
	int64_t step = of->wait_count > 1 ? of->waits[1].time - of->waits[0].time : 0;
	double most = WAIT_LEAST * 10;

	if (!points)
		return -1;
	for (size_t i = 0; i < of->wait_count; i++) {
		int64_t wait = of->waits[i].most == LXFW_NEVER ? 36 * 3600 : of->waits[i].most;

		most = fmax(most, (double)wait);
	}
	lxfw_chart_begin(&chart, output, "Wait of jobs by when they are submitted", legend, 2);
	lxfw_chart_y_times(&chart, WAIT_LEAST, most, "wait");
	lxfw_chart_x_time(&chart, &local, of->waits[0].time,
			  of->waits[of->wait_count - 1].time + step);
	for (int k = 0; k < 2; k++) {
		size_t count = 0;

		for (size_t i = 0; i < of->wait_count; i++) {
			const struct lxfw_publication_wait *wait = &of->waits[i];

			if (wait->jobs > 0)
				points[count++] = (struct lxfw_svg_point) {
					lxfw_chart_x_at(&chart, (double)(wait->time + step / 2)),
					lxfw_chart_y_at(&chart, drawn(k ? wait->most : wait->median,
								      most)),
				};
		}
		lxfw_chart_curve(&chart, points, count, k, true);
	}
	lxfw_chart_end(&chart);
	free(points);
	return 0;
}

/* Fewer jobs in all futures say nothing of a time of the day. */
#define JOBS_LEAST 30

/* When waits are shortest. */
static void put_best(const struct lxfw_publication *of, struct lxfw_output *output)
{
	const struct lxfw_publication_wait *best = NULL, *now = &of->waits[0];
	char when[LXFW_QUEUE_TIME], shorter[32], longer[32];

	for (size_t i = 0; i < of->wait_count; i++) {
		const struct lxfw_publication_wait *wait = &of->waits[i];

		if (wait->jobs >= JOBS_LEAST && wait->median != LXFW_NEVER &&
		    (!best || wait->median < best->median))
			best = wait;
	}
	if (!best || now->jobs < JOBS_LEAST || now->median == LXFW_NEVER)
		return;
	lxfw_output_format(output, "<p>Half of the jobs that are submitted now are expected to %s%s.",
			   now->median > 0 ? "wait no longer than " : "start at once",
			   now->median > 0 ? lxfw_format_span((double)now->median, longer,
							      sizeof(longer)) : "");
	if (best != now && best->median < now->median)
		lxfw_output_format(output, " That is least for those that are submitted from %s on: "
				   "%s.", lxfw_queue_time(best->time, of->time, when),
				   lxfw_format_span((double)best->median, shorter,
						    sizeof(shorter)));
	lxfw_output_text(output, "</p>\n");
}

static int put_day(const struct lxfw_publication *of, struct lxfw_output *output)
{
	int result = 0;

	if (of->use_count < 2)
		return 0;
	lxfw_page_section(output, "day", "The next 24 hours");
	if (of->wait_count > 0)
		put_best(of, output);
	lxfw_page_figures_begin(output);
	result = put_use(of, output);
	if (result == 0 && of->wait_count > 0)
		result = put_waits(of, output);
	lxfw_page_figures_end(output);
	lxfw_output_format(output, "<p class=\"soft\">From simulated futures: run times are drawn "
			   "from earlier ones, and %s.</p>\n", of->wait_count > 0 ?
			   "jobs are submitted as on a day of the last weeks" :
			   "no job is submitted, since no earlier submissions are known");
	return result;
}

/* --- jobs that might be submitted ------------------------------------------------- */

static const struct lxfw_starts_cell *find_cell(const struct lxfw_starts_partition *partition,
						bool nodes, int64_t size, int64_t limit)
{
	for (size_t i = 0; i < partition->count; i++) {
		const struct lxfw_starts_cell *cell = &partition->cells[i];

		if (cell->nodes == nodes && cell->size == size && cell->limit == limit)
			return cell;
	}
	return NULL;
}

/* Whether the cell at I is the first one of its size, or of its limit. */
static bool is_first(const struct lxfw_starts_partition *partition, size_t i, bool by_limit)
{
	const struct lxfw_starts_cell *cell = &partition->cells[i];

	for (size_t j = 0; j < i; j++) {
		const struct lxfw_starts_cell *other = &partition->cells[j];

		if (other->nodes == cell->nodes &&
		    (by_limit ? other->limit == cell->limit : other->size == cell->size))
			return false;
	}
	return true;
}

static void put_cell(const struct lxfw_publication *of, const struct lxfw_starts_cell *cell,
		     struct lxfw_output *output)
{
	char start[LXFW_QUEUE_TIME], span[2 * LXFW_QUEUE_TIME];

	if (!cell) {
		lxfw_output_text(output, "<td>-</td>");
		return;
	}
	lxfw_output_format(output, "<td title=\"%s\">%s</td>",
		lxfw_queue_span(cell->times[LXFW_TOLD_LOW90], cell->times[LXFW_TOLD_HIGH90],
				of->time, span),
		lxfw_queue_time(cell->times[LXFW_TOLD_START], of->time, start));
}

/* A table of one kind of sizes. Cells are from the largest and longest down. */
static void put_kind(const struct lxfw_publication *of,
		     const struct lxfw_starts_partition *partition, bool nodes,
		     struct lxfw_output *output)
{
	char limit[32];
	bool any = false;

	for (size_t i = 0; i < partition->count; i++)
		any |= partition->cells[i].nodes == nodes;
	if (!any)
		return;
	lxfw_page_table_begin(output, NULL);
	lxfw_output_format(output, "<thead><tr><th>%s</th>", nodes ? "nodes" : "processors");
	for (size_t i = partition->count; i-- > 0;) {
		if (partition->cells[i].nodes == nodes && is_first(partition, i, true))
			lxfw_output_format(output, "<th>%s</th>", lxfw_format_span(
				(double)partition->cells[i].limit, limit, sizeof(limit)));
	}
	lxfw_output_text(output, "</tr></thead>\n<tbody>\n");
	for (size_t i = partition->count; i-- > 0;) {
		const struct lxfw_starts_cell *cell = &partition->cells[i];

		if (cell->nodes != nodes || !is_first(partition, i, false))
			continue;
		lxfw_output_format(output, "<tr><td>%lld</td>", (long long)cell->size);
		for (size_t j = partition->count; j-- > 0;) {
			if (partition->cells[j].nodes == nodes && is_first(partition, j, true))
				put_cell(of, find_cell(partition, nodes, cell->size,
						       partition->cells[j].limit), output);
		}
		lxfw_output_text(output, "</tr>\n");
	}
	lxfw_output_text(output, "</tbody>\n");
	lxfw_page_table_end(output);
}

static void put_starts(const struct lxfw_publication *of, struct lxfw_output *output)
{
	bool any = false;

	for (size_t i = 0; i < of->starts.count; i++)
		any |= of->starts.list[i].count > 0;
	if (!any)
		return;
	lxfw_page_section(output, "starts", "When a job would start that is submitted now");
	lxfw_output_text(output, "<p>By its size and its time limit.</p>\n");
	for (size_t i = 0; i < of->starts.count; i++) {
		const struct lxfw_starts_partition *partition = &of->starts.list[i];

		if (partition->count == 0)
			continue;
		lxfw_output_text(output, "<h3>");
		lxfw_html_text(output, partition->name);
		lxfw_output_text(output, "</h3>\n<div class=\"pair\">\n");
		put_kind(of, partition, false, output);
		put_kind(of, partition, true, output);
		lxfw_output_text(output, "</div>\n");
	}
}

/* --- jobs ------------------------------------------------------------------------- */

static void put_text_cell(struct lxfw_output *output, const char *text)
{
	lxfw_output_text(output, "<td>");
	lxfw_html_text(output, *text ? text : "-");
	lxfw_output_text(output, "</td>");
}

/* What a reader looks for first is at the left, for narrow screens. */
static void put_job(const struct lxfw_publication *of, const struct lxfw_publication_job *job,
		    bool users, struct lxfw_output *output)
{
	char limit[32], waited[32], start[LXFW_QUEUE_TIME], span[2 * LXFW_QUEUE_TIME];

	lxfw_output_format(output, "<tr><td>%lld</td>", (long long)job->position);
	put_text_cell(output, job->name);
	lxfw_output_format(output, "<td>%s</td>",
		lxfw_queue_time(job->times[LXFW_TOLD_START], of->time, start));
	put_text_cell(output, *job->obstacle ? job->obstacle :
		!of->states[1] && job->times[LXFW_TOLD_HIGH90] > of->time ? "not known" :
		lxfw_queue_span(job->times[LXFW_TOLD_LOW90], job->times[LXFW_TOLD_HIGH90], of->time,
				span));
	lxfw_output_format(output, "<td>%lld</td><td>%s</td><td>%s</td>", (long long)job->procs,
		lxfw_format_span((double)job->limit, limit, sizeof(limit)),
		job->submit > 0 && job->submit <= of->time ?
		lxfw_format_span((double)(of->time - job->submit), waited, sizeof(waited)) : "-");
	put_text_cell(output, job->partition);
	if (users)
		put_text_cell(output, job->user);
	lxfw_output_text(output, "</tr>\n");
}

static bool has_users(const struct lxfw_publication *of)
{
	for (size_t i = 0; i < of->count; i++) {
		if (*of->jobs[i].user)
			return true;
	}
	return false;
}

static void put_jobs(const struct lxfw_publication *of, struct lxfw_output *output)
{
	size_t waiting = lxfw_publication_count(of, LXFW_PUBLISHED_WAITING), rows = 0;
	bool users = has_users(of);

	lxfw_page_section(output, "jobs", "Jobs that wait");
	if (of->hidden)
		lxfw_output_text(output, "<p><strong>" LXFW_QUEUE_HIDDEN ".</strong></p>\n");
	if (waiting == 0) {
		lxfw_output_text(output, "<p>None.</p>\n");
		return;
	}
	if (!of->states[1])
		lxfw_output_text(output, "<p>Too little is known of earlier waits for "
				 "intervals.</p>\n");
	if (of->elsewhere > 0)
		lxfw_output_text(output, "<p>Of this machine too little is known yet: "
				 "the intervals are partly those of other machines.</p>\n");
	lxfw_page_table_begin(output, NULL);
	lxfw_output_format(output, "<thead><tr><th>#</th><th>job</th><th>expected start</th>"
			   "<th>90 %% interval</th><th>processors</th><th>limit</th><th>waits</th>"
			   "<th>partition</th>%s</tr></thead>\n<tbody>\n",
			   users ? "<th>user</th>" : "");
	for (size_t i = 0; i < of->count && rows < ROWS; i++) {
		if (of->jobs[i].state != LXFW_PUBLISHED_WAITING)
			continue;
		put_job(of, &of->jobs[i], users, output);
		rows++;
	}
	lxfw_output_text(output, "</tbody>\n");
	lxfw_page_table_end(output);
	if (rows < waiting)
		lxfw_output_format(output, "<p class=\"soft\">And %zu more.</p>\n",
				   waiting - rows);
}

static int put_cause(const struct lxfw_publication_job *job, struct lxfw_output *output)
{
	char *words = NULL;
	size_t size;
	FILE *text = open_memstream(&words, &size);

	if (!text)
		return -1;
	lxfw_queue_put_kept(job, text);
	if (fclose(text)) {
		free(words);
		return -1;
	}
	lxfw_html_text(output, words);
	free(words);
	return 0;
}

/* The numbers of jobs without a prediction, by cause. */
static int put_kept(const struct lxfw_publication *of, struct lxfw_output *output)
{
	struct lxfw_queue_kept *kept;
	size_t count;
	int result = 0;

	if (lxfw_publication_count(of, LXFW_PUBLISHED_KEPT) == 0)
		return 0;
	if (lxfw_queue_kept(of, &kept, &count))
		return -1;
	lxfw_page_section(output, NULL, "Jobs without a prediction");
	lxfw_output_text(output, "<ul>\n");
	for (size_t i = 0; i < count && result == 0; i++) {
		lxfw_output_format(output, "<li>%zu: ", kept[i].jobs);
		result = put_cause(kept[i].first, output);
		lxfw_output_text(output, "</li>\n");
	}
	lxfw_output_text(output, "</ul>\n");
	free(kept);
	return result;
}

/* --- quality ---------------------------------------------------------------------- */

static void put_quality_row(struct lxfw_output *output, const char *name, int64_t count,
			    double error, double near)
{
	char text[32] = "later";

	if (error < (double)LXFW_NEVER)
		lxfw_format_span(error, text, sizeof(text));
	lxfw_output_format(output, "<tr><th>%s</th><td>%lld</td><td>%s</td><td>%.0f %%</td></tr>\n",
			   name, (long long)count, text, 100 * near);
}

static void put_quality(const struct lxfw_publication *of, struct lxfw_output *output)
{
	const struct lxfw_publication_quality *quality = &of->quality;
	char moment[64];

	lxfw_page_section(output, "quality", "How good this was");
	if (quality->predictions == 0) {
		lxfw_output_text(output, "<p>That is not known yet: no job has started for which a "
				 "prediction was kept.</p>\n");
		return;
	}
	lxfw_output_format(output, "<p>Since %s, of %lld jobs, at several moments each, of moments "
			   "at which nearly all of the jobs have started since.</p>\n",
			   lxfw_page_moment(&local, quality->since, moment, sizeof(moment)),
			   (long long)quality->jobs);
	lxfw_page_table_begin(output, NULL);
	lxfw_output_text(output, "<thead><tr><th></th><th>predictions</th><th>median error</th>"
			 "<th>within 10 minutes</th></tr></thead>\n<tbody>\n");
	put_quality_row(output, "expected start", quality->predictions, quality->error,
			quality->near);
	if (quality->both > 0) {
		put_quality_row(output, "where Slurm states a start", quality->both,
				quality->error_of_both, quality->near_of_both);
		put_quality_row(output, "that of Slurm", quality->both, quality->error_of_manager,
				quality->near_of_manager);
	}
	lxfw_output_text(output, "</tbody>\n");
	lxfw_page_table_end(output);
	if (quality->states[1] == 0)
		return;
	lxfw_output_format(output, "<p>%.0f %% of the starts were in the interval of 50 %%, %.0f %% "
			   "in that of 90 %%.</p>\n", 100 * quality->inside[0],
			   100 * quality->inside[1]);
}

int lxfw_queue_page(const struct lxfw_publication *publication, struct lxfw_output *output)
{
	if (put_head(publication, output) || put_day(publication, output))
		return -1;
	put_starts(publication, output);
	put_jobs(publication, output);
	if (put_kept(publication, output))
		return -1;
	put_quality(publication, output);
	lxfw_page_end(output);
	return 0;
}
