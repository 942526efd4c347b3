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

// CheckPath checks a folder, or a stick by the name of its device; see CheckFolder.
func (m *Machine) LookAt(name string) (Told, error) {
	st, err := os.Stat(name)
	if err == nil { // StateDirectory creates it for the units
		err = os.MkdirAll(m.Dir, 0o755)
	}
	if err != nil {
		return Told{}, err
	}
	if st.IsDir() {
		return m.Look(name)
	}
	at := m.path(stickFolder)
	if err := os.Mkdir(at, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return Told{}, err
	}
	for _, kind := range []string{"vfat", "exfat"} { // the formats of sticks on sale; each further one would be a risk in the kernel
		if err = syscall.Mount(name, at, kind, syscall.MS_RDONLY|syscall.MS_NOSUID|syscall.MS_NODEV|syscall.MS_NOEXEC, ""); err == nil {
			told, err := m.Look(at)
			return told, errors.Join(err, syscall.Unmount(at, 0))
		}
	}
	return Told{}, errors.Join(fmt.Errorf("update: mount %s: %w", name, err), m.Unread())
}

// sumPattern matches the content of a request file.
var sumLike = regexp.MustCompile(`^[0-9a-f]{64}\n?$`)

// WriteRequest requests the installation of the package with this sum, in a file that a unit of root waits
// for.
func Ask(file, sum string) error {
	if !sumLike.MatchString(sum) {
		return ErrNotOffered
	}
	return durable.WriteFile(file, []byte(sum), 0o600)
}

// TakeRequest removes a request file and returns its sum. The folder belongs to another account, so anything
// but a valid sum is an error.
func Asked(file string) (sum string, err error) {
	text, err := durable.TakeWish(file, 66)
	if err != nil {
		return "", err
	}
	if !sumLike.Match(text) {
		return "", ErrNotOffered
	}
	return string(text[:64]), nil
}
