package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/doctor"
	"majordome/devices/mfrc522"
	"majordome/devices/node"
	"majordome/devices/serial"
	"majordome/engine"
	"majordome/firmware/image"
)

func nodeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "node",
		Short: "Set up and flash a microcontroller with readers and lights",
		Args:  refuseUnknownCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(nodeSetCommand(), nodeFlashCommand())
	return c
}

// nodeSettings are the settings of a node that the owner names on the command line.
type nodeSettings struct {
	name, strip, data, clock string
	readers, buttons         []string
	pixels, gain             int
}

func nodeSetCommand() *cobra.Command {
	var set nodeSettings
	c := &cobra.Command{
		Use:   "set PORT",
		Short: "Give a node a name and its pins",
		Long: `Write into a node what it keeps: its name, and what is wired where. What is not named
stays. Pins are D2 to D10 and A0 to A5. The node starts anew with it.`,
		Args: requirePort,
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().NFlag() == 0 {
				return misuse{newFault("%[1]s : que faut-il écrire ? --name, --readers, --strip, --pixels, --data, --clock, "+
					"--buttons ou --gain",
					"%[1]s: what is to be written? --name, --readers, --strip, --pixels, --data, --clock, --buttons or --gain", args[0])}
			}
			if err := set.checkValues(c.Flags().Changed); err != nil {
				return misuse{err} // found without asking the node
			}
			return doctor.WithOpenNode(c.Context(), args[0], nil, func(ctx context.Context, d *node.Dev, _ node.Info) error {
				cfg, err := d.ReadConfig(ctx)
				if err != nil {
					return err
				}
				if err = set.applyToConfig(&cfg, c.Flags().Changed); err == nil {
					err = d.WriteConfig(ctx, cfg)
				}
				if err != nil {
					return err
				}
				fmt.Fprintf(c.OutOrStdout(),
					"%s: configuration écrite, le nœud redémarre · configuration written, the node starts anew\n", args[0])
				return nil
			})
		},
	}
	f := c.Flags()
	f.StringVar(&set.name, "name", "", "up to 16 letters without accents")
	f.StringSliceVar(&set.readers, "readers", nil, "chip select pins of up to four readers, such as D10,D9")
	f.StringVar(&set.strip, "strip", "", "none, ws2812, ws2812-rgb or apa102")
	f.IntVar(&set.pixels, "pixels", 0, "length of the strip, at most 120")
	f.StringVar(&set.data, "data", "", "data pin of the strip")
	f.StringVar(&set.clock, "clock", "", "clock pin of an APA102")
	f.StringSliceVar(&set.buttons, "buttons", nil, "pins of up to four buttons, such as A0,A1")
	f.IntVar(&set.gain, "gain", 0, "of the readers in dB: 18, 23, 33, 38, 43 or 48")
	return c
}

// checkValues returns the faults of the values that every node would refuse, whatever its configuration. isFlagSet reports whether a flag
// was written. It ignores the strip's kind, whose pins a node may already have.
func (s *nodeSettings) checkValues(isFlagSet func(flag string) bool) error {
	cfg := node.Config{Gain: mfrc522.DefaultGain}
	err := s.applyToConfig(&cfg, isFlagSet)
	cfg.Strip = node.NoStrip
	return errors.Join(err, cfg.Validate())
}

// applyToConfig sets in cfg what was named on the command line.
func (s *nodeSettings) applyToConfig(cfg *node.Config, isFlagSet func(flag string) bool) error {
	var faults []error
	pin := func(flag, text string, p *node.Pin) {
		if isFlagSet(flag) {
			got, err := node.ParsePin(text)
			*p, faults = got, append(faults, err)
		}
	}
	pins := func(flag string, texts []string, p *[4]node.Pin) {
		if !isFlagSet(flag) {
			return
		}
		if *p = [4]node.Pin{}; len(texts) > len(p) {
			faults = append(faults, newFault("%s : quatre au plus", "%s: at most four", flag))
		}
		for i, text := range texts[:min(len(texts), len(p))] {
			pin(flag, text, &p[i])
		}
	}
	if isFlagSet("name") {
		cfg.Name = s.name
	}
	if isFlagSet("pixels") {
		cfg.Pixels = s.pixels
	}
	if isFlagSet("gain") {
		cfg.Gain = s.gain
	}
	if isFlagSet("strip") {
		kind, ok := stripKinds[s.strip]
		if white := strings.ToLower(s.strip); !ok && (strings.Contains(white, "rgbw") || strings.Contains(white, "grbw")) {
			faults = append(faults, newFault("ruban « %.20s » : un nœud ne connaît que trois canaux ; branchez ce ruban au "+
				"Raspberry Pi (chip: sk6812-rgbw)",
				"strip “%.20s”: a node knows three channels alone; wire this strip to the Raspberry Pi (chip: sk6812-rgbw)", s.strip))
		} else if !ok {
			faults = append(faults, newFault("ruban « %.20s » : none, ws2812, ws2812-rgb ou apa102",
				"strip “%.20s”: none, ws2812, ws2812-rgb or apa102", s.strip))
		}
		cfg.Strip = kind
	}
	pin("data", s.data, &cfg.Data)
	pin("clock", s.clock, &cfg.Clock)
	pins("readers", s.readers, &cfg.Select)
	pins("buttons", s.buttons, &cfg.Buttons)
	return errors.Join(faults...)
}

var stripKinds = map[string]node.StripKind{"none": node.NoStrip,
	"ws2812": node.WS2812GRB, "ws2812-rgb": node.WS2812RGB, "apa102": node.APA102}

func nodeFlashCommand() *cobra.Command {
	baud := 0
	c := &cobra.Command{
		Use:   "flash PORT [IMAGE]",
		Short: "Write the firmware with avrdude",
		Long: `Write the firmware that this program carries, or an image of your own, into the Nano at a
serial port. The speeds of both boot loaders are tried. avrdude must be installed, and the daemon must
not be using the port.`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return requireArgs(1, 2)(c, args)
			}
			return requirePort(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			out, file := c.OutOrStdout(), ""
			if len(args) == 2 {
				file = args[1]
			}
			if err := flashNode(c.Context(), args[0], file, baud, out); err != nil {
				return err
			}
			fmt.Fprintf(out, "%s: micrologiciel écrit · firmware written\n", args[0])
			return nil
		},
	}
	c.Flags().IntVar(&baud, "baud", 0, "speed of another boot loader")
	return c
}

// loaderBauds are the speeds of Optiboot, and of the boot loader that Nanos had until 2018 and most copies still have.
var loaderBauds = []int{115200, 57600}

// flashNode runs avrdude with the arguments of Arduino's platform.txt and passes its output on. It tries the given speed or, if baud is
// 0, each speed of loaderBauds. An empty file means the image inside this program.
func flashNode(ctx context.Context, port, file string, baud int, out io.Writer) (err error) {
	bauds := loaderBauds
	if baud != 0 {
		bauds = []int{baud}
	}
	faults := []error{serial.ValidateSettings(port, bauds[0])}
	if faults[0] == nil {
		faults[0] = serial.CheckPortUsable(port, serial.Node)
	}
	if file != "" {
		faults = append(faults, config.CheckReadable(file))
	}
	name, err := exec.LookPath("avrdude")
	if err != nil {
		faults = append(faults,
			newFault("avrdude est introuvable : sudo apt install avrdude", "avrdude not found: sudo apt install avrdude"))
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	if file == "" {
		folder, err := os.MkdirTemp("", "majordome-node")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		file = filepath.Join(folder, "node.hex")
		if err := os.WriteFile(file, image.Hex, 0o600); err != nil {
			return err
		}
	}
	for i, baud := range bauds {
		if i > 0 {
			fmt.Fprintf(out, "%[1]s : pas de réponse à %[2]d bauds, essai à %[3]d · no answer at %[2]d baud, trying %[3]d\n",
				port, bauds[i-1], baud)
		}
		run := exec.CommandContext(ctx, name, "-p", "atmega328p", "-c", "arduino",
			"-b", fmt.Sprint(baud), "-D", "-P", port, "-U", "flash:w:"+file+":i")
		run.Stdout, run.Stderr = out, out
		if err = run.Run(); err == nil || ctx.Err() != nil {
			return err
		}
	}
	return newFault("avrdude a échoué (%[1]v) ; arrêtez d’abord le démon (sudo systemctl stop majordome) ; est-ce le port d’un Nano ?",
		"avrdude failed (%[1]v); stop the daemon first (sudo systemctl stop majordome); is it the port of a Nano?", err)
}

// requirePort refuses a command line without exactly one port, and lists the ports that there are.
func requirePort(_ *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	fr, en := serial.DescribePorts(serial.Node)
	return &fault{text: engine.T("quel port ? "+fr, "which port? "+en)}
}
