/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/contender.h"

/* One minute and one gigabyte: section 3. Ten minutes without interruption, section
   2.4, is the default. */
#define QUANTUM "lxfw_quantum=60,lxfw_quantum_mem=1024,"

static const struct lxfw_contender_text contenders[LXFW_CONTENDERS] = {
	[LXFW_NCSA_LSF] = {
		"NCSA-LSF*", "ncsa_lsf", "lxfw_policy=classes", true, true },
	[LXFW_FCFS_BF] = {
		"FCFS-bf", "fcfs_bf", "lxfw_policy=easy", false, false },
	[LXFW_PRIORITY_BF] = {
		"Priority-bf", "priority_bf", "lxfw_policy=priority", false, false },
	[LXFW_LXFW_BF] = {
		"LXF&W-bf", "lxfw_bf", "lxfw_policy=lxfw", false, false },
	[LXFW_SJF_BF] = {
		"SJF-bf", "sjf_bf", "lxfw_policy=sjf", false, false },
	[LXFW_IMMEDIATE] = {
		"LXF&W-bf/immediate", "lxfw_immediate",
		QUANTUM "lxfw_policy=lxfw,lxfw_quantum_mode=preempt", false, false },
	[LXFW_SOON] = {
		"LXF&W-bf/soon", "lxfw_soon",
		QUANTUM "lxfw_policy=lxfw,lxfw_quantum_mode=soon", false, false },
	[LXFW_EQ_5M] = {
		"EQspatial-5m", "eqspatial_5m",
		QUANTUM "lxfw_policy=eqspatial,lxfw_quantum_mode=preempt,"
		"lxfw_eq_min_interval=300", false, true },
	[LXFW_EQ_0M] = {
		"EQspatial-0m", "eqspatial_0m",
		QUANTUM "lxfw_policy=eqspatial,lxfw_quantum_mode=preempt,"
		"lxfw_eq_min_interval=0", false, true },
	[LXFW_EQ_50H] = {
		"EQspatial-5m/>50hr", "eqspatial_50h",
		QUANTUM "lxfw_policy=eqspatial,lxfw_quantum_mode=preempt,"
		"lxfw_eq_min_interval=300,lxfw_eq_full_after=180000", false, true },
	[LXFW_PRIORITY_4] = {
		"Priority-bf, 4 reserved", "priority_4",
		"lxfw_policy=priority,lxfw_reservations=4", false, false },
	[LXFW_IMMEDIATE_SUSPEND] = {
		"LXF&W-bf/immediate, kept", "lxfw_immediate_suspend",
		QUANTUM "lxfw_policy=lxfw,lxfw_quantum_mode=preempt,"
		"lxfw_quantum_end=suspend", false, false },
};

const struct lxfw_contender_text *
lxfw_contender_text(enum lxfw_contender contender)
{
	return &contenders[contender];
}
