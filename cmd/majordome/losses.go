package main

import (
	"fmt"
	"io"
	"log/slog"

	"majordome/cmd/majordome/house"
)

// missing tells what was recorded and is not there any more: then the table waits
// for its host.
func missing(out io.Writer, h *house.House) bool {
	lost := h.Lost()
	if len(lost) == 0 {
		return false
	}
	for _, t := range lost {
		fmt.Fprintf(out, "%s\n%s\n", t.FR, t.EN)
	}
	fmt.Fprintln(out, "La table attend l’hôte, qui décide sur sa page · the table waits for the host, who decides on their page.")
	return true
}

// again runs a table, and once more each time the host has chosen a backup to go on
// from. What the command line asks for once is for the first of them.
func again(cfg house.Config, errs io.Writer, run func(first bool) error) error {
	for first := true; ; first = false {
		kept, on, err := house.Restored(cfg, run(first))
		if !on {
			return err
		}
		slog.New(slog.NewTextHandler(errs, nil)).Warn("the host has restored a backup; the table starts anew", "kept", kept,
			"quoi", "l’hôte a remis une sauvegarde ; la table redémarre")
	}
}
