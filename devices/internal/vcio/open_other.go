//go:build !linux

package vcio

import "errors"

// CallFirmware is the mailbox of this computer: it has none.
func Firmware(*Message) error { return errors.ErrUnsupported }
