# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The configuration of a private cluster. All differences between the releases of Slurm
# are handled here. Sourced by `cluster`; reads the settings in cluster.conf, which
# `cluster` describes.

# Print the settings that the release requires, one Key=Value per line.
conf_of_release()
{
	case $release in
	22.05 | 23.02)
		# No cgroups: the cluster must not need more than a folder. Later releases
		# have no plugins of these names, and use none by default.
		echo TaskPlugin=task/none
		echo JobAcctGatherType=jobacct_gather/none
		;;
	esac
}

cgroup_defaults()
{
	case $release in
	22.05 | 23.02)
		echo CgroupPlugin=cgroup/v1
		echo CgroupAutomount=no
		;;
	23.11)
		# CgroupPlugin=disabled exists since 24.05.
		echo CgroupPlugin=cgroup/v1
		;;
	*)
		echo CgroupPlugin=disabled
		;;
	esac
}

conf_defaults()
{
	cat <<-END
	ClusterName=$cluster_name
	SlurmctldHost=$host(127.0.0.1)
	SlurmctldPort=$port
	SlurmUser=$user
	SlurmdUser=$user
	AuthType=auth/munge
	AuthInfo=socket=$munge
	CredType=cred/munge
	StateSaveLocation=$run/state
	SlurmdSpoolDir=$run/spool/%n
	SlurmctldPidFile=$run/pid/slurmctld
	SlurmdPidFile=$run/pid/slurmd.%n
	SlurmctldLogFile=$run/log/slurmctld
	SlurmdLogFile=$run/log/slurmd.%n
	SlurmctldDebug=debug
	SlurmdDebug=info
	LogTimeFormat=iso8601_ms
	PluginDir=${stock_dir:+$stock_dir:}${plugin_dir:+$plugin_dir:}$slurm_plugin_dir
	ProctrackType=proctrack/linuxproc
	MpiDefault=none
	MailProg=/bin/true
	PropagateResourceLimits=NONE
	ReturnToService=1
	SelectType=select/cons_tres
	SelectTypeParameters=CR_Core_Memory
	DefMemPerCPU=1000
	SchedulerType=sched/$scheduler
	SlurmdParameters=config_overrides
	InactiveLimit=0
	KillWait=2
	MinJobAge=86400
	SlurmctldTimeout=300
	SlurmdTimeout=$((speed > 1 ? 3600 : 300))
	MessageTimeout=$((speed > 1 ? 100 : 20))
	END
	if [ "$accounting" = yes ] || [ -n "$join" ]; then
		echo AccountingStorageType=accounting_storage/slurmdbd
		echo AccountingStorageHost=127.0.0.1
		echo "AccountingStoragePort=$dbd_port"
		echo "AccountingStoragePass=$munge"
		echo AccountingStorageEnforce=associations,limits,qos
	fi
	conf_of_rest
	[ -z "$params" ] || echo "SchedulerParameters=$params"
	conf_of_release
}

# For the controller and for slurmdbd.
conf_of_rest()
{
	[ "$rest" = yes ] || return 0
	echo AuthAltTypes=auth/jwt
	echo "AuthAltParameters=jwt_key=$run/rest/key"
}

# unless_given DEFAULTS LINE...: print the lines, and those lines of the command
# DEFAULTS whose key is not set in them.
unless_given()
{
	{
		[ $# = 1 ] || printf '%s\n' "${@:2}"
		echo
		"$1"
	} | awk -F= '
		/^$/ { defaults = 1; next }
		defaults && (tolower($1) in given) { next }
		!defaults { given[tolower($1)] = 1 }
		{ print }'
}

# Nodes n1, n2, ... (or with another prefix). --node 'n2 Feature=slow CPUs=8' adds
# settings to a node's line, or replaces them.
conf_nodes()
{
	local i name extra line
	for ((i = 1; i <= nodes; i++)); do
		name=$prefix$i
		extra=
		for line in "${node_lines[@]}"; do
			[ "${line%% *}" != "$name" ] || extra+=" ${line#* }"
		done
		[[ $extra = *CPUs=* ]] || extra+=" CPUs=$cpus"
		[[ $extra = *RealMemory=* ]] || extra+=" RealMemory=$memory"
		echo "NodeName=$name NodeHostname=$host NodeAddr=127.0.0.1" \
			"Port=$((port + i))$extra State=UNKNOWN"
	done
}

conf_partitions()
{
	if [ ${#partition_lines[@]} = 0 ]; then
		echo "PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE State=UP"
	else
		printf 'PartitionName=%s\n' "${partition_lines[@]}"
	fi
}

slurmdbd_conf()
{
	cat <<-END
	AuthType=auth/munge
	AuthInfo=socket=$run/munge/socket
	DbdHost=$host
	DbdAddr=127.0.0.1
	DbdPort=$dbd_port
	SlurmUser=$user
	LogFile=$run/log/slurmdbd
	PidFile=$run/pid/slurmdbd
	StorageType=accounting_storage/mysql
	StorageHost=127.0.0.1
	StoragePort=$((port + nodes + 2))
	StorageUser=slurm
	StoragePass=private
	StorageLoc=slurm_acct_db
	END
	conf_of_rest
}

# Write slurm.conf, cgroup.conf, gres.conf and plugstack.conf to folder $1. slurm.conf
# is replaced atomically, because a daemon may read it at any time.
write_conf()
{
	{
		unless_given conf_defaults "${conf_lines[@]}"
		[ "$no_slurmd" = yes ] || conf_nodes
		conf_partitions
	} >"$1/slurm.conf.new"
	mv "$1/slurm.conf.new" "$1/slurm.conf"
	unless_given cgroup_defaults "${cgroup_lines[@]}" >"$1/cgroup.conf"
	[ ${#gres_lines[@]} = 0 ] || printf '%s\n' "${gres_lines[@]}" >"$1/gres.conf"
	[ ${#topology_lines[@]} = 0 ] || printf '%s\n' "${topology_lines[@]}" >"$1/topology.conf"
	[ ${#plugstack_lines[@]} = 0 ] || printf '%s\n' "${plugstack_lines[@]}" >"$1/plugstack.conf"
	# slurmdbd requires that other users cannot read the file.
	[ "$accounting" != yes ] || (umask 077 && slurmdbd_conf >"$1/slurmdbd.conf")
}
