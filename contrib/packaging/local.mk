# SPDX-License-Identifier: GPL-2.0-or-later
#
# Packages of a release.

EXTRA_DIST += \
	contrib/packaging/check \
	contrib/packaging/deb \
	contrib/packaging/debian/control.in \
	contrib/packaging/debian/copyright \
	contrib/packaging/debian/lxfw-doc.docs \
	contrib/packaging/debian/lxfw-slurm-plugins.examples \
	contrib/packaging/debian/lxfw-slurm-plugins.install \
	contrib/packaging/debian/lxfw-slurm-plugins.links \
	contrib/packaging/debian/lxfw-slurm-plugins.postrm \
	contrib/packaging/debian/lxfw-slurm-plugins.prerm \
	contrib/packaging/debian/lxfw-user.docs \
	contrib/packaging/debian/lxfw-user.install \
	contrib/packaging/debian/lxfw.install \
	contrib/packaging/debian/rules \
	contrib/packaging/debian/source/format \
	contrib/packaging/lxfw.spec.in \
	contrib/packaging/rpm \
	contrib/packaging/rpmlintrc \
	contrib/packaging/trial

# Debian packages for the installed release of Slurm, in packages/ of the build directory.
deb: dist
	$(srcdir)/contrib/packaging/deb $(abs_builddir)/$(PACKAGE)-$(VERSION).tar.gz \
		'$(VERSION)' '$(SLURM_SRC)' '$(SLURM_VERSION)' packages

# RPM packages, likewise.
rpm: dist
	$(srcdir)/contrib/packaging/rpm $(abs_builddir)/$(PACKAGE)-$(VERSION).tar.gz \
		'$(VERSION)' '$(SLURM_SRC)' '$(SLURM_VERSION)' '$(SLURM_PLUGINDIR)' packages

# Build, install, upgrade and remove the packages in Debian 12 and 13 in folders, or in the
# releases SUITES, with a controller that runs (root; a quarter of an hour each).
check-packages:
	$(AM_TESTS_ENVIRONMENT) status=0; \
	$(srcdir)/contrib/packaging/check $${LXFW_PACKAGES:-packages-check} $(SUITES) || status=$$?; \
	test $$status = 0 || test $$status = 77

.PHONY: deb rpm check-packages
