package update

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"syscall"

	"majordome/cmd/majordome/durable"
)

// stickFolder is where a stick is mounted, in the mount namespace of majordome-stick@.service alone.
const stickFolder = "stick"

// LookAt looks at a folder, or at a stick by the name of its device, as Look does.
func (m *Machine) LookAt(name string) (Told, error) {
	st, err := os.Stat(name)
	if err == nil { // StateDirectory makes it for the units
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
	for _, kind := range []string{"vfat", "exfat"} { // what a stick is sold with; a file system less is less to go wrong in the kernel
		if err = syscall.Mount(name, at, kind, syscall.MS_RDONLY|syscall.MS_NOSUID|syscall.MS_NODEV|syscall.MS_NOEXEC, ""); err == nil {
			told, err := m.Look(at)
			return told, errors.Join(err, syscall.Unmount(at, 0))
		}
	}
	return Told{}, errors.Join(fmt.Errorf("update: mount %s: %w", name, err), m.Unread())
}

// sumLike is what a wish is.
var sumLike = regexp.MustCompile(`^[0-9a-f]{64}\n?$`)

// Ask leaves the wish for what is offered under a sum, for the unit that waits for it.
func Ask(file, sum string) error {
	if !sumLike.MatchString(sum) {
		return ErrNotOffered
	}
	return durable.WriteFile(file, []byte(sum), 0o600)
}

// Asked takes a wish away and gives it. The folder is another account's: whatever lies there is no more than a sum, or nothing.
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
