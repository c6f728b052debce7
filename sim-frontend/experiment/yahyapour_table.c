/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The experiments of Yahyapour 2002, and the figures of its tables. */
#include "sim-frontend/experiment/yahyapour.h"

#include <stdio.h>

#define ALL ",lxfw_reservations=all,lxfw_reservation_mode=compress"
#define WORK ",lxfw_job_weight=work"

/* An order alone, with conservative backfilling and with EASY; without and with
   weights. */
#define ORDER(name, policy, row) \
	{ name, "lxfw_policy=" policy "_strict", row, LXFW_Y_ALONE, false }, \
	{ name ", conservative", "lxfw_policy=" policy ALL, row, \
	  LXFW_Y_CONSERVATIVE, false }, \
	{ name ", EASY", "lxfw_policy=" policy, row, LXFW_Y_EASY, false }, \
	{ name ", weighted", "lxfw_policy=" policy "_strict" WORK, \
	  LXFW_Y_WEIGHTED + row, LXFW_Y_ALONE, false }, \
	{ name ", weighted, conservative", "lxfw_policy=" policy ALL WORK, \
	  LXFW_Y_WEIGHTED + row, LXFW_Y_CONSERVATIVE, false }, \
	{ name ", weighted, EASY", "lxfw_policy=" policy WORK, \
	  LXFW_Y_WEIGHTED + row, LXFW_Y_EASY, false }

const struct lxfw_yahyapour_policy lxfw_yahyapour_policies[] = {
	{ "FCFS", "lxfw_policy=fcfs", LXFW_Y_FCFS, LXFW_Y_ALONE, true },
	{ "FCFS, conservative", "lxfw_policy=conservative", LXFW_Y_FCFS,
	  LXFW_Y_CONSERVATIVE, true },
	{ "FCFS, EASY", "lxfw_policy=easy", LXFW_Y_FCFS, LXFW_Y_EASY, true },
	{ "Garey&Graham", "lxfw_policy=list", LXFW_Y_LIST, LXFW_Y_ALONE, true },
	ORDER("PSRS", "psrs", LXFW_Y_PSRS),
	ORDER("SMART-FFIA", "smart_ffia", LXFW_Y_FFIA),
	ORDER("SMART-NFIW", "smart_nfiw", LXFW_Y_NFIW),
};

const int lxfw_yahyapour_policy_count =
	sizeof(lxfw_yahyapour_policies) / sizeof(*lxfw_yahyapour_policies);

/*
 * PFCFS by section 4.1: a job of x per cent of the processors or more is wide, it does not
 * wait for free processors before its start delay, and preempts the jobs that end first.
 * Table 3.1 has the presets of the policies instead: more than x per cent, and m/2 free
 * processors. X is one less than x, since lxfw_pf_wide is exceeded by wide jobs. pfcfs3
 * preempts once; its other parameters are overridden.
 */
#define BY_TEXT(wide) ",lxfw_pf_free=0,lxfw_pf_victims=end,lxfw_pf_wide=" wide
#define PF(wide, preemptions, delay, gang) \
	"lxfw_policy=pfcfs3,lxfw_pf_preemptions=" preemptions ",lxfw_pf_delay=" \
	delay ",lxfw_pf_gang=" gang BY_TEXT(wide), LXFW_P_EXACT

const struct lxfw_yahyapour_setting lxfw_yahyapour_settings[LXFW_P_ROWS] = {
	[LXFW_P_FCFS] = { "FCFS", "lxfw_policy=fcfs" },
	[LXFW_P_EASY] = { "EASY", "lxfw_policy=easy" },
	[LXFW_P_CONSERVATIVE] = { "conservative", "lxfw_policy=conservative" },
	[LXFW_P_EASY_EXACT] = { "EASY, exact times", "lxfw_policy=easy", LXFW_P_EXACT },
	[LXFW_P_EASY_UNIFORM] = { "EASY, 18 h", "lxfw_policy=easy", LXFW_P_UNIFORM },
	[LXFW_P_CONSERVATIVE_UNIFORM] = { "conservative, 18 h",
		"lxfw_policy=conservative", LXFW_P_UNIFORM },
	[LXFW_P_T_1] = { "PFCFS1, table 3.1", "lxfw_policy=pfcfs1" },
	[LXFW_P_T_2] = { "PFCFS2, table 3.1", "lxfw_policy=pfcfs2" },
	[LXFW_P_T_3] = { "PFCFS3, table 3.1", "lxfw_policy=pfcfs3" },
	[LXFW_P_1] = { "PFCFS1", "lxfw_policy=pfcfs1" BY_TEXT("49"),
		LXFW_P_EXACT },
	[LXFW_P_2] = { "PFCFS2 (n 2)", "lxfw_policy=pfcfs2" BY_TEXT("49"),
		LXFW_P_EXACT },
	[LXFW_P_3] = { "PFCFS3", "lxfw_policy=pfcfs3" BY_TEXT("49"),
		LXFW_P_EXACT },
	[LXFW_P_X40] = { "x 40 %", PF("39", "1", "60", "60") },
	[LXFW_P_X45] = { "x 45 %", PF("44", "1", "60", "60") },
	[LXFW_P_X50] = { "x 50 %, n 1", PF("49", "1", "60", "60") },
	[LXFW_P_X55] = { "x 55 %", PF("54", "1", "60", "60") },
	[LXFW_P_X60] = { "x 60 %", PF("59", "1", "60", "60") },
	[LXFW_P_N3] = { "n 3", PF("49", "3", "60", "60") },
	[LXFW_P_N10] = { "n 10", PF("49", "10", "60", "60") },
	[LXFW_P_N11] = { "n 11", PF("49", "11", "60", "60") },
	[LXFW_P_N3_120] = { "n 3, gang 120 s", PF("49", "3", "60", "120") },
	[LXFW_P_N3_600] = { "n 3, gang 600 s", PF("49", "3", "60", "600") },
	[LXFW_P_N3_3600] = { "n 3, gang 3600 s", PF("49", "3", "60", "3600") },
	[LXFW_P_N2_3600] = { "n 2, gang 3600 s", PF("49", "2", "60", "3600") },
	[LXFW_P_DELAY1] = { "n 1, delay 1 s", PF("49", "1", "1", "60") },
};

const char *const lxfw_yahyapour_row_names[LXFW_Y_WEIGHTED] = {
	"FCFS", "PSRS", "SMART-FFIA", "SMART-NFIW", "Garey&Graham",
};

const char *const lxfw_yahyapour_column_names[LXFW_Y_COLUMNS] = {
	"alone", "conservative", "EASY",
};

const char *const lxfw_yahyapour_table_names[LXFW_YAHYAPOUR_TABLES] = {
	"2.4", "2.5", "2.6", "2.7", "128", "256",
};

/* Tables 2.4 to 2.7. */
const double lxfw_yahyapour_thesis[4][LXFW_Y_ROWS][LXFW_Y_COLUMNS] = {
	{
		{ 4.91E6, 4.05E5, 3.93E5 },
		{ 1.05E5, 6.35E4, 5.48E4 },
		{ 9.07E4, 5.60E4, 5.33E4 },
		{ 9.39E4, 5.66E4, 5.34E4 },
		{ 1.46E5 },
		{ 4.99E11, 1.14E11, 9.82E10 },
		{ 3.91E11, 1.15E11, 9.91E10 },
		{ 3.03E11, 2.73E11, 2.58E11 },
		{ 3.33E11, 2.92E11, 2.68E11 },
		{ 1.20E11 },
	},
	{
		{ 4.91E6, 6.70E5, 3.95E5 },
		{ 1.59E5, 1.02E5, 1.06E5 },
		{ 1.57E5, 1.00E5, 1.17E5 },
		{ 1.82E5, 1.02E5, 1.11E5 },
		{ 1.46E5 },
		{ 4.99E11, 1.83E11, 1.43E11 },
		{ 3.82E11, 1.70E11, 1.43E11 },
		{ 3.57E11, 2.00E11, 1.51E11 },
		{ 3.91E11, 2.03E11, 1.49E11 },
		{ 1.20E11 },
	},
	{
		{ 6.17E6, 1.06E6, 1.03E6 },
		{ 2.86E5, 1.71E5, 1.55E5 },
		{ 2.67E5, 1.74E5, 1.57E5 },
		{ 2.85E5, 1.65E5, 1.64E5 },
		{ 2.78E5 },
		{ 6.17E11, 3.03E11, 2.96E11 },
		{ 5.10E11, 3.05E11, 2.91E11 },
		{ 4.84E11, 3.33E11, 2.97E11 },
		{ 4.86E11, 3.31E11, 3.03E11 },
		{ 2.72E11 },
	},
	{
		{ 3.40E8, 1.72E8, 1.73E8 },
		{ 1.66E8, 1.44E8, 1.32E8 },
		{ 1.57E8, 1.41E8, 1.37E8 },
		{ 1.61E8, 1.42E8, 1.39E8 },
		{ 1.73E8 },
		{ 9.40E14, 6.66E14, 6.64E14 },
		{ 8.66E14, 6.61E14, 6.60E14 },
		{ 8.15E14, 7.54E14, 6.96E14 },
		{ 9.05E14, 7.96E14, 7.09E14 },
		{ 6.68E14 },
	},
};

const double lxfw_yahyapour_sums[3][3] = {
	{ -9.5, -9.6, -13.6 },
	{ -22.1, -22.2, -33.2 },
	{ 14.4, 12.3, 19.1 },
};

const double lxfw_yahyapour_changes[3][LXFW_YAHYAPOUR_THESIS_MONTHS][3] = {
	{
		{ -3.5, -16.3, 20.0 },
		{ -8.3, -22.2, 14.3 },
		{ -10.0, -25.4, 8.7 },
		{ -4.9, -23.2, 12.2 },
		{ -18.0, -30.0, 11.2 },
		{ -12.5, -22.3, 20.3 },
		{ -4.9, -16.9, 16.4 },
		{ -4.1, -15.4, 32.3 },
		{ -5.6, -14.1, 15.4 },
		{ -14.3, -26.7, 8.6 },
		{ -15.8, -29.2, 3.0 },
	},
	{
		{ -7.1, -19.7, 13.8 },
		{ -6.1, -20.4, 13.2 },
		{ -10.9, -25.5, 6.5 },
		{ -3.3, -20.9, 11.5 },
		{ -21.0, -33.4, 5.7 },
		{ -15.0, -25.6, 20.7 },
		{ -4.6, -13.4, 12.1 },
		{ -5.8, -18.3, 25.0 },
		{ -5.3, -14.2, 16.7 },
		{ -11.8, -24.5, 11.8 },
		{ -14.0, -28.4, 2.7 },
	},
	{
		{ -10.4, -30.6, 22.0 },
		{ -22.6, -41.9, 2.0 },
		{ -15.9, -37.3, 9.4 },
		{ -5.2, -32.9, 17.4 },
		{ -29.7, -47.3, 8.1 },
		{ -22.4, -39.1, 31.7 },
		{ 28.1, 9.6, 63.0 },
		{ -8.2, -28.8, 38.3 },
		{ -8.4, -22.3, 26.2 },
		{ -18.4, -38.3, 18.4 },
		{ -19.5, -39.5, 3.7 },
	},
};

int lxfw_yahyapour_thesis_month(const char *name)
{
	int year, month;

	if (sscanf(name, "%4d-%2d", &year, &month) != 2)
		return -1;
	month += 12 * (year - 1996) - 7;
	return month >= 0 && month < LXFW_YAHYAPOUR_THESIS_MONTHS ? month : -1;
}
