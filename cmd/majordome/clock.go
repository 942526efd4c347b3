package main

import (
	"errors"
	"syscall"

	"github.com/spf13/cobra"

	"majordome/cmd/majordome/clock"
)

// clockCommand returns the command that sets the system clock to the time that the host's page asked for. A systemd unit
// runs it as root.
func clockCommand() *cobra.Command {
	asked := ""
	c := &cobra.Command{
		Use:    "clock",
		Hidden: true,
		Short:  "Set the clock as the host’s page asked",
		Long: `Set the clock of this computer to the time that the host’s page left in a file, where nobody has
set it since the start. The system starts this by itself. For root.`,
		Args: requireArgs(0, 0),
		RunE: func(*cobra.Command, []string) error {
			switch err := clock.SetClockFromRequest(asked, clock.MarkFile, syscall.Settimeofday); {
			case errors.Is(err, clock.ErrAlreadySet):
				return newFault("clock : cet ordinateur est déjà à l’heure", "clock: the clock of this computer was set already")
			case errors.Is(err, clock.ErrNoTime):
				return newFault("clock : aucune heure de 2026 à 2099 n’est demandée", "clock: no time from 2026 to 2099 is asked for")
			case err != nil:
				return faultAbout("clock", "clock", err)
			}
			return nil
		},
	}
	c.Flags().StringVar(&asked, "asked", "/run/majordome/clock", "file with the time that the host’s page asked for, which is taken away")
	return c
}
