package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"periph.io/x/host/v3"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/doctor"
	"majordome/cmd/majordome/health"
	"majordome/devices/ws2812"
)

// doctorFlags are the flags of the doctor command.
type doctorFlags struct {
	configFile        string
	showFixes, asJSON bool
	boot              bool
	bundle            string
}

func doctorCommand() *cobra.Command {
	var e doctorFlags
	c := &cobra.Command{
		Use:   "doctor [PORT ...]",
		Short: "Look for what keeps readers and lights from working, and how to mend it",
		Long: `Look at all that the configuration wants: buses, rights, kernel settings, clock of the
strip, supply, sound on the same pins, serial ports, programs that hold a device; then ask
each reader and node. Each fault comes with a sentence of how to mend it; --fix prints
the lines and the files for it, and --boot those alone that the wiring wants in config.txt, to be
piped there before anything is wired. With PORTs, only the nodes there are asked. The exit status is 1
when something does not work. Nothing is changed. While the table runs it is asked in the place of
its chips.`,
		RunE: func(c *cobra.Command, ports []string) error {
			return e.runDoctor(c.Context(), ports, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.StringVar(&e.configFile, "config", defaultConfig, "configuration of this table")
	f.BoolVar(&e.showFixes, "fix", false, "print the lines that files need, and the commands")
	f.BoolVar(&e.boot, "boot", false, "print the lines alone that the wiring wants at the end of config.txt, if they are not there")
	f.BoolVar(&e.asJSON, "json", false, "print the findings as JSON, for programs")
	f.StringVar(&e.bundle, "bundle", "",
		"also write a new file for who helps you from afar: findings, configuration, health and counters; no secret")
	c.AddCommand(doctorWatchCommand(), doctorGainCommand(), doctorSlotCommand())
	return c
}

// thisMachine returns the computer that runs this program. The table's user is majordome if that account exists, else the current one.
func thisMachine() *doctor.Machine {
	m := &doctor.Machine{Root: os.DirFS("/"), User: "majordome", OwnPID: os.Getpid(),
		Statfs: syscall.Statfs, Adjtimex: syscall.Adjtimex, CheckStripClock: ws2812.CheckClock}
	if _, err := user.Lookup(m.User); err != nil {
		m.User = "root"
		if u, err := user.Current(); err == nil {
			m.User = u.Username
		}
	}
	return m
}

func (e doctorFlags) runDoctor(ctx context.Context, ports []string, out, errs io.Writer) error {
	if e.boot {
		cfg, err := config.ReadConfig(e.configFile)
		if err != nil {
			return err
		}
		lines, why := thisMachine().BootLines(cfg)
		if lines == "" { // not among what is piped into config.txt
			printMarkedLines(errs, "majordome :", why.FR)
			printMarkedLines(errs, "majordome:", why.EN)
		}
		_, err = io.WriteString(out, lines)
		return err
	}
	var found []doctor.Finding
	if _, err := config.ReadConfig(e.configFile); len(ports) > 0 && errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, p := range ports {
		found = append(found, doctor.ExamineNode(ctx, p, config.Config{})...)
	}
	if len(ports) == 0 {
		var err error
		if found, err = examineMachine(ctx, thisMachine(), e.configFile); err != nil {
			return err
		}
	}
	var err error
	if e.bundle != "" {
		err = e.writeBundle(ctx, found)
	}
	return errors.Join(printFindings("doctor", found, e.showFixes, e.asJSON, out), err)
}

// examineMachine checks the whole computer: configuration, system, and the chips or, while the table runs, the daemon.
func examineMachine(ctx context.Context, m *doctor.Machine, configFile string) ([]doctor.Finding, error) {
	cfg, err := config.ReadConfig(configFile)
	found := doctor.ConfigFindings(err)
	if _, missing := os.Stat(configFile); err != nil && missing == nil {
		return found, nil // the file cannot be read: there is nothing to compare the computer with
	}
	found = append(append(found, doctor.UnknownVariableFindings(cfg)...), m.Examine(cfg)...)
	if m.CountRunningTables() > 0 {
		return append(found, doctor.AskRunningTable(ctx, cfg)...), nil
	}
	if m.IsUnsafeForRoot() && os.Geteuid() == 0 {
		return append(found, doctor.UnsafeForRootFinding()), nil
	}
	if _, err := host.Init(); err != nil {
		return nil, fmt.Errorf("doctor: the buses of this machine: %w", err)
	}
	return append(found, m.ExamineChips(ctx, cfg)...), nil
}

// writeBundle writes the bundle into a new file.
func (e doctorFlags) writeBundle(ctx context.Context, found []doctor.Finding) error {
	cfg, _ := config.ReadConfig(e.configFile) // its errors are among the findings
	f, err := os.OpenFile(e.bundle, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return config.FileFault(e.bundle, err)
	}
	return errors.Join(health.WriteBundleWithDaemon(ctx, f, cfg, doctorBundleParts(found)...), f.Close())
}

// doctorBundleParts returns the parts of a bundle about the program and the machine.
func doctorBundleParts(found []doctor.Finding) []health.Part {
	var built, said strings.Builder
	_, _ = printJSON(&built, readBuildInfo()), doctor.PrintJSON(&said, found) // a strings.Builder returns no errors
	const configTxt = "/boot/firmware/config.txt"
	boot, _ := os.ReadFile(configTxt) // only a Raspberry Pi has it
	return []health.Part{{Name: "majordome", Text: built.String()},
		{Name: "doctor", Text: said.String()}, {Name: configTxt, Text: string(boot)}}
}

// supportParts returns the bundle parts of a running table, which asks its chips itself.
func (t *tableRun) supportParts() []health.Part {
	return doctorBundleParts(checkTable(t.all, thisMachine(), t.configFile))
}
