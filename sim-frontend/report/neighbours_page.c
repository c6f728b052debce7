/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "sim-frontend/report/flows.h"
#include "sim-frontend/report/neighbours.h"
#include "sim-frontend/report/page.h"
#include "sim-frontend/report/svg.h"

/* Sites that are drawn, and listed, at most. */
#define DRAWN_MOST 64
#define LISTED_MOST 1000

#define PI 3.14159265358979323846

static void put_ways(const struct lxfw_neighbours_result *results, size_t count,
		     struct lxfw_output *output)
{
	lxfw_page_section(output, NULL, "Exchanges");
	lxfw_page_table_begin(output, "Times in seconds. Longest: the median wait of the tenth "
			      "of the jobs that waits longest; there: the mean wait since the "
			      "job arrived at the site where it ended.");
	lxfw_output_text(output, "<thead><tr><th>moves</th><th>jobs</th><th>mean wait</th>"
			 "<th>median</th><th>longest</th><th>there</th><th>jobs that moved</th>"
			 "<th>moves</th><th>preemptions</th><th>utilization</th></tr></thead>\n"
			 "<tbody>\n");
	for (size_t i = 0; i < count; i++) {
		const struct lxfw_exchange_metrics *metrics = &results[i].metrics;

		lxfw_output_format(output, "<tr><th>%s</th><td>%zu</td><td>%.1f</td>"
				   "<td>%.0f</td><td>%.0f</td><td>%.1f</td><td>%zu</td>"
				   "<td>%lld</td><td>%lld</td><td>%.4f</td></tr>\n",
				   results[i].moves, metrics->jobs, metrics->wait.mean,
				   metrics->wait.median, metrics->wait.longest_tenth,
				   metrics->wait_there.mean, metrics->moved,
				   (long long)metrics->moves, (long long)metrics->preemptions,
				   metrics->utilization);
	}
	lxfw_output_text(output, "</tbody>\n");
	lxfw_page_table_end(output);
}

static void put_messages(const struct lxfw_neighbours_result *results, size_t count,
			 struct lxfw_output *output)
{
	lxfw_page_table_begin(output, "Messages that were sent, and how many of them were lost.");
	lxfw_output_text(output, "<thead><tr><th>moves</th><th>view</th><th>push</th>"
			 "<th>pull</th><th>accept</th><th>reject</th><th>job</th><th>all</th>"
			 "<th>lost</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < count; i++) {
		const struct lxfw_exchange_metrics *metrics = &results[i].metrics;

		lxfw_output_format(output, "<tr><th>%s</th>", results[i].moves);
		for (int j = 0; j < LXFW_MESSAGES; j++)
			lxfw_output_format(output, "<td>%lld</td>",
					   (long long)metrics->messages[j]);
		lxfw_output_format(output, "<td>%lld</td><td>%lld</td></tr>\n",
				   (long long)metrics->messages_sum, (long long)metrics->lost);
	}
	lxfw_output_text(output, "</tbody>\n");
	lxfw_page_table_end(output);
}

/* --- the graph ------------------------------------------------------------------------------ */

struct place {
	double x, y;
};

static struct place place_of(int32_t site, int32_t count, double radius)
{
	double angle = 2 * PI * site / count - PI / 2;

	return (struct place){ 400 + radius * cos(angle), 230 + radius * 0.62 * sin(angle) };
}

/* Sites on an ellipse, and a line for each pair of neighbours. */
static void draw_graph(const struct lxfw_neighbours_about *about, struct lxfw_output *output)
{
	const struct lxfw_graph *links = about->links;
	int32_t count = about->sites->count;

	if (count > DRAWN_MOST) {
		lxfw_output_format(output, "<p class=\"soft\">More than %d sites are not "
				   "drawn.</p>\n", DRAWN_MOST);
		return;
	}
	lxfw_output_text(output, "<figure class=\"wide\"><figcaption>Sites and their neighbours"
			 "</figcaption>\n");
	lxfw_svg_begin(output, 800, 460, "Sites, joined with their neighbours by lines");
	for (int32_t i = 0; i < count; i++) {
		struct place from = place_of(i, count, 300);

		for (uint32_t j = links->first[i]; j < links->first[i + 1]; j++) {
			struct place to = place_of(links->to[j], count, 300);

			if (links->to[j] > i)
				lxfw_svg_line(output, from.x, from.y, to.x, to.y, "axis");
		}
	}
	for (int32_t i = 0; i < count; i++) {
		struct place at = place_of(i, count, 300), label = place_of(i, count, 345);

		lxfw_svg_box(output, at.x - 5, at.y - 5, 10, 10, "bar s0");
		lxfw_svg_text(output, label.x, label.y + 4, label.x < 350 ? "end" :
			      label.x > 450 ? "start" : "middle", count > 24 ? "tiny" : "small",
			      about->sites->list[i].name);
	}
	lxfw_svg_end(output);
	lxfw_output_text(output, "</figure>\n");
}

/* --- sites ---------------------------------------------------------------------------------- */

static void put_site(const struct lxfw_neighbours_about *about,
		     const struct lxfw_exchange_metrics *metrics, int32_t i,
		     struct lxfw_output *output)
{
	const struct lxfw_exchange_site *site = &metrics->sites[i];
	const struct lxfw_site *of = &about->sites->list[i];

	lxfw_output_text(output, "<tr><th>");
	lxfw_html_text(output, of->name);
	lxfw_output_format(output, "</th><td>%lld</td><td>%.3g</td><td>%u</td><td>%zu</td>"
			   "<td>%.1f</td><td>%zu</td><td>%zu</td></tr>\n",
			   (long long)of->cluster.procs, (double)of->speed / 1000,
			   (unsigned)(about->links->first[i + 1] - about->links->first[i]),
			   site->submitted, site->mean_wait, site->ended, site->foreign);
}

static void put_sites(const struct lxfw_neighbours_about *about,
		      const struct lxfw_exchange_metrics *metrics, struct lxfw_output *output)
{
	int32_t count = metrics->site_count < LISTED_MOST ? metrics->site_count : LISTED_MOST;

	lxfw_page_table_begin(output, "Sites: jobs of their users, and jobs that ended there.");
	lxfw_output_text(output, "<thead><tr><th>site</th><th>processors</th><th>speed</th>"
			 "<th>neighbours</th><th>jobs of its users</th><th>mean wait</th>"
			 "<th>ended there</th><th>of other sites</th></tr></thead>\n<tbody>\n");
	for (int32_t i = 0; i < count; i++)
		put_site(about, metrics, i, output);
	lxfw_output_text(output, "</tbody>\n");
	lxfw_page_table_end(output);
	if (count < metrics->site_count)
		lxfw_output_format(output, "<p class=\"soft\">The first %d of %d sites.</p>\n",
				   (int)count, (int)metrics->site_count);
}

void lxfw_neighbours_page(const struct lxfw_neighbours_about *about,
			  const struct lxfw_neighbours_result *results, size_t count,
			  const char *path, struct lxfw_output *output)
{
	const char *name = lxfw_page_base_name(path);

	lxfw_page_begin(output, "Sites that exchange jobs with neighbours", name);
	lxfw_output_text(output, "<p class=\"soft head\">");
	lxfw_html_text(output, name);
	lxfw_output_format(output, " &middot; %lld processors at %d sites &middot; ",
			   (long long)lxfw_sites_procs(about->sites), (int)about->sites->count);
	lxfw_html_text(output, lxfw_page_base_name(about->graph));
	lxfw_output_format(output, ", %.2f neighbours per site</p>\n",
			   (double)about->edges / about->sites->count);
	draw_graph(about, output);
	put_ways(results, count, output);
	put_messages(results, count, output);
	for (size_t i = 0; i < count; i++) {
		lxfw_page_section(output, results[i].moves, results[i].moves);
		put_sites(about, &results[i].metrics, output);
		if (results[i].metrics.flows && results[i].metrics.moved > 0)
			lxfw_page_flows(about->sites, results[i].metrics.flows, "Number of "
					"jobs of the users of a site (row) that ended at a "
					"site (column).", output);
	}
	lxfw_page_end(output);
}
