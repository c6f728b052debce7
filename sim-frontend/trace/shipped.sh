#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# shipped.sh FILE...: the files as constants in C, to standard output.

echo '/* Made by sim-frontend/trace/shipped.sh. */'
echo '#include "sim-frontend/trace/shipped.h"'
number=0
for file; do
	echo
	echo "static const char file_$number[] = {"
	od -An -v -tx1 "$file" | sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g' || exit 1
	echo '};'
	number=$((number + 1))
done
echo
echo 'const struct lxfw_shipped lxfw_shipped_files[] = {'
number=0
for file; do
	echo "	{ \"${file##*/}\", file_$number, sizeof(file_$number) },"
	number=$((number + 1))
done
echo '	{ 0, 0, 0 },'
echo '};'
