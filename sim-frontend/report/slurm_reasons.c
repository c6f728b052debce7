/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/slurm_reasons.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Names of job_state_reason_string(), of releases 22.05 to 26.05. */
static const struct {
	const char *name, *help;
} helps[] = {
	{ "AccountNotAllowed", "Its partition does not permit its account: another partition or account "
	  "(sbatch -A) would do." },
	{ "AccountingPolicy", "Its user, account or QOS is not valid, or has reached a limit: 'sacctmgr "
	  "show assoc' has those of a user." },
	{ "BadConstraints", "No nodes meet its request: it needs other features, nodes or amounts, and "
	  "then 'scontrol release JOB'." },
	{ "BlockFreeAction", "Its nodes are being made ready." },
	{ "BurstBufferOperation", "Its burst buffer has failed: its output, or an operator, knows why." },
	{ "BurstBufferResources", "It starts when its burst buffer has room." },
	{ "BurstBufferStageIn", "It starts when its files are in the burst buffer." },
	{ "Cleaning", "Its last run is still being ended on its nodes." },
	{ "Constraints", "No nodes meet its request now: other features, nodes or amounts may do." },
	{ "DeadLine", "It could not end before its deadline: a shorter time limit, or a later deadline, "
	  "would do." },
	{ "DependencyNeverSatisfied", "It will not start: cancel it, or remove the dependency with "
	  "'scontrol update jobid=JOB dependency='." },
	{ "FedJobLock", "Another cluster of the federation is considering it." },
	{ "InvalidAccount", "Its account is not valid for its user: another one (sbatch -A) would do." },
	{ "InvalidQOS", "Its QOS is not valid for its user, account or partition: another one (sbatch "
	  "--qos) would do." },
	{ "job requeued in held state", "'scontrol release JOB' ends this." },
	{ "JobArrayTaskLimit", "Its array permits a number of running tasks (%N): 'scontrol update "
	  "jobid=JOB arraytaskthrottle=N' sets another one." },
	{ "JobHeldAdmin", "Its user cannot release it: the operators of the cluster know why it is held." },
	{ "JobHeldUser", "'scontrol release JOB' ends this." },
	{ "JobHoldMaxRequeue", "It was begun again too often. If the cause is gone, 'scontrol release JOB' "
	  "tries it once more." },
	{ "JobLaunchFailure", "A node could not begin it. If the cause is gone, 'scontrol release JOB' tries "
	  "it once more." },
	{ "launch failed requeued held", "A node could not begin it. If the cause is gone, 'scontrol "
	  "release JOB' tries it once more." },
	{ "MaxMemPerLimit", "Less memory (sbatch --mem, --mem-per-cpu), or a partition that permits more, "
	  "would do." },
	{ "MaxPoweredUpNodes", "It starts when fewer nodes of its partition are powered up." },
	{ "MpiPortsBusy", "It starts when other jobs release their ports." },
	{ "NodeDown", "A node that it needs is down." },
	{ "PartitionConfig", "Its partition has no nodes for its request, or does not permit it: fewer "
	  "processors, memory or GPUs on a node, or another partition, would do." },
	{ "PartitionDown", "A partition that it names starts no jobs: it starts in one that does "
	  "('scontrol update jobid=JOB partition=NAME' names others)." },
	{ "PartitionInactive", "A partition that it names starts no jobs: it starts in one that does "
	  "('scontrol update jobid=JOB partition=NAME' names others)." },
	{ "PartitionNodeLimit", "Its partition does not permit this number of nodes, or these nodes: "
	  "another number, or another partition, would do." },
	{ "PartitionTimeLimit", "Its time limit is longer than its partition permits: 'scontrol update "
	  "jobid=JOB timelimit=TIME' sets a shorter one." },
	{ "PowerNotAvail", "It starts when less power is in use." },
	{ "PowerReserved", "It starts when less power is reserved." },
	{ "Prolog", "Its nodes are being prepared for it." },
	{ "QOSNotAllowed", "Its partition or account does not permit its QOS: another one (sbatch --qos) "
	  "would do." },
	{ "QOSMinCpuNotSatisfied", "Its QOS is for jobs of more processors." },
	{ "ReqNodeNotAvail", "A node that it requests, or each that it could use, is down, drained or "
	  "reserved." },
	{ "Reservation", "It starts when its advance reservation begins and has room." },
	{ "ReservationDeleted", "Its advance reservation is gone: 'scontrol update jobid=JOB "
	  "reservationname=' lets it start elsewhere." },
	{ "ReservationInvalid", "Its user may not use its advance reservation: 'scontrol update jobid=JOB "
	  "reservationname=' lets it start elsewhere." },
	{ "SystemFailure", "Slurm could not begin it: the operators of the cluster know why." },
};

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Of limits, whose names contain whose jobs count and what of them: "QOSMaxCpuPerUserLimit". */
static const char *help_of_limit(const char *said)
{
	bool qos = begins(said, "QOS");

	if (begins(said, "QOSMin"))
		return "Its QOS is for larger jobs.";
	if (strstr(said, "PerJob") || strstr(said, "PerNode"))
		return qos ? "It requests more than a job of its QOS may have, and does not start unless it "
			     "requests less." :
			     "It requests more than a job of its user or account may have, and does not "
			     "start unless it requests less.";
	if (strstr(said, "Grp"))
		return qos ? "The jobs of all users of its QOS count for this limit: it starts when some of "
			     "them have ended." :
			     "The jobs of all users of its account count for this limit: it starts when "
			     "some of them have ended.";
	if (strstr(said, "PerAccount"))
		return "The jobs of its account count for this limit: it starts when some of them have "
		       "ended.";
	return "The jobs of its user count for this limit: it starts when some of them have ended.";
}

const char *lxfw_slurm_reason_help(const char *said)
{
	size_t length = strcspn(said, ",(");

	/* "Resources,JobHeldUser"; a text behind a reason begins with a blank. */
	if (said[length] == ',' && said[length + 1] != ' ')
		return "These are the reasons of several tasks of its array: 'scontrol show job' has "
		       "that of each.";
	for (size_t i = 0; i < sizeof(helps) / sizeof(*helps); i++) {
		if (strlen(helps[i].name) == length && strncmp(helps[i].name, said, length) == 0)
			return helps[i].help;
	}
	if (begins(said, "QOS") || begins(said, "Assoc") ||
	    (begins(said, "Max") && strstr(said, "Per")))
		return help_of_limit(said);
	return NULL;
}
