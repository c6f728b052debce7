/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of subcommands, and the output of `lxfw --help`. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/util/text.h"

static const struct lxfw_command *const commands[] = {
	&lxfw_command_simulate,
	&lxfw_command_replay,
	&lxfw_command_journal,
	&lxfw_command_why,
	&lxfw_command_status,
	&lxfw_command_predict,
	&lxfw_command_queue,
	&lxfw_command_snapshot,
	&lxfw_command_watch,
	&lxfw_command_compare,
	&lxfw_command_tune,
	&lxfw_command_import,
	&lxfw_command_describe,
	&lxfw_command_generate,
	&lxfw_command_grid,
	&lxfw_command_route,
	&lxfw_command_reproduce,
	&lxfw_command_check_conf,
	&lxfw_command_params,
};

#define COMMANDS (sizeof(commands) / sizeof(*commands))

static const char about[] =
"lxfw - simulate, evaluate and tune the sched/lxfw batch scheduler\n"
"\n"
"Usage: lxfw SUBCOMMAND [OPTION]... [FILE]...\n"
"       lxfw help [SUBCOMMAND]\n"
"\n"
"lxfw uses the same scheduling code and parameters as the Slurm plugin\n"
"sched/lxfw, and makes the same decisions. Use it to evaluate a scheduling\n"
"policy on the jobs of an accounting log, to compare measured with simulated\n"
"waits, and to verify the decisions in a journal of the plugin.\n"
"\n"
"Subcommands:\n";

static const char more[] =
"\n"
"Examples:\n"
"  lxfw simulate --policy lxfw log.swf.gz\n"
"        Simulate a log under LXF&W. The number of processors is read from its\n"
"        header.\n"
"  lxfw simulate --cluster /etc/slurm/slurm.conf --jobs-out jobs.csv log.swf\n"
"        Simulate a log on the nodes and with the parameters of a slurm.conf.\n"
"        Write the start and wait of each job to jobs.csv.\n"
"  lxfw replay /var/log/lxfw.journal\n"
"        Verify that the library repeats the decisions of a live controller.\n"
"  lxfw journal --job 4711 --dates /var/log/lxfw.journal\n"
"        Print the events and decisions that concern a job.\n"
"  lxfw compare /var/log/lxfw.journal\n"
"        Compare measured with simulated waits.\n"
"  lxfw import --out month.swf --cluster-out hosts sacct.txt\n"
"        Convert accounting data to a trace and a cluster description.\n"
"  lxfw generate ncsa-o2k --month 2000-02 --out feb.swf\n"
"        Generate a synthetic month of the NCSA Origin 2000.\n"
"  lxfw describe feb.swf\n"
"        Print the characteristics of a workload.\n"
"\n"
"Results are written to standard output, messages to standard error.\n"
"\n"
"Exit status: 0 success; 1 negative result (decisions differ, a limit is\n"
"exceeded); 2 invalid usage or input.\n"
"\n"
"Manual pages: lxfw(1), lxfw-check-conf(1), lxfw-compare(1), lxfw-grid(1),\n"
"lxfw-import(1), lxfw-predict(1), lxfw-queue(1), lxfw-route(1), lxfw-simulate(1),\n"
"lxfw-snapshot(1), lxfw-tune(1), lxfw-watch(1), lxfw-grid-request(5), lxfw-params(5), lxfw-pbsd(8),\n"
"lxfw-recover(8), sched_lxfw(8).\n";

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
	/* getopt_long() begins its messages with this name */
	snprintf(name, sizeof(name), "lxfw %s", command->name);
	argv[1] = name;
	return command->run(command, argc - 1, argv + 1);
}
