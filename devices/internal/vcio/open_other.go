//go:build !linux

package vcio

import "errors"

// CallFirmware returns errors.ErrUnsupported: this system has no mailbox.
func CallFirmware(*Message) error { return errors.ErrUnsupported }
