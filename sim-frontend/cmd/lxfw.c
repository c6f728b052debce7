/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of subcommands, and the page that `lxfw --help` shows. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/util/text.h"

static const struct lxfw_command *const commands[] = {
	&lxfw_command_simulate,
	&lxfw_command_replay,
	&lxfw_command_journal,
	&lxfw_command_compare,
	&lxfw_command_tune,
	&lxfw_command_import,
	&lxfw_command_describe,
	&lxfw_command_generate,
	&lxfw_command_reproduce,
	&lxfw_command_check_conf,
};

#define COMMANDS (sizeof(commands) / sizeof(*commands))

static const char about[] =
"lxfw - batch scheduling that serves short jobs at once and starves nobody\n"
"\n"
"Usage: lxfw SUBCOMMAND [OPTION]... [FILE]...\n"
"       lxfw help [SUBCOMMAND]\n"
"\n"
"The scheduler in this command is the one that runs in Slurm as sched/lxfw: the\n"
"same code, the same parameters, the same decisions. Use it to see what a policy\n"
"would do to last month's jobs, to compare what a cluster did with what it should\n"
"have done, and to prove from a journal that it did.\n"
"\n"
"Subcommands:\n";

static const char more[] =
"\n"
"Examples:\n"
"  lxfw simulate --policy lxfw log.swf.gz\n"
"        the log's jobs under LXF&W on as many processors as its header tells\n"
"  lxfw simulate --cluster /etc/slurm/slurm.conf --jobs-out jobs.csv log.swf\n"
"        on the hosts of a site, with the parameters of its slurm.conf, and what\n"
"        became of each job\n"
"  lxfw replay /var/log/lxfw.journal\n"
"        does the library decide now as the controller decided then?\n"
"  lxfw journal --job 4711 --dates /var/log/lxfw.journal\n"
"        what became of a job, and what was decided about it\n"
"  lxfw compare /var/log/lxfw.journal\n"
"        measured waits beside simulated ones\n"
"  lxfw import --out month.swf --cluster-out hosts sacct.txt\n"
"        a site's accounting as a trace, and the hosts it names\n"
"  lxfw generate ncsa-o2k --month 2000-02 --out feb.swf\n"
"        a synthetic month of the NCSA Origin 2000\n"
"  lxfw describe feb.swf\n"
"        what a workload is like\n"
"\n"
"Results go to standard output, messages to standard error. Exit status: 0 done,\n"
"1 the answer is \"no\" (differs, falls short), 2 misuse or bad input.\n"
"\n"
"Manual pages: lxfw(1), lxfw-check-conf(1), lxfw-compare(1), lxfw-import(1),\n"
"lxfw-simulate(1), lxfw-tune(1), lxfw-params(5), lxfw-recover(8),\n"
"sched_lxfw(8).\n";

static const struct lxfw_command *find(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++) {
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	}
	return NULL;
}

static void print_help(FILE *out)
{
	fputs(about, out);
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-10s %-10s %s\n", commands[i]->name,
			commands[i]->arguments, commands[i]->summary);
	fputs(more, out);
}

static int unknown(const char *what, const char *name)
{
	char quoted[40];

	fprintf(stderr, "lxfw: %s '%s', expected one of ", what,
		lxfw_text_quote(quoted, sizeof(quoted), name, strlen(name)));
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(stderr, "%s, ", commands[i]->name);
	fputs("help\nTry 'lxfw --help'.\n", stderr);
	return LXFW_EXIT_BAD;
}

static int help(int argc, char **argv)
{
	const struct lxfw_command *command;

	if (argc < 2) {
		print_help(stdout);
		return lxfw_cmd_finish(LXFW_EXIT_DONE);
	}
	command = find(argv[1]);
	if (!command)
		return unknown("no subcommand", argv[1]);
	return lxfw_cmd_common(command, 'h');
}

int lxfw_main(int argc, char **argv)
{
	const struct lxfw_command *command;
	char name[64];

	if (argc < 2) {
		print_help(stderr);
		return LXFW_EXIT_BAD;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return help(1, argv);
	if (strcmp(argv[1], "help") == 0)
		return help(argc - 1, argv + 1);
	if (strcmp(argv[1], "--version") == 0) {
		printf("lxfw %s\n", PACKAGE_VERSION);
		return lxfw_cmd_finish(LXFW_EXIT_DONE);
	}
	command = find(argv[1]);
	if (!command)
		return unknown(*argv[1] == '-' ? "no option" : "no subcommand",
			       argv[1]);
	/* getopt_long() begins its messages with this */
	snprintf(name, sizeof(name), "lxfw %s", command->name);
	argv[1] = name;
	return command->run(command, argc - 1, argv + 1);
}
