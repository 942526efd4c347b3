package update

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"syscall"

	"majordome/cmd/majordome/durable"
)

// stickFolder is the mount point of a stick, in the mount namespace of majordome-stick@.service only.
const stickFolder = "stick"

// CheckFolderOrStick checks a folder, or a stick by the name of its device, which it mounts; see CheckFolder.
func (m *Machine) CheckFolderOrStick(name string) (Report, error) {
	st, err := os.Stat(name)
	if err == nil { // StateDirectory creates it for the units
		err = os.MkdirAll(m.Dir, 0o755)
	}
	if err != nil {
		return Report{}, err
	}
	if st.IsDir() {
		return m.CheckFolder(name)
	}
	at := m.pathOf(stickFolder)
	if err := os.Mkdir(at, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return Report{}, err
	}
	for _, kind := range []string{"vfat", "exfat"} { // the formats of sticks on sale; each further one would be a risk in the kernel
		if err = syscall.Mount(name, at, kind, syscall.MS_RDONLY|syscall.MS_NOSUID|syscall.MS_NODEV|syscall.MS_NOEXEC, ""); err == nil {
			report, err := m.CheckFolder(at)
			return report, errors.Join(err, syscall.Unmount(at, 0))
		}
	}
	return Report{}, errors.Join(fmt.Errorf("update: mount %s: %w", name, err), m.ReportUnmountable())
}

// sumPattern matches the content of a request file.
var sumPattern = regexp.MustCompile(`^[0-9a-f]{64}\n?$`)

// WriteRequest requests the installation of the package with this sum, in a file that a unit of root waits
// for.
func WriteRequest(file, sum string) error {
	if !sumPattern.MatchString(sum) {
		return ErrNotOffered
	}
	return durable.WriteFile(file, []byte(sum), 0o600)
}

// TakeRequest removes a request file and returns its sum. The folder belongs to another account, so anything
// but a valid sum is an error.
func TakeRequest(file string) (sum string, err error) {
	text, err := durable.TakeRequest(file, 66)
	if err != nil {
		return "", err
	}
	if !sumPattern.Match(text) {
		return "", ErrNotOffered
	}
	return string(text[:64]), nil
}
