package main

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/spf13/cobra"

	"majordome/cmd/majordome/doctor"
	"majordome/devices/node"
	"majordome/devices/presence"
)

func nodeWatchCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "watch PORT",
		Short: "Try the wiring: which reader sees the card, which button is pressed",
		Long: `Print what happens at the node at a serial port, until Ctrl-C: cards that come and go at
its readers, readers that do not answer, and buttons. The daemon must not be using the port.`,
		Args: onePort,
		RunE: func(c *cobra.Command, args []string) error { return watchNode(c.Context(), args[0], c.OutOrStdout()) },
	}
}

// watchNode prints a line in both languages for each event.
func watchNode(ctx context.Context, port string, w io.Writer) error {
	var mu sync.Mutex
	var cfg node.Config
	say := func(fr, en string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(w, fr+" · "+en+"\n", args...)
	}
	ready := make(chan struct{}) // closed when cfg is known
	opts := &node.Opts{Pressed: func(p node.Press) {
		select {
		case <-ready:
		default:
			return // pressed before anybody was told to
		}
		fr, en := "relâché", "released"
		if p.Down {
			fr, en = "enfoncé", "pressed"
		}
		say("bouton %[1]d en %[2]s : %[3]s", "button %[1]d at %[2]s: %[4]s", p.Button, cfg.Buttons[p.Button], fr, en)
	}}
	return doctor.WithNode(ctx, port, opts, func(soon context.Context, d *node.Dev, i node.Info) (err error) {
		if cfg, err = d.Config(soon); err != nil {
			return err
		}
		close(ready)
		say("posez une carte sur un lecteur, enfoncez un bouton ; Ctrl-C : fin", "lay a card on a reader, press a button; Ctrl-C: end")
		var watching sync.WaitGroup
		defer watching.Wait()
		for n, r := range i.Readers {
			if r.Configured {
				watching.Go(func() {
					// Its only error is one of its options.
					_ = presence.Watch(ctx, d.Reader(n), nil, func(e presence.Event) {
						if fr, en := seenFR[e.Kind], seenEN[e.Kind]; fr != "" {
							say("lecteur %[1]d en %[2]s : "+fr, "reader %[1]d at %[2]s: "+en, n, cfg.Select[n], e.Tag.UID)
						}
					})
				})
			}
		}
		<-ctx.Done()
		return nil
	})
}

// seenFR and seenEN are the events of a reader; %[3]s is the number of the card.
var (
	seenFR = map[presence.Kind]string{presence.Arrived: "la carte %[3]s est là", presence.Left: "la carte %[3]s est partie",
		presence.NoiseBegan: "quelque chose d’illisible", presence.ReaderLost: "ne répond pas", presence.ReaderBack: "répond de nouveau"}
	seenEN = map[presence.Kind]string{presence.Arrived: "card %[3]s is there", presence.Left: "card %[3]s has left",
		presence.NoiseBegan: "something unreadable", presence.ReaderLost: "does not answer", presence.ReaderBack: "answers again"}
)
