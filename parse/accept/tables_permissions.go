package accept

// Sandbox policies and permission profiles (format.md 3.2, strictness G1).

var networkAccess = enum("network access", "restricted", "enabled")

// Until 2025-11-13 the tag was "mode": such lines are rejected today.
var sandboxPolicy = tagged("type", "sandbox policy", "3.2",
	v("danger-full-access"),
	v("read-only", def("network_access", boolean, "false")),
	v("external-sandbox", def("network_access", networkAccess, "restricted")),
	v("workspace-write",
		def("writable_roots", list(absPath), "[]"),
		def("network_access", boolean, "false"),
		def("exclude_tmpdir_env_var", boolean, "false"),
		def("exclude_slash_tmp", boolean, "false"),
	),
)

var activePermissionProfile = object("ActivePermissionProfile", "3.2",
	req("id", text),
	opt("extends", text),
)

// A profile without a type has the legacy shape.
var permissionProfile = byKey("type", taggedPermissionProfile, strictObject("LegacyPermissionProfile", "3.2",
	opt("network", object("NetworkPermissions", "3.2", opt("enabled", boolean))),
	opt("file_system", byKey("entries",
		strictObject("FileSystemPermissions", "2.4",
			req("entries", list(fileSystemEntry(hostPath))),
			opt("glob_scan_max_depth", nonZero),
		),
		strictObject("LegacyReadWriteRoots", "2.4",
			opt("read", list(absPath)),
			opt("write", list(absPath)),
		),
	)),
))

var taggedPermissionProfile = tagged("type", "permission profile", "3.2",
	v("managed",
		req("file_system", tagged("type", "file system permissions", "3.2",
			v("restricted",
				req("entries", list(fileSystemEntry(hostPath))),
				opt("glob_scan_max_depth", nonZero),
			),
			v("unrestricted"),
		)),
		req("network", networkAccess),
	),
	v("disabled"),
	v("external", req("network", networkAccess)),
)

var fileSystemPolicy = object("FileSystemSandboxPolicy", "3.2",
	req("kind", enum("file system sandbox kind", "restricted", "unrestricted", "external-sandbox")),
	opt("glob_scan_max_depth", usize),
	def("entries", list(fileSystemEntry(anyPath)), "[]"),
)

// fileSystemEntry is an entry whose literal paths are of the given type.
func fileSystemEntry(path *typ) *typ {
	return object("FileSystemSandboxEntry", "3.2",
		req("path", tagged("type", "file system path", "3.2",
			v("path", req("path", path)),
			v("glob_pattern", req("pattern", text)),
			v("special", req("value", specialPath)),
		)),
		req("access", enum("access mode", "read", "write", "deny").aliases("none")),
		opt("missing_path_behavior", enum("missing path behavior", "skip")),
	)
}

var specialPath = tagged("kind", "special path", "3.2",
	v("root"),
	v("minimal"),
	v("project_roots", opt("subpath", text)).or("current_working_directory"),
	v("tmpdir"),
	v("slash_tmp"),
	v("unknown", req("path", text), opt("subpath", text)),
)
