/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/cmd.h"

int main(int argc, char **argv)
{
	return lxfw_main(argc, argv);
}
