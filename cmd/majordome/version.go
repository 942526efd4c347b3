package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is the version in the newest section on the manual's page "changes". The Makefile sets it (-X main.version).
var version = "unknown"

// buildInfo says which build this is, as JSON.
type buildInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`   // of git
	Modified bool   `json:"modified,omitempty"` // built with uncommitted changes
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

func readBuildInfo() buildInfo {
	b := buildInfo{Version: version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Commit = s.Value
			case "vcs.modified":
				b.Modified = s.Value == "true"
			}
		}
	}
	return b
}

// versionCommand returns the command that prints the same as --version, and more with --json.
func versionCommand() *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "version",
		Short: "Say which version this is",
		Args:  requireArgs(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			if asJSON {
				return printJSON(c.OutOrStdout(), readBuildInfo())
			}
			_, err := fmt.Fprintf(c.OutOrStdout(), "majordome version %s\n", version)
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print it as JSON, for programs, with the commit")
	return c
}
