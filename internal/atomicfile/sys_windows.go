package atomicfile

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// SyncDir does nothing: Windows has no such call, its renames are journalled.
func SyncDir(string) error { return nil }

// Free is the number of bytes that the user can still write to the volume of a folder;
// false when that cannot be told.
func Free(dir string) (int64, bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, nil, nil); err != nil {
		return 0, false
	}
	return int64(min(free, 1<<62)), true
}

// chown does nothing: a new file inherits its rights from the folder.
func chown(*os.File, fs.FileInfo) {}

// DiskFull reports whether an error says that the volume has no room.
func DiskFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// Links is the number of names of a file; 1 when that cannot be told.
func Links(fs.FileInfo) int { return 1 }
