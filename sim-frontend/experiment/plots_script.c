/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The script for gnuplot. Figures consist of panels. A policy has the same colour, point
 * and dashes in all of them. Colours are from the palette of Okabe and Ito, which is
 * suitable for colour-blind readers, and two more; points distinguish policies without
 * colour.
 */
#include "sim-frontend/experiment/plots.h"

#include <errno.h>
#include <stdio.h>

#include "sim-frontend/workload/ncsa_o2k.h"

/* Most statements of this file are such calls. */
#define put lxfw_plots_put

#define PANELS_MAX 6
#define POLICIES_MAX 5

static const struct {
	const char *colour;
	int point, dash;
} styles[LXFW_CONTENDERS] = {
	[LXFW_NCSA_LSF] = { "#000000", 2, 1 },
	[LXFW_FCFS_BF] = { "#0072b2", 4, 1 },
	[LXFW_PRIORITY_BF] = { "#d55e00", 8, 1 },
	[LXFW_LXFW_BF] = { "#009e73", 6, 1 },
	[LXFW_SJF_BF] = { "#cc79a7", 12, 1 },
	[LXFW_IMMEDIATE] = { "#e69f00", 7, 1 },
	[LXFW_SOON] = { "#56b4e9", 10, 1 },
	[LXFW_EQ_5M] = { "#6a3d9a", 5, 1 },
	[LXFW_EQ_0M] = { "#777777", 3, 1 },
	[LXFW_EQ_50H] = { "#882255", 9, 2 },
	[LXFW_PRIORITY_4] = { "#777777", 1, 2 },
	[LXFW_IMMEDIATE_SUSPEND] = { "#777777", 11, 2 },
};

/* A curve for each policy over months or over run time. */
struct panel {
	const char *title;
	enum { BY_MONTH, BY_RUN_TIME } over;
	enum lxfw_tally_measure measure;	/* MEAN, P95, MAX or SLOWDOWN */
	enum lxfw_contender policies[POLICIES_MAX];
	int policy_count;
};

struct figure {
	const char *name, *title;
	const char *data;		/* for panels over run time */
	int number;			/* of the month shown; -1: none */
	int rows, columns;
	double width, height;		/* inches */
	struct panel panels[PANELS_MAX];
	int panel_count;
	/* Draws a figure that does not consist of such panels. */
	void (*draw)(const struct lxfw_experiment *experiment,
		     struct lxfw_output *output);
	bool o2k, lsf;			/* requires the O2K's classes, NCSA-LSF* */
};

/* --- other figures ---------------------------------------------------------------- */

static const char *month_name(const struct lxfw_experiment *experiment,
			      int number)
{
	return experiment->months[lxfw_plots_month(experiment, number)].name;
}

static void draw_arrivals(const struct lxfw_experiment *experiment,
			  struct lxfw_output *output)
{
	int month = lxfw_plots_month(experiment, 5);
	bool known = experiment->months[month].weekday >= 0;

	put(output,
	    "set xlabel 'hour of the day'\nset ylabel 'jobs submitted per hour'\n"
	    "set xrange [-0.5:23.5]\nset xtics 0,3,21\nset mxtics 3\n"
	    "set yrange [0:*]\n"
	    "set key outside right center vertical Left reverse\n");
	if (!known) {
		put(output, "plot 'arrivals.dat' index 'all' with linespoints "
		    "dt 1 pt 7 lc rgb '#000000' title 'all days'\n");
		return;
	}
	put(output,
	    "days = 'Monday Tuesday Wednesday Thursday Friday'\n"
	    "colours = '#0072b2 #d55e00 #009e73 #cc79a7 #000000'\n"
	    "points = '4 8 6 12 2'\n"
	    "plot for [i=1:5] 'arrivals.dat' index word(days, i) \\\n"
	    "    with linespoints lw 1.5 dt 1 pt int(word(points, i)) \\\n"
	    "    lc rgb word(colours, i) title word(days, i)\n");
}

static void draw_run_times(const struct lxfw_experiment *experiment,
			   struct lxfw_output *output)
{
	static const char *const sizes[] = { "small", "medium", "large" };

	(void)experiment;
	put(output,
	    "times = 'vst st mt lt'\nsizes = 'sj mj lj'\n"
	    "names = '\"vst (to 5 h)\" \"st (to 50 h)\" \"mt (to 200 h)\" "
	    "\"lt (to 400 h)\"'\n"
	    "colours = '#0072b2 #d55e00 #009e73 #000000'\n"
	    "points = '4 8 6 2'\n"
	    "set logscale x\nset xrange [0.01:30000]\nset xtics 0.01,10\n"
	    "set xlabel 'actual run time, minutes'\n"
	    "set yrange [0:100]\n"
	    "set multiplot layout 1,3 margins 0.065,0.985,0.16,0.76 "
	    "spacing 0.035,0.1\n");
	for (int i = 0; i < 3; i++) {
		put(output, "set title '(%c) %s jobs'\n", 'a' + i, sizes[i]);
		if (i == 0)
			put(output, "set ylabel 'jobs that run no longer, %%'\n"
			    "set key at screen 0.5,0.91 center top vertical "
			    "maxrows 1\n");
		else
			put(output, "unset ylabel\nset format y ''\n"
			    "unset key\nunset label 1\n");
		put(output,
		    "plot for [i=1:4] 'run-times.dat' \\\n"
		    "    index word(times, i) . '_' . word(sizes, %d) \\\n"
		    "    with linespoints lw 1.5 dt 1 pointinterval 25 \\\n"
		    "    pt int(word(points, i)) lc rgb word(colours, i) \\\n"
		    "    title word(names, i)\n", i + 1);
	}
	put(output, "unset multiplot\nset format y '%%g'\n");
}

static void draw_classes(const struct lxfw_experiment *experiment,
			 struct lxfw_output *output)
{
	int count = experiment->month_count;

	put(output,
	    "colours = '#000000 #0072b2 #d55e00 #009e73 #cc79a7 #e69f00'\n"
	    "points = '2 4 8 6 12 7'\n"
	    "set ylabel 'average wait, hours'\nset xlabel 'job class'\n"
	    "set logscale y\nset xrange [-0.6:11.6]\n"
	    "set grid noxtics\nset key outside right center vertical Left "
	    "reverse\nset xtics (");
	for (int i = 0; i < LXFW_NCSA_O2K_CLASSES; i++)
		put(output, "%s'%s' %d", i ? ", " : "",
		    lxfw_ncsa_o2k_class_name(i), i);
	put(output, ")\nplot ");
	for (int i = 0; i < count; i++)
		put(output, "%s'classes.dat' index '%s' \\\n    using "
		    "($1+%g):($3 > 0 ? $3 : NaN) with points "
		    "pt int(word(points, %d)) \\\n    lw 1.5 lc rgb "
		    "word(colours, %d) title '%s'", i ? ", \\\n    " : "",
		    experiment->months[i].name,
		    0.11 * (i - (count - 1) / 2.0), i + 1, i + 1,
		    experiment->months[i].name);
	put(output, "\n");
}

static void draw_longest(const struct lxfw_experiment *experiment,
			 struct lxfw_output *output)
{
	(void)experiment;
	put(output,
	    "set logscale x\nset xrange [0.01:30000]\nset xtics 0.01,10\n"
	    "set yrange [0:*]\n"
	    "set xlabel 'actual run time, minutes'\n"
	    "set ylabel 'wait, hours'\nunset key\n"
	    "plot 'longest-waits.dat' with points pt %d lw 1.2 lc rgb '%s'\n",
	    styles[LXFW_NCSA_LSF].point, styles[LXFW_NCSA_LSF].colour);
}

static void draw_improvement(const struct lxfw_experiment *experiment,
			     struct lxfw_output *output)
{
	put(output,
	    "set style data histograms\nset style histogram clustered gap 1\n"
	    "set ylabel 'average wait, hours'\nset xlabel 'month'\n"
	    "set yrange [0:*]\nset xrange [-0.7:%g]\nset xtics norotate\n"
	    "set key outside right center vertical Left reverse\n"
	    "plot 'by-month.dat' index '%s' using 3:xtic(2) fs solid 1 "
	    "border lc rgb '#000000' \\\n    lc rgb '%s' title '%s', \\\n"
	    "    '' index '%s' using 3 fs pattern 4 border lc rgb '#000000' "
	    "\\\n    lc rgb '%s' title '%s'\n",
	    experiment->month_count - 0.3,
	    lxfw_contender_text(LXFW_NCSA_LSF)->key, "#555555",
	    lxfw_contender_text(LXFW_NCSA_LSF)->name,
	    lxfw_contender_text(LXFW_PRIORITY_BF)->key,
	    styles[LXFW_PRIORITY_BF].colour,
	    lxfw_contender_text(LXFW_PRIORITY_BF)->name);
}

/* ---- the figures --------------------------------------------------------------- */

#define LSF_AND_BF { LXFW_NCSA_LSF, LXFW_FCFS_BF, LXFW_PRIORITY_BF }, 3
#define BACKFILL { LXFW_FCFS_BF, LXFW_PRIORITY_BF, LXFW_LXFW_BF, LXFW_SJF_BF }, 4
#define LSF_AND_BACKFILL { LXFW_NCSA_LSF, LXFW_FCFS_BF, LXFW_PRIORITY_BF, \
			   LXFW_LXFW_BF, LXFW_SJF_BF }, 5
#define QUANTA { LXFW_LXFW_BF, LXFW_SOON, LXFW_IMMEDIATE }, 3
#define EQUAL { LXFW_IMMEDIATE, LXFW_EQ_5M, LXFW_EQ_50H }, 3

static const struct figure figures[] = {
	{
		.name = "figure-01", .title = "Job arrivals each hour",
		.number = 5, .width = 7, .height = 4, .draw = draw_arrivals,
	},
	{
		.name = "figure-02",
		.title = "Actual run time by job class, workday peak",
		.number = 5, .width = 9, .height = 4, .draw = draw_run_times,
		.o2k = true,
	},
	{
		.name = "figure-03",
		.title = "Average wait by job class under NCSA-LSF*",
		.number = -1, .width = 8, .height = 4.4, .draw = draw_classes,
		.o2k = true, .lsf = true,
	},
	{
		.name = "figure-04",
		.title = "The longest 5 % of waits under NCSA-LSF*",
		.number = 3, .width = 7, .height = 4, .draw = draw_longest,
		.lsf = true,
	},
	{
		.name = "figure-05",
		.title = "NCSA-LSF*, FCFS-backfill and Priority-backfill",
		.data = "by-run-time-5.dat", .number = 3,
		.rows = 3, .columns = 2, .width = 9, .height = 9.6,
		.panels = {
			{ "average wait by run time", BY_RUN_TIME,
			  LXFW_TALLY_MEAN, LSF_AND_BF },
			{ "95th percentile wait by run time", BY_RUN_TIME,
			  LXFW_TALLY_P95, LSF_AND_BF },
			{ "average wait by month", BY_MONTH, LXFW_TALLY_MEAN,
			  LSF_AND_BF },
			{ "95th percentile wait by month", BY_MONTH,
			  LXFW_TALLY_P95, LSF_AND_BF },
			{ "maximum wait by month", BY_MONTH, LXFW_TALLY_MAX,
			  LSF_AND_BF },
			{ "average slowdown by month", BY_MONTH,
			  LXFW_TALLY_SLOWDOWN, LSF_AND_BF },
		},
		.panel_count = 6,
	},
	{
		.name = "figure-06",
		.title = "Improvement by Priority-backfill, simulated "
			 "(measured in the paper)",
		.number = -1, .width = 8, .height = 4, .draw = draw_improvement,
		.lsf = true,
	},
	{
		.name = "figure-07", .title = "Alternative priority measures",
		.number = -1,
		.rows = 2, .columns = 2, .width = 9, .height = 7,
		.panels = {
			{ "average wait", BY_MONTH, LXFW_TALLY_MEAN, BACKFILL },
			{ "95th percentile wait", BY_MONTH, LXFW_TALLY_P95,
			  BACKFILL },
			{ "maximum wait", BY_MONTH, LXFW_TALLY_MAX,
			  LSF_AND_BACKFILL },
			{ "average slowdown", BY_MONTH, LXFW_TALLY_SLOWDOWN,
			  BACKFILL },
		},
		.panel_count = 4,
	},
	{
		.name = "figure-08",
		.title = "LXF&W-backfill with a minute of immediate service",
		.number = -1,
		.rows = 1, .columns = 2, .width = 9, .height = 4.2,
		.panels = {
			{ "95th percentile wait", BY_MONTH, LXFW_TALLY_P95,
			  QUANTA },
			{ "average slowdown", BY_MONTH, LXFW_TALLY_SLOWDOWN,
			  QUANTA },
		},
		.panel_count = 2,
	},
	{
		.name = "figure-09",
		.title = "EQspatial and LXF&W-backfill with immediate service by "
			 "run time",
		.data = "by-run-time-9.dat", .number = 1,
		.rows = 2, .columns = 2, .width = 9, .height = 7,
		.panels = {
			{ "average wait", BY_RUN_TIME, LXFW_TALLY_MEAN, EQUAL },
			{ "95th percentile wait", BY_RUN_TIME, LXFW_TALLY_P95,
			  EQUAL },
			{ "maximum wait", BY_RUN_TIME, LXFW_TALLY_MAX, EQUAL },
			{ "average slowdown", BY_RUN_TIME, LXFW_TALLY_SLOWDOWN,
			  EQUAL },
		},
		.panel_count = 4,
	},
	{
		.name = "figure-10",
		.title = "EQspatial and LXF&W-backfill with immediate service by "
			 "month",
		.number = -1,
		.rows = 2, .columns = 2, .width = 9, .height = 7,
		.panels = {
			{ "average wait", BY_MONTH, LXFW_TALLY_MEAN, EQUAL },
			{ "95th percentile wait", BY_MONTH, LXFW_TALLY_P95,
			  EQUAL },
			{ "maximum wait", BY_MONTH, LXFW_TALLY_MAX, EQUAL },
			{ "average slowdown", BY_MONTH, LXFW_TALLY_SLOWDOWN,
			  EQUAL },
		},
		.panel_count = 4,
	},
};

#define FIGURES (sizeof(figures) / sizeof(*figures))

static bool is_drawn(const struct lxfw_experiment *experiment,
		     const struct figure *figure)
{
	return (!figure->o2k || experiment->synthetic) &&
	       (!figure->lsf || experiment->takes_part[LXFW_NCSA_LSF]);
}

const char *lxfw_plots_name(const struct lxfw_experiment *experiment, int index)
{
	for (size_t i = 0; i < FIGURES; i++) {
		if (is_drawn(experiment, &figures[i]) && index-- == 0)
			return figures[i].name;
	}
	return NULL;
}

/* ---- panels -------------------------------------------------------------------- */

static void put_key(const struct lxfw_experiment *experiment,
		    const struct figure *figure, struct lxfw_output *output)
{
	for (int i = 0; i < LXFW_CONTENDERS; i++) {
		bool used = false;

		for (int j = 0; j < figure->panel_count; j++) {
			const struct panel *panel = &figure->panels[j];

			for (int k = 0; k < panel->policy_count; k++)
				used = used || (int)panel->policies[k] == i;
		}
		if (used && experiment->takes_part[i])
			put(output, "    keyentry with linespoints ls %d title "
			    "'%s', \\\n", i + 1, lxfw_contender_text(
				(enum lxfw_contender)i)->name);
	}
}

static const char *unit_of(enum lxfw_tally_measure measure)
{
	switch (measure) {
	case LXFW_TALLY_MEAN:
		return "average wait, hours";
	case LXFW_TALLY_P95:
		return "95th percentile wait, hours";
	case LXFW_TALLY_MAX:
		return "maximum wait, hours";
	default:
		return "average slowdown";
	}
}

static void put_axes(const struct lxfw_experiment *experiment,
		     const struct panel *panel, struct lxfw_output *output)
{
	bool slowdown = panel->measure == LXFW_TALLY_SLOWDOWN;
	int count = experiment->month_count;

	put(output, "unset logscale\nset ylabel '%s'\n",
	    unit_of(panel->measure));
	put(output, slowdown ? "set logscale y\nset yrange [0.9:*]\n" :
			       "set yrange [0:*]\n");
	if (panel->over == BY_RUN_TIME) {
		put(output, "set logscale x\nset xrange [0.03:40000]\n"
		    "set xtics 0.1,10 norotate\n"
		    "set xlabel 'actual run time, minutes'\n");
		return;
	}
	put(output, "set xrange [-0.5:%g]\nset xlabel 'month%s'\nset xtics "
	    "%s(", count - 0.5, experiment->seeds > 1 ?
	    " (bars: least and most of the seeds)" : "", count > 6 ? "rotate by -90 " : "norotate ");
	for (int i = 0; i < count; i++)
		put(output, "%s'%s' %d", i ? ", " : "",
		    experiment->months[i].name, i);
	put(output, ")\n");
}

/* Policies are drawn slightly apart, so that the ranges of their seeds are visible. */
static void put_by_month(const struct lxfw_experiment *experiment,
			 const struct panel *panel, struct lxfw_output *output)
{
	int column = 3 + 3 * (int)panel->measure;
	bool first = true;

	for (int i = 0; i < panel->policy_count; i++) {
		enum lxfw_contender policy = panel->policies[i];
		double shift = 0.07 * (i - (panel->policy_count - 1) / 2.0);
		const char *key = lxfw_contender_text(policy)->key;

		if (!experiment->takes_part[policy])
			continue;
		if (experiment->seeds > 1)
			put(output, "%s'by-month.dat' index '%s' using "
			    "($1+%g):%d:%d:%d \\\n    with yerrorbars lw 1 ps 0 "
			    "lc rgb '%s' notitle", first ? "    " :
			    ", \\\n    ", key, shift, column, column + 1,
			    column + 2, styles[policy].colour);
		put(output, "%s'by-month.dat' index '%s' using ($1+%g):%d \\\n"
		    "    with linespoints ls %d notitle",
		    first && experiment->seeds == 1 ? "    " : ", \\\n    ",
		    key, shift, column, (int)policy + 1);
		first = false;
	}
	put(output, "\n");
}

static void put_by_run_time(const struct lxfw_experiment *experiment,
			    const struct figure *figure,
			    const struct panel *panel,
			    struct lxfw_output *output)
{
	bool first = true;

	for (int i = 0; i < panel->policy_count; i++) {
		enum lxfw_contender policy = panel->policies[i];

		if (!experiment->takes_part[policy])
			continue;
		put(output, "%s'%s' index '%s' using 1:%d \\\n    with "
		    "linespoints ls %d notitle", first ? "    " :
		    ", \\\n    ", figure->data,
		    lxfw_contender_text(policy)->key,
		    2 + (int)panel->measure, (int)policy + 1);
		first = false;
	}
	put(output, "\n");
}

static void put_panels(const struct lxfw_experiment *experiment,
		       const struct figure *figure, struct lxfw_output *output)
{
	double head = 0.95 / figure->height, foot = 0.62 / figure->height;
	double gap = (experiment->month_count > 6 ? 1.25 : 1.0) /
		     figure->height;

	if (experiment->month_count > 6)
		foot += 0.25 / figure->height;
	put(output, "set multiplot layout %d,%d margins 0.085,0.985,%.3f,%.3f "
	    "spacing 0.095,%.3f\n", figure->rows, figure->columns, foot,
	    1 - head, gap);
	for (int i = 0; i < figure->panel_count; i++) {
		const struct panel *panel = &figure->panels[i];

		put_axes(experiment, panel, output);
		put(output, "set title '(%c) %s%s%s'\n", 'a' + i, panel->title,
		    panel->over == BY_RUN_TIME ? ", " : "",
		    panel->over == BY_RUN_TIME ?
			month_name(experiment, figure->number) : "");
		if (i == 0)
			put(output, "set key at screen 0.5,%.3f center top "
			    "vertical maxrows 1\n",
			    1 - 0.36 / figure->height);
		else
			put(output, "unset key\nunset label 1\n");
		put(output, "plot \\\n");
		if (i == 0)
			put_key(experiment, figure, output);
		if (panel->over == BY_MONTH)
			put_by_month(experiment, panel, output);
		else
			put_by_run_time(experiment, figure, panel, output);
	}
	put(output, "unset multiplot\n");
}

/* ---- the script ---------------------------------------------------------------- */

static const char preamble[] =
"#!/usr/bin/env gnuplot\n"
"# Figures of 'lxfw reproduce chiang2001'. Once more, in this directory:\n"
"#   gnuplot -e \"kind='svg'\" " LXFW_PLOTS_SCRIPT "      (or pdf, png)\n"
"if (!exists('kind')) kind = 'svg'\n"
"if (!exists('part')) part = ''\n"
"\n"
"terminal(w, h) = kind eq 'pdf' ? \\\n"
"    sprintf(\"pdfcairo noenhanced size %gin,%gin font 'Helvetica,10'\", w, h) : \\\n"
"    kind eq 'png' ? \\\n"
"    sprintf(\"pngcairo noenhanced size %d,%d font 'Helvetica,10'\", w*100, h*100) : \\\n"
"    sprintf(\"svg noenhanced size %d,%d background '#ffffff' font 'Helvetica,12'\", w*100, h*100)\n"
"begin(name, w, h) = sprintf(\"reset; set terminal %s; set output '%s.%s%s'\", \\\n"
"    terminal(w, h), name, kind, part)\n"
"look = \"set border 3 lc rgb '#444444'; set tics nomirror textcolor rgb '#222222'; \" . \\\n"
"    \"set grid back lt 1 dt 1 lw 0.7 lc rgb '#cccccc'; set pointsize 0.7; \" . \\\n"
"    \"set bars 0.5; set title offset 0,-0.6; set format '%g'; \" . \\\n"
"    \"set key samplen 3 spacing 1.1\"\n"
"\n";

static void put_styles(struct lxfw_output *output)
{
	put(output, "# A line style for each policy\nstyles = \\\n");
	for (int i = 0; i < LXFW_CONTENDERS; i++)
		put(output, "    \"set style line %d lc rgb '%s' pt %d dt %d lw "
		    "1.6%s\"%s\n", i + 1, styles[i].colour, styles[i].point,
		    styles[i].dash, i + 1 < LXFW_CONTENDERS ? "; " : "",
		    i + 1 < LXFW_CONTENDERS ? " . \\" : "");
}

/* Writes "What it shows, 2000-01 (ncsa-o2k)". The name of a log may contain quotes. */
static void put_title(const struct lxfw_experiment *experiment,
		      const struct figure *figure, struct lxfw_output *output)
{
	char name[64];
	size_t length = 0;

	for (const char *c = experiment->workload; *c &&
	     length + 1 < sizeof(name); c++)
		name[length++] = *c == '\'' || *c == '\\' || *c < ' ' ? '_' : *c;
	name[length] = '\0';
	put(output, "set label 1 '%s%s%s (%s)' at screen 0.5,%.3f center font "
	    "',13'\n", figure->title, !figure->draw || figure->number < 0 ?
	    "" : ", ", !figure->draw || figure->number < 0 ? "" :
	    month_name(experiment, figure->number), name,
	    1 - 0.17 / figure->height);
}

static void put_figure(const struct lxfw_experiment *experiment,
		       const struct figure *figure, struct lxfw_output *output)
{
	put(output, "\n# ---- %s ----\neval begin('%s', %g, %g)\neval look\n"
	    "eval styles\n", figure->name, figure->name, figure->width,
	    figure->height);
	put_title(experiment, figure, output);
	if (!figure->draw) {
		put_panels(experiment, figure, output);
	} else {
		put(output, "set tmargin screen %.3f\n",
		    1 - 0.4 / figure->height);
		figure->draw(experiment, output);
	}
	put(output, "unset output\n");
}

int lxfw_plots_script(const struct lxfw_experiment *experiment,
		      const char *directory, struct lxfw_error *error)
{
	struct lxfw_output *output = lxfw_plots_open(directory,
						     LXFW_PLOTS_SCRIPT, error);

	if (!output)
		return -1;
	lxfw_output_text(output, preamble);
	put_styles(output);
	for (size_t i = 0; i < FIGURES; i++) {
		if (is_drawn(experiment, &figures[i]))
			put_figure(experiment, &figures[i], output);
	}
	return lxfw_output_commit(output, error);
}
