/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slurm.conf of a trial: the settings of the site that concern the scheduling, and private
   ones in place of the others. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "plugins/slurm/parameters/parameters.h"
#include "sim-frontend/conf/keys.h"
#include "sim-frontend/conf/trial.h"

/* Settings that private ones replace, and that need not be named: they are no part of what is
   tried. */
static bool is_replaced(const char *key)
{
	static const char *const keys[] = {
		"AuthInfo", "AuthType", "BackupAddr", "BackupController", "ClusterName",
		"CommunicationParameters", "ControlAddr", "ControlMachine", "CredType",
		"CryptoType", "JobAcctGatherType", "MailProg", "MessageTimeout", "MpiDefault",
		"PluginDir", "ProctrackType", "SlurmctldAddr", "SlurmctldHost",
		"SlurmctldLogFile", "SlurmctldPidFile", "SlurmctldPort", "SlurmdLogFile",
		"SlurmdPidFile", "SlurmdPort", "SlurmdSpoolDir", "SlurmdUser", "SlurmUser",
		"StateSaveLocation", "TaskPlugin", "ReturnToService", "SlurmctldDebug",
		"SlurmdDebug", "SlurmctldTimeout", "SlurmdTimeout", "NodeAddr",
		"NodeHostname", "Port", "Reason",
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (strcasecmp(keys[i], key) == 0)
			return true;
	}
	return false;
}

static void print_private(const struct lxfw_trial *trial, FILE *out)
{
	const char *folder = trial->folder;

	fprintf(out, "ClusterName=lxfw-trial\nSlurmctldHost=%s(%s)\n"
		"SlurmctldPort=%d\nSlurmdPort=%d\nSlurmUser=%s\nSlurmdUser=%s\n",
		trial->host, trial->address, trial->port, trial->node_port, trial->user,
		trial->user);
	if (trial->stays_local)
		fputs("CommunicationParameters=NoCtldInAddrAny\n", out);
	fprintf(out, "AuthType=auth/munge\nAuthInfo=socket=%s/munge\nCredType=cred/munge\n"
		"StateSaveLocation=%s/state\nSlurmdSpoolDir=%s/spool\n"
		"SlurmctldPidFile=%s/slurmctld.pid\nSlurmdPidFile=%s/slurmd.pid\n"
		"SlurmctldLogFile=%s/log\nSlurmctldSyslogDebug=quiet\n",
		folder, folder, folder, folder, folder, folder);
	fputs("MailProg=/bin/true\nMpiDefault=none\nProctrackType=proctrack/linuxproc\nMessageTimeout=5\nReturnToService=1\n", out);
	/* Later releases have no plugins of these names. */
	if (trial->release < 0x170b00)
		fputs("TaskPlugin=task/none\nJobAcctGatherType=jobacct_gather/none\n", out);
}

/* Slurm reads an empty value only in quotes. */
static void print_value(const char *key, const char *value, FILE *out)
{
	const char *quote = !*value || strpbrk(value, " \t#") ? "\"" : "";

	fprintf(out, "%s=%s", key, quote);
	for (; *value; value++)
		fprintf(out, "%s%c", *value == '#' ? "\\" : "", *value);
	fputs(quote, out);
}

/* SchedulerParameters without the files that the plugin writes. */
static void print_parameters(const struct lxfw_conf_setting *setting, FILE *out)
{
	const char *text = setting->value;
	struct lxfw_parameter_item item;
	size_t count = 0;

	while (lxfw_parameters_next(&text, &item)) {
		if (strncasecmp(item.at, "lxfw_journal=", 13) == 0 ||
		    strncasecmp(item.at, "lxfw_metrics=", 13) == 0)
			continue;
		if (count++ == 0)
			fprintf(out, "%s=", setting->key);
		else
			fputc(',', out);
		fprintf(out, "%.*s", (int)item.length, item.at);
	}
	if (count == 0)
		print_value(setting->key, "", out);
}

/* Whether SchedulerType is Slurm's or ours: another one may have effects elsewhere. */
static bool is_scheduler(const struct lxfw_trial *trial, const char *type)
{
	return strcmp(type, "sched/backfill") == 0 || strcmp(type, "sched/builtin") == 0 ||
	       (strcmp(type, "sched/lxfw") == 0 && trial->has_sched);
}

static void print_general(const struct lxfw_trial *trial,
			  const struct lxfw_conf_setting *setting, FILE *out)
{
	if (strcasecmp(setting->key, "SchedulerParameters") == 0)
		print_parameters(setting, out);
	else if (strcasecmp(setting->key, "SchedulerType") == 0 &&
		 !is_scheduler(trial, setting->value))
		fputs("SchedulerType=sched/backfill", out);
	else if (strcasecmp(setting->key, "SelectType") == 0 && !trial->has_select &&
		 strcasecmp(setting->value, "select/cons_tres_lxfw") == 0)
		fputs("SelectType=select/cons_tres", out);
	else
		print_value(setting->key, setting->value, out);
	fputc('\n', out);
}

/* Whether the setting has weights of TRES such as gres/gpu, which slurmctld has only with
   slurmdbd. */
static bool needs_slurmdbd(const struct lxfw_conf_setting *setting)
{
	return (strcasecmp(setting->key, "TRESBillingWeights") == 0 ||
		strcasecmp(setting->key, "PriorityWeightTRES") == 0) &&
	       strchr(setting->value, '/');
}

/* Names the key of the setting AT once. */
static void leave_out(FILE *left, const struct lxfw_conf *conf, size_t at)
{
	const struct lxfw_conf_setting *settings = conf->settings;
	const char *key = settings[at].key;

	if (is_replaced(key))
		return;
	for (size_t i = 0; i < at; i++) {
		if (strcasecmp(settings[i].key, key) == 0 &&
		    needs_slurmdbd(&settings[i]) == needs_slurmdbd(&settings[at]))
			return;
	}
	fprintf(left, "%s%s", ftell(left) > 0 ? ", " : "", key);
}

/* A key that no release has is kept, so that slurmctld sees it. */
static bool is_tried(const char *kind, const struct lxfw_conf_setting *setting)
{
	const struct lxfw_conf_key *row = lxfw_conf_key_find(kind, setting->key);

	if (!row)
		row = lxfw_conf_key_find("", setting->key);
	return !row || (row->tried && !needs_slurmdbd(setting));
}

static void print_record(const struct lxfw_conf *conf, size_t record, FILE *out, FILE *left)
{
	const struct lxfw_conf_record *of = &conf->records[record];
	const struct lxfw_conf_setting *name = &conf->settings[of->first];

	if (!is_tried("", name)) {
		leave_out(left, conf, of->first);
		return;
	}
	print_value(name->key, name->value, out);
	for (size_t i = of->first + 1; i < of->first + of->count; i++) {
		const struct lxfw_conf_setting *setting = &conf->settings[i];

		if (!is_tried(name->key, setting)) {
			leave_out(left, conf, i);
			continue;
		}
		fputc(' ', out);
		print_value(setting->key, setting->value, out);
	}
	/* One address is sufficient for all nodes of a line. */
	if (strcasecmp(name->key, "NodeName") == 0 && !lxfw_conf_record_is_default(conf, record))
		fputs(" NodeAddr=127.0.0.1", out);
	fputc('\n', out);
}

void lxfw_trial_print(const struct lxfw_trial *trial, const struct lxfw_conf *conf, FILE *out,
		      FILE *left)
{
	size_t record = 0;
	bool tried;

	print_private(trial, out);
	if (!conf) {
		fputs("NodeName=n1 NodeAddr=127.0.0.1\nPartitionName=p Nodes=n1\n", out);
		return;
	}
	if (*trial->plugin_dirs)
		fprintf(out, "PluginDir=%s\n", trial->plugin_dirs);
	for (size_t i = 0; i < conf->count; ) {
		const struct lxfw_conf_setting *setting = &conf->settings[i];

		if (record < conf->record_count && conf->records[record].first == i) {
			print_record(conf, record, out, left);
			i += conf->records[record++].count;
			continue;
		}
		tried = is_tried("", setting) &&
			(trial->has_topology || strncasecmp(setting->key, "Topology", 8) != 0);
		if (tried)
			print_general(trial, setting, out);
		else
			leave_out(left, conf, i);
		i++;
	}
}
