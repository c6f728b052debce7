/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/site_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim-frontend/publish/owned.h"

static const char *path_in(const char *folder, const char *name, char *path, size_t size)
{
	int length = snprintf(path, size, "%s/%s", folder, name);

	return length > 0 && (size_t)length < size ? path : NULL;
}

static const char *usual_folder(void)
{
	const char *folder = getenv("LXFW_SITE");

	return folder && *folder ? folder : LXFW_SITE_FOLDER;
}

const char *lxfw_cmd_site_path(const char *name, char *path, size_t size)
{
	return path_in(usual_folder(), name, path, size);
}

int lxfw_cmd_site_read(const char *folder, struct lxfw_publication *publication)
{
	struct lxfw_error error;
	char path[4096];

	if (!path_in(folder ? folder : usual_folder(), LXFW_PUBLICATION_JSON, path,
		     sizeof(path))) {
		lxfw_cmd_note("the path of the folder is too long");
		return folder ? -1 : 0;
	}
	if (lxfw_publication_read(publication, path, &error) == 0)
		return 1;
	if (folder) {
		lxfw_cmd_bad(&error);
		return -1;
	}
	if (errno != ENOENT && errno != ENOTDIR)
		lxfw_cmd_note("%s", error.text);
	lxfw_publication_clear(publication);
	return 0;
}

void lxfw_cmd_site_notes(const struct lxfw_publication *publication)
{
	for (size_t i = 0; i < publication->note_count; i++)
		lxfw_cmd_note("%s", publication->notes[i].text);
}

int lxfw_cmd_site_owners(const char *folder, struct lxfw_publication *publication)
{
	char path[4096];

	return path_in(folder ? folder : usual_folder(), LXFW_PUBLICATION_OWNERS, path,
		       sizeof(path)) ? lxfw_owned_read(publication, path) : -1;
}
