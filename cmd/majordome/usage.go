package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"majordome/companion/web"
	"majordome/engine/ownfile"
	"majordome/engine/words"
)

// The command line has texts in both languages, French first, then English. The English ones are in the code of each
// command, the French ones in frenchTexts; a test checks that none is missing.

// translateCommands gives every command of the tree help and error messages in both languages.
func translateCommands(root *cobra.Command, games string) {
	root.SetFlagErrorFunc(translateFlagError)
	root.SetHelpFunc(printHelp)
	root.SetUsageFunc(func(c *cobra.Command) error { printUsage(c.OutOrStderr(), c); return nil })
	root.SetHelpCommand(helpCommand())
	root.InitDefaultHelpCmd()
	root.InitDefaultVersionFlag()
	walkCommands(root, func(c *cobra.Command) {
		c.InitDefaultHelpFlag()
		c.DisableFlagsInUseLine = true
		if hasOptions(c) && (!c.HasAvailableSubCommands() || strings.Contains(c.Use, " ")) {
			c.Use += " [OPTIONS]"
		}
		fr := frenchTexts[commandPath(c)]
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if said := frenchUsage(fr, f.Name); said != "" {
				f.Usage = strings.ReplaceAll(said+"\n"+englishUsage(f), "{games}", games)
			}
		})
	})
}

// commandPath returns the path of a command below majordome; "" for majordome itself.
func commandPath(c *cobra.Command) string {
	return strings.TrimPrefix(strings.TrimPrefix(c.CommandPath(), "majordome"), " ")
}

func walkCommands(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, sub := range c.Commands() {
		walkCommands(sub, do)
	}
}

func frenchUsage(fr frenchCommand, flag string) string {
	switch flag {
	case "help":
		return "cette aide"
	case "version":
		return "la version"
	}
	return fr.flags[flag]
}

func printHelp(c *cobra.Command, _ []string) {
	w, fr := c.OutOrStdout(), frenchTexts[commandPath(c)]
	if c.Long != "" {
		fmt.Fprintf(w, "%s\n\n%s\n\n", fr.long, c.Long)
	} else {
		fmt.Fprintf(w, "%s · %s\n\n", fr.short, c.Short)
	}
	printUsage(w, c)
}

func printUsage(w io.Writer, c *cobra.Command) {
	fmt.Fprint(w, "Écrire · write:\n")
	if !c.HasAvailableSubCommands() || strings.Contains(c.Use, " ") {
		fmt.Fprintf(w, "  %s\n", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s COMMAND\n\nCommandes · commands:\n", c.CommandPath())
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(w, "  %-*s %s\n", sub.NamePadding(), sub.Name(), frenchTexts[commandPath(sub)].short)
				fmt.Fprintf(w, "  %-*s %s\n", sub.NamePadding(), "", sub.Short)
			}
		}
	}
	fmt.Fprint(w, "\nOptions:\n")
	c.LocalFlags().VisitAll(func(f *pflag.Flag) { printFlag(w, f, valuePlaceholder(c, f)) })
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\nDavantage sur une commande · more about a command: %s COMMAND --help\n", c.CommandPath())
	}
}

// hasOptions reports whether a command has flags other than --help.
func hasOptions(c *cobra.Command) (has bool) {
	c.Flags().VisitAll(func(f *pflag.Flag) { has = has || f.Name != "help" })
	return has
}

// englishUsage returns the English usage of a flag.
func englishUsage(f *pflag.Flag) string {
	switch f.Name {
	case "help":
		return "this help"
	case "version":
		return "the version"
	}
	return f.Usage
}

// placeholders are the words for the values of flags in the help, by flag or by "COMMAND FLAG", which takes precedence.
var placeholders = map[string]string{
	"config": "FILE", "asked": "FILE", "deck": "FILE", "bundle": "FILE", "data": "FOLDER",
	"pictures": "FOLDER", "dir": "FOLDER", "game": "GAME", "lang": "LANGUAGE",
	"listen": "ADDRESS", "mqtt": "ADDRESS", "node": `"PROGRAM IMAGE"`, "baud": "SPEED",
	"gain": "DECIBELS", "name": "NAME", "pixels": "NUMBER", "strip": "KIND",
	"node set data": "PIN", "clock": "PIN", "buttons": "PIN,PIN", "readers": "PIN,PIN",
}

// valuePlaceholder returns the word for the value of a flag; "" for a boolean flag.
func valuePlaceholder(c *cobra.Command, f *pflag.Flag) string {
	if f.Value.Type() == "bool" {
		return ""
	}
	if p := placeholders[commandPath(c)+" "+f.Name]; p != "" {
		return p
	}
	return placeholders[f.Name]
}

// printFlag writes a flag, its usage in each language, and its default.
func printFlag(w io.Writer, f *pflag.Flag, value string) {
	fmt.Fprint(w, "  --", f.Name)
	if value != "" {
		fmt.Fprint(w, " ", value)
	}
	if f.Shorthand != "" {
		fmt.Fprint(w, ", -", f.Shorthand)
	}
	fmt.Fprintf(w, "\n      %s\n", strings.ReplaceAll(f.Usage, "\n", "\n      "))
	switch f.DefValue {
	case "", "0", "false", "[]":
	default:
		fmt.Fprintf(w, "      sans cela · without it: %s\n", f.DefValue)
	}
}

func helpCommand() *cobra.Command {
	lang := ""
	c := &cobra.Command{
		Use:   "help [COMMAND, PAGE or PAGE#PLACE]",
		Short: "Say what a command does, or print a page of the manual",
		Long: `Say what a command does, or print a page of the manual, which /help at the address of the table
shows, too: majordome help start lists them. PAGE#PLACE prints what stands there alone, such as
trouble#disk; doctor, check and the host's page name the place of each fault.`,
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err == nil && len(rest) == 0 {
				return about.Help()
			}
			if text, ok := web.ManualPage(words.Lang(cmp.Or(lang, terminalLanguage())), strings.Join(args, " ")); ok {
				_, err := io.WriteString(c.OutOrStdout(), text)
				return err
			}
			return misuse{unknownCommandFault(c.Root(), strings.Join(args, " "))}
		},
	}
	c.Flags().StringVar(&lang, "lang", "", "language of the page, fr or en; without it that of the terminal")
	return c
}

// terminalLanguage returns the language of the terminal: English if the locale says so, else French.
func terminalLanguage() string {
	if strings.HasPrefix(cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG")), "en") {
		return string(words.EN)
	}
	return string(words.FR)
}

// anyNumber is the most arguments of a command that accepts any number.
const anyNumber = math.MaxInt

// requireArgs returns a check that refuses fewer than least and more than most arguments, and says what to write.
func requireArgs(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) >= least && len(args) <= most {
			return nil
		}
		if len(args) < least {
			return newFault("%[1]s : il manque quelque chose ; écrivez : %[2]s",
				"%[1]s: something is missing; write: %[2]s", c.CommandPath(), c.UseLine())
		}
		return newFault("%[1]s : « %[2]s » est de trop ; écrivez : %[3]s",
			"%[1]s: “%[2]s” is too much; write: %[3]s", c.CommandPath(), ownfile.ClipQuote(args[most]), c.UseLine())
	}
}

// refuseUnknownCommand returns an error if there is an argument, because it is none of the commands below c.
func refuseUnknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return unknownCommandFault(c, args[0])
}

func unknownCommandFault(c *cobra.Command, wanted string) error {
	var known []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			known = append(known, sub.Name())
		}
	}
	all := strings.Join(known, ", ")
	if near := ownfile.FindNearest(wanted, known); near != "" {
		all = near
	}
	return newFault("%[1]s ne connaît pas la commande « %[2]s » : essayez %[3]s",
		"%[1]s knows no command %[2]q: try %[3]s", c.CommandPath(), ownfile.ClipQuote(wanted), all)
}

// translateFlagError returns in both languages what the flag library reports in English.
func translateFlagError(c *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
		syntax  *pflag.InvalidSyntaxError
	)
	at := c.CommandPath()
	switch {
	case errors.As(err, &unknown):
		var known []string
		c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		wanted := strings.TrimLeft(unknown.GetSpecifiedName(), "-")
		try := "--help"
		if near := ownfile.FindNearest(wanted, known); near != "" {
			try = "--" + near
		}
		return newFault("%[1]s ne connaît pas l’option --%[2]s : essayez %[3]s",
			"%[1]s knows no flag --%[2]s: try %[3]s", at, ownfile.ClipQuote(wanted), try)
	case errors.As(err, &missing):
		return newFault("%[1]s : il manque la valeur de --%[2]s", "%[1]s: the value of --%[2]s is missing", at, missing.GetFlag().Name)
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		fr, en := "un nombre entier est attendu", "a whole number is expected"
		if f.Value.Type() == "bool" {
			fr, en = "true ou false est attendu", "true or false is expected"
		}
		return newFault("%[1]s : --%[2]s ne peut pas être « %[3]s » : %[4]s",
			"%[1]s: --%[2]s cannot be “%[3]s”: %[5]s", at, f.Name, ownfile.ClipQuote(invalid.GetValue()), fr, en)
	case errors.As(err, &syntax):
		return newFault("%[1]s : « %[2]s » n’est pas une option : essayez --help",
			"%[1]s: “%[2]s” is no flag: try --help", at, ownfile.ClipQuote(syntax.GetSpecifiedFlag()))
	}
	return newFault("%[1]s : options mal écrites (%[2]v) : essayez --help",
		"%[1]s: flags that are not understood (%[2]v): try --help", at, err)
}
