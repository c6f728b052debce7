/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the dynamic symbols of an ELF file for this type of machine. */
#include "sim-frontend/conf/plugin_file.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/bytes.h"
#include "sim-frontend/util/text.h"

/* plugin_name of sched_lxfw.c. */
static const char sched_name[] = "LXF&W priority backfill scheduler";

/* Returns COUNT items of SIZE at OFFSET of the file, or NULL if the file is too short. */
static const void *part(const struct lxfw_bytes *file, uint64_t offset,
			uint64_t count, size_t size)
{
	if (offset > file->length || count > (file->length - offset) / size)
		return NULL;
	return file->bytes + offset;
}

/* Section headers are copied, since they may be unaligned. */
static bool section(const struct lxfw_bytes *file, const ElfW(Ehdr) *header,
		    uint64_t index, ElfW(Shdr) *to)
{
	const void *at = part(file, header->e_shoff + index * sizeof(*to), 1,
			      sizeof(*to));

	if (!at || index >= header->e_shnum)
		return false;
	memcpy(to, at, sizeof(*to));
	return true;
}

/* Converts a memory ADDRESS to an offset in the file. */
static bool file_offset(const struct lxfw_bytes *file, const ElfW(Ehdr) *header,
			uint64_t address, uint64_t *offset)
{
	for (uint64_t i = 0; i < header->e_phnum; i++) {
		ElfW(Phdr) program;
		const void *at = part(file, header->e_phoff +
				      i * sizeof(program), 1, sizeof(program));

		if (!at)
			return false;
		memcpy(&program, at, sizeof(program));
		if (program.p_type == PT_LOAD && address >= program.p_vaddr &&
		    address - program.p_vaddr < program.p_filesz) {
			*offset = program.p_offset + address - program.p_vaddr;
			return true;
		}
	}
	return false;
}

/* Searches the symbol WANTED in one table. Returns its SIZE bytes, or NULL. */
static const void *find_in(const struct lxfw_bytes *file,
			   const ElfW(Ehdr) *header, const ElfW(Shdr) *table,
			   const char *wanted, size_t size)
{
	ElfW(Shdr) names;
	ElfW(Sym) symbol;
	uint64_t count = table->sh_size / sizeof(symbol), offset;
	size_t length = strlen(wanted) + 1;
	const char *symbols = part(file, table->sh_offset, count,
				   sizeof(symbol));

	if (!symbols || !section(file, header, table->sh_link, &names) ||
	    !part(file, names.sh_offset, names.sh_size, 1))
		return NULL;
	for (uint64_t i = 0; i < count; i++) {
		memcpy(&symbol, symbols + i * sizeof(symbol), sizeof(symbol));
		if (symbol.st_name >= names.sh_size ||
		    names.sh_size - symbol.st_name < length ||
		    memcmp(file->bytes + names.sh_offset + symbol.st_name,
			   wanted, length) != 0 ||
		    !file_offset(file, header, symbol.st_value, &offset))
			continue;
		return part(file, offset, 1, size);
	}
	return NULL;
}

static const void *find(const struct lxfw_bytes *file, const char *wanted,
			size_t size)
{
	ElfW(Ehdr) header;

	if (file->length < sizeof(header))
		return NULL;
	memcpy(&header, file->bytes, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 :
							      ELFCLASS32) ||
	    header.e_shentsize != sizeof(ElfW(Shdr)) ||
	    header.e_phentsize != sizeof(ElfW(Phdr)))
		return NULL;
	for (uint64_t i = 0; i < header.e_shnum; i++) {
		const void *value;
		ElfW(Shdr) table;

		if (!section(file, &header, i, &table))
			return NULL;
		value = table.sh_type != SHT_DYNSYM ? NULL :
			find_in(file, &header, &table, wanted, size);
		if (value)
			return value;
	}
	return NULL;
}

int lxfw_plugin_version(const char *path, uint32_t *version,
			struct lxfw_error *error)
{
	struct lxfw_bytes file;
	const void *found;

	if (lxfw_bytes_read(&file, path, error))
		return -1;
	found = find(&file, "plugin_version", sizeof(*version));
	if (found)
		memcpy(version, found, sizeof(*version));
	free(file.bytes);
	if (found)
		return 0;
	return lxfw_error_at(error, path, 0, "not a Slurm plugin for this "
			     "architecture");
}

bool lxfw_plugin_is_sched(const char *path)
{
	struct lxfw_bytes file;
	const void *name;
	bool is;

	if (lxfw_bytes_read(&file, path, NULL))
		return false;
	name = find(&file, "plugin_name", sizeof(sched_name));
	is = name && memcmp(name, sched_name, sizeof(sched_name)) == 0;
	free(file.bytes);
	return is;
}

char *lxfw_plugin_release(uint32_t version, char *out)
{
	snprintf(out, 16, "%u.%02u.%u", version >> 16 & 0xff,
		 version >> 8 & 0xff, version & 0xff);
	return out;
}
