/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables 1 and 4 of Chiang and Vernon 2001. */
#include "sim-frontend/workload/ncsa_o2k.h"

#include <string.h>

#define HOUR INT64_C(3600)

/* Jobs, processor demand and memory demand of each class. */
static const struct lxfw_ncsa_o2k_month months[LXFW_NCSA_O2K_MONTHS] = {
	{ "1999-10", 31, 5, 938757600, 9974, 75, 55, {
		{ 3234, 1, 1 }, { 2188, 9, 4 }, { 2224, 13, 8 }, { 116, 3, 2 },
		{ 707, 1, 1 }, { 748, 8, 4 }, { 145, 8, 7 }, { 27, 1, 5 },
		{ 218, 1, 0 }, { 243, 13, 4 }, { 73, 11, 11 }, { 51, 4, 8 },
	} },
	{ "1999-11", 30, 1, 941436000, 7348, 80, 53, {
		{ 2155, 1, 1 }, { 2216, 9, 6 }, { 502, 7, 6 }, { 139, 2, 2 },
		{ 629, 1, 1 }, { 711, 14, 5 }, { 208, 10, 10 }, { 40, 3, 5 },
		{ 304, 2, 0 }, { 333, 14, 7 }, { 90, 14, 7 }, { 21, 3, 5 },
	} },
	{ "1999-12", 31, 3, 944028000, 5863, 89, 72, {
		{ 1605, 1, 0 }, { 2075, 8, 5 }, { 552, 9, 7 }, { 114, 4, 3 },
		{ 190, 0, 0 }, { 571, 12, 5 }, { 189, 17, 11 }, { 28, 4, 4 },
		{ 101, 0, 0 }, { 275, 10, 10 }, { 134, 15, 14 }, { 29, 9, 11 },
	} },
	{ "2000-01", 31, 6, 946706400, 7046, 83, 74, {
		{ 2033, 1, 0 }, { 2601, 9, 6 }, { 550, 11, 7 }, { 71, 3, 3 },
		{ 493, 1, 1 }, { 585, 9, 5 }, { 161, 13, 10 }, { 61, 6, 6 },
		{ 130, 1, 0 }, { 250, 8, 11 }, { 89, 11, 10 }, { 22, 10, 16 },
	} },
	{ "2000-02", 29, 2, 949384800, 8122, 88, 74, {
		{ 3252, 1, 1 }, { 2252, 9, 7 }, { 465, 11, 7 }, { 70, 3, 3 },
		{ 549, 1, 1 }, { 697, 10, 5 }, { 212, 13, 10 }, { 32, 3, 5 },
		{ 173, 1, 0 }, { 312, 18, 10 }, { 88, 12, 12 }, { 20, 5, 15 },
	} },
	{ "2000-03", 31, 3, 951890400, 7034, 85, 78, {
		{ 1668, 1, 0 }, { 2666, 11, 7 }, { 469, 9, 6 }, { 57, 3, 3 },
		{ 450, 1, 1 }, { 624, 11, 6 }, { 213, 15, 9 }, { 70, 4, 8 },
		{ 173, 1, 0 }, { 497, 14, 15 }, { 122, 13, 19 }, { 25, 3, 4 },
	} },
};

static const int64_t time_limits[] = {
	5 * HOUR, 50 * HOUR, 200 * HOUR, 400 * HOUR,
};

static const struct {
	int32_t procs;
	int64_t memory_mb;
} size_limits[] = { { 8, 2048 }, { 16, 4096 }, { 64, 16384 } };

const struct lxfw_ncsa_o2k_month *lxfw_ncsa_o2k_month(int month)
{
	return &months[month];
}

const char *lxfw_ncsa_o2k_month_name(int month)
{
	return months[month].name;
}

int64_t lxfw_ncsa_o2k_month_seconds(int month)
{
	return months[month].days * 24 * HOUR;
}

int lxfw_ncsa_o2k_month_by_name(const char *name)
{
	for (int i = 0; i < LXFW_NCSA_O2K_MONTHS; i++) {
		if (strcmp(months[i].name, name) == 0)
			return i;
	}
	return -1;
}

const char *const lxfw_ncsa_o2k_class_names[LXFW_NCSA_O2K_CLASSES] = {
	"vst_sj", "st_sj", "mt_sj", "lt_sj",
	"vst_mj", "st_mj", "mt_mj", "lt_mj",
	"vst_lj", "st_lj", "mt_lj", "lt_lj",
};

const char *lxfw_ncsa_o2k_class_name(int class)
{
	return lxfw_ncsa_o2k_class_names[class];
}

int lxfw_ncsa_o2k_class_of(const struct lxfw_trace_job *job)
{
	int time = 0, size = 0;

	while (time < 4 && job->limit > time_limits[time])
		time++;
	while (size < 3 && (job->procs > size_limits[size].procs ||
			    job->memory_kb > size_limits[size].memory_mb * 1024))
		size++;
	return time < 4 && size < 3 ? size * 4 + time : -1;
}

int64_t lxfw_ncsa_o2k_time_limit(int time)
{
	return time_limits[time];
}

int32_t lxfw_ncsa_o2k_proc_limit(int size)
{
	return size_limits[size].procs;
}

int64_t lxfw_ncsa_o2k_memory_limit(int size)
{
	return size_limits[size].memory_mb;
}

bool lxfw_ncsa_o2k_demand_met(int figure, double reached)
{
	double slack = figure < 2 ? 0.5 : 0.1 * figure;

	return reached >= figure - slack && reached <= figure + slack;
}

/* Returns the tolerance for a figure that a class must meet: less than the rounding
   and less than the accepted 10 %. */
static double slack(int figure)
{
	double tenth = 0.08 * figure;

	if (figure < 2)
		return figure == 0 ? 0.15 : 0.4;
	return tenth < 0.4 ? tenth : 0.4;
}

static double target(const int figures[LXFW_NCSA_O2K_CLASSES], int overall,
		     int class)
{
	double sum = 0, room = 0, part;

	for (int i = 0; i < LXFW_NCSA_O2K_CLASSES; i++) {
		sum += figures[i] ? figures[i] : 0.25;
		room += slack(figures[i]);
	}
	part = (overall - sum) / room;
	part = part > 1 ? 1 : part < -1 ? -1 : part;
	return ((figures[class] ? figures[class] : 0.25) +
		part * slack(figures[class])) / 100;
}

double lxfw_ncsa_o2k_proc_target(int month, int class)
{
	int figures[LXFW_NCSA_O2K_CLASSES];

	for (int i = 0; i < LXFW_NCSA_O2K_CLASSES; i++)
		figures[i] = months[month].classes[i].proc_demand;
	return target(figures, months[month].proc_demand, class);
}

double lxfw_ncsa_o2k_memory_target(int month, int class)
{
	int figures[LXFW_NCSA_O2K_CLASSES];

	for (int i = 0; i < LXFW_NCSA_O2K_CLASSES; i++)
		figures[i] = months[month].classes[i].memory_demand;
	return target(figures, months[month].memory_demand, class);
}
