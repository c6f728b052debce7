/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/flows.h"
#include "sim-frontend/report/grid.h"
#include "sim-frontend/report/page.h"
#include "sim-frontend/report/svg.h"

static void put_brokers(const struct lxfw_grid_result *results, size_t count,
			struct lxfw_output *output)
{
	lxfw_page_section(output, NULL, "Brokers");
	lxfw_page_table_begin(output, "Times in seconds. AWRT and AWWT are response time and "
			      "wait weighted by processors times run time.");
	lxfw_output_text(output, "<thead><tr><th>broker</th><th>jobs</th><th>mean wait</th>"
			 "<th>AWRT</th><th>AWWT</th><th>moved</th><th>at several sites</th>"
			 "<th>their work</th><th>utilization</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < count; i++) {
		const struct lxfw_grid_metrics *metrics = &results[i].metrics;

		lxfw_output_format(output, "<tr><th>%s</th><td>%zu</td><td>%.1f</td>"
				   "<td>%.1f</td><td>%.1f</td><td>%zu</td><td>%zu</td>"
				   "<td>%.2f %%</td><td>%.4f</td></tr>\n",
				   results[i].broker->name, metrics->all.jobs,
				   metrics->all.mean_wait, metrics->all.awrt, metrics->awwt,
				   metrics->moved, metrics->several,
				   100 * metrics->several_work, metrics->all.utilization);
	}
	lxfw_output_text(output, "</tbody>\n");
	lxfw_page_table_end(output);
	lxfw_output_text(output, "<ul>\n");
	for (size_t i = 0; i < count; i++)
		lxfw_output_format(output, "<li>%s: %s</li>\n", results[i].broker->name,
				   results[i].broker->summary);
	lxfw_output_text(output, "</ul>\n");
}

/* How wrong estimates were that are learned. */
static void put_accuracies(const struct lxfw_grid_result *results, size_t count,
			   struct lxfw_output *output)
{
	if (!results->learned)
		return;
	lxfw_page_table_begin(output, "Estimates of jobs at one site: error |estimate - run "
			      "time| / run time, and share of jobs that ran longer, beside the "
			      "requested times.");
	lxfw_output_text(output, "<thead><tr><th>broker</th><th>jobs</th><th>median</th>"
			 "<th>90 %</th><th>longer</th><th>requested: median</th><th>90 %</th>"
			 "<th>longer</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < count; i++) {
		const struct lxfw_accuracy *accuracy = &results[i].accuracy;

		lxfw_output_format(output, "<tr><th>%s</th><td>%zu</td><td>%.3f</td>"
				   "<td>%.3f</td><td>%.1f %%</td><td>%.3f</td><td>%.3f</td>"
				   "<td>%.1f %%</td></tr>\n", results[i].broker->name,
				   accuracy->jobs, accuracy->estimates.median,
				   accuracy->estimates.p90, 100 * accuracy->estimates.under,
				   accuracy->limits.median, accuracy->limits.p90,
				   100 * accuracy->limits.under);
	}
	lxfw_output_text(output, "</tbody>\n");
	lxfw_page_table_end(output);
}

static void put_sites(const struct lxfw_grid_result *result, struct lxfw_output *output)
{
	lxfw_page_table_begin(output, "Sites: jobs of their users, and parts of jobs that ran "
			      "there.");
	lxfw_output_text(output, "<thead><tr><th>site</th><th>processors</th><th>speed</th>"
			 "<th>jobs of its users</th><th>mean wait</th><th>AWRT</th>"
			 "<th>ran there</th><th>of other sites</th><th>utilization</th></tr>"
			 "</thead>\n<tbody>\n");
	for (int32_t i = 0; i < result->metrics.site_count; i++) {
		const struct lxfw_site_metrics *metrics = &result->metrics.sites[i];
		const struct lxfw_site *site = &result->sites->list[i];

		lxfw_output_text(output, "<tr><th>");
		lxfw_html_text(output, site->name);
		lxfw_output_format(output, "</th><td>%lld</td><td>%.3g</td><td>%zu</td>"
				   "<td>%.1f</td><td>%.1f</td><td>%zu</td><td>%zu</td>"
				   "<td>%.4f</td></tr>\n", (long long)site->cluster.procs,
				   (double)site->speed / LXFW_GRID_SPEED, metrics->submitted,
				   metrics->mean_wait, metrics->awrt, metrics->ran,
				   metrics->foreign, metrics->utilization);
	}
	lxfw_output_text(output, "</tbody>\n");
	lxfw_page_table_end(output);
}

void lxfw_grid_page(const struct lxfw_grid_result *results, size_t count, const char *path,
		    struct lxfw_output *output)
{
	lxfw_page_begin(output, "A grid of sites", lxfw_page_base_name(path));
	lxfw_output_text(output, "<p class=\"soft head\">");
	lxfw_html_text(output, lxfw_page_base_name(path));
	lxfw_output_format(output, " &middot; %lld processors at %d sites</p>\n",
			   (long long)lxfw_sites_procs(results->sites),
			   (int)results->sites->count);
	put_brokers(results, count, output);
	put_accuracies(results, count, output);
	for (size_t i = 0; i < count; i++) {
		lxfw_page_section(output, results[i].broker->name, results[i].broker->name);
		put_sites(&results[i], output);
		if (results[i].metrics.flows && results[i].metrics.moved > 0)
			lxfw_page_flows(results[i].sites, results[i].metrics.flows, "Number of "
					"parts of jobs of the users of a site (row) that ran "
					"at a site (column).", output);
	}
	lxfw_page_end(output);
}
