# SPDX-License-Identifier: GPL-2.0-or-later
#
# Packages of a release.

EXTRA_DIST += \
	contrib/packaging/deb \
	contrib/packaging/debian/control.in \
	contrib/packaging/debian/copyright \
	contrib/packaging/debian/lxfw-doc.docs \
	contrib/packaging/debian/lxfw-slurm-plugins.examples \
	contrib/packaging/debian/lxfw-slurm-plugins.install \
	contrib/packaging/debian/lxfw-slurm-plugins.prerm \
	contrib/packaging/debian/lxfw.install \
	contrib/packaging/debian/rules \
	contrib/packaging/debian/source/format

# Debian packages for the installed release of Slurm, in packages/ of the build directory.
deb: dist
	$(srcdir)/contrib/packaging/deb $(abs_builddir)/$(PACKAGE)-$(VERSION).tar.gz \
		'$(VERSION)' '$(SLURM_SRC)' '$(SLURM_VERSION)' packages

.PHONY: deb
