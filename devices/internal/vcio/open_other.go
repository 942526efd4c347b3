//go:build !linux

package vcio

import "errors"

// Firmware is the mailbox of this computer: there is none.
func Firmware(*Message) error { return errors.ErrUnsupported }
