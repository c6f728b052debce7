/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/flows.h"

#include "sim-frontend/report/page.h"
#include "sim-frontend/report/svg.h"

static void put_name(const struct lxfw_sites *sites, int32_t site, struct lxfw_output *output)
{
	lxfw_output_text(output, "<th>");
	lxfw_html_text(output, sites->list[site].name);
	lxfw_output_text(output, "</th>");
}

void lxfw_page_flows(const struct lxfw_sites *sites, const size_t *flows, const char *caption,
		     struct lxfw_output *output)
{
	lxfw_page_table_begin(output, caption);
	lxfw_output_text(output, "<thead><tr><th></th>");
	for (int32_t i = 0; i < sites->count; i++)
		put_name(sites, i, output);
	lxfw_output_text(output, "</tr></thead>\n<tbody>\n");
	for (int32_t i = 0; i < sites->count; i++) {
		lxfw_output_text(output, "<tr>");
		put_name(sites, i, output);
		for (int32_t j = 0; j < sites->count; j++)
			lxfw_output_format(output, "<td>%zu</td>", flows[i * sites->count + j]);
		lxfw_output_text(output, "</tr>\n");
	}
	lxfw_output_text(output, "</tbody>\n");
	lxfw_page_table_end(output);
}
