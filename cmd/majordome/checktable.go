package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"majordome/cmd/majordome/cards"
	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/doctor"
	"majordome/cmd/majordome/library"
	"majordome/cmd/majordome/storage"
	"majordome/companion/catalogue"
	"majordome/companion/store"
	"majordome/engine"
	"majordome/engine/deck"
	"majordome/engine/games"
)

// checkTable checks everything of a table that can be checked without access to a chip: configuration, environment, decks
// with their editions and sentences, the store with its tags, and the operating system. No finding names a card.
func checkTable(all games.Table, m *doctor.Machine, configFile string) (found []doctor.Finding) {
	say := func(about string, state doctor.State, said, fix engine.Text) {
		found = append(found, doctor.NewFinding(about, state, said, fix))
	}
	cfg, err := config.ReadConfig(configFile)
	if found = doctor.ConfigFindings(err); err != nil {
		return found // without a valid configuration the rest cannot be found
	}
	if _, err := os.Stat(configFile); err == nil {
		say("configuration", doctor.OK, engine.Tf("%[1]s : rien à redire", "%[1]s: nothing wrong", configFile), engine.Text{})
	} else if len(cfg.PageKeys()) == 0 {
		say("configuration", doctor.Note, engine.Tf("%[1]s n’existe pas : chaque réglage a sa valeur par défaut",
			"%[1]s does not exist: each setting has its default", configFile), engine.Text{})
	}
	if keys := cfg.PageKeys(); len(keys) > 0 {
		say("configuration", doctor.Note, engine.Tf("%[1]s, que la page de l’hôte écrit, donne : %[2]s",
			"%[1]s, which the host’s page writes, gives: %[2]s", config.PageFilePath(configFile), strings.Join(keys, ", ")), engine.Text{})
	}
	if keys := cfg.OverridingKeys(); len(keys) > 0 {
		say("configuration", doctor.Note, engine.Tf("la page l’emporte sur %[1]s pour : %[2]s",
			"the page wins over %[1]s for: %[2]s", configFile, strings.Join(keys, ", ")),
			engine.T("pour que votre fichier vaille de nouveau : page de l’hôte, Réglages de la table, Rendre à mon fichier",
				"to let your file hold again: the host’s page, Settings of the table, Give back to my file"))
	}
	found = append(found, doctor.UnknownVariableFindings(cfg)...)
	if keys := cfg.EnvironmentPaths(); len(keys) > 0 {
		list := strings.ReplaceAll(strings.Join(keys, ", "), "$.", "")
		say("environment", doctor.Note, engine.Tf("des variables d’environnement l’emportent sur les fichiers pour %[1]s",
			"variables of the environment win over the files for %[1]s", list), engine.Text{})
	}
	known, err := cfg.ReadDecks(all)
	found = append(found, doctor.FaultFindings("deck", err)...)
	found = append(found, doctor.FaultFindings("deck", known.Skipped)...)
	if err == nil {
		for _, d := range known.Decks {
			_, bad := d.NewRulebook()
			found = append(found, doctor.FaultFindings("deck", bad)...)
		}
		if doctor.CountFaults(found) == 0 {
			say("deck", doctor.OK, engine.Tf("jeux de cartes, éditions et phrases : rien à redire (%[1]s)",
				"decks, editions and sentences: nothing wrong (%[1]s)", strings.Join(known.Known.IDs(), ", ")), engine.Text{})
		}
		found = append(found, checkStore(cfg, known.Decks)...)
	}
	return append(found, m.Examine(cfg)...)
}

// checkStore checks what the store keeps in addition to games: losses, changes of decks, tags. It only reads, so the table may run.
func checkStore(cfg config.Config, decks []deck.Deck) (found []doctor.Finding) {
	say := func(about string, state doctor.State, said, fix engine.Text) {
		found = append(found, doctor.NewFinding(about, state, said, fix))
	}
	path := filepath.Join(cfg.Data, storage.File)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		say("store", doctor.Note,
			engine.Tf("%[1]s : cette table n’a encore rien enregistré", "%[1]s: this table has recorded nothing yet", path), engine.Text{})
		return found
	}
	s, err := store.OpenForReading(path)
	if err != nil {
		return doctor.FaultFindings("store", err)
	}
	defer func() { found = append(found, doctor.FaultFindings("store", s.Close())...) }()
	for _, l := range s.Losses() {
		say("store", doctor.Fault, catalogue.RenderPlain(l.Msg()),
			engine.T("décidez-en sur la page de l’hôte", "decide on it on the host’s page"))
	}
	l, err := library.Open(s, decks...)
	if err != nil {
		return append(found, doctor.FaultFindings("store", err)...)
	}
	for _, d := range decks {
		found = append(found, doctor.FaultFindings("deck", l.UnreadableChanges(d.ID()))...)
		judged, err := cards.CountTags(s, d.ID(), l.RulebookOf(d.ID()).Names())
		if err != nil {
			return append(found, doctor.FaultFindings("store", err)...)
		}
		found = append(found, tagCountFindings(d.ID(), judged)...)
	}
	if doctor.CountFaults(found) == 0 {
		say("store", doctor.OK, engine.Tf("%[1]s : se lit en entier", "%[1]s: can be read whole", path), engine.Text{})
	}
	return found
}

// tagCountFindings reports on the tags of a game. A game without any tags is not played with tags, and gives no finding.
func tagCountFindings(game engine.ID, t cards.TagCounts) (found []doctor.Finding) {
	again := engine.T("enregistrez de nouveau ces cartes sur la page de l’hôte : La boîte, Enregistrer les cartes",
		"enrol these cards again on the host’s page: The box, Enrol the cards")
	if t.Unfit > 0 {
		found = append(found, doctor.NewFinding("tags", doctor.Fault,
			engine.Tf("%[1]s : puces qui ne conviennent pas, et ne comptent pas : %[2]d",
				"%[1]s: tags that will not do, and do not count: %[2]d", game, t.Unfit), again))
	}
	if t.Unknown > 0 {
		found = append(found, doctor.NewFinding("tags", doctor.Warning, engine.Tf("%[1]s : puces de cartes que ce jeu n’a pas : %[2]d",
			"%[1]s: tags of cards that this deck does not have: %[2]d", game, t.Unknown), again))
	}
	switch {
	case t.Cards == 0 || t.Tagged == 0:
	case t.Tagged < t.Cards:
		found = append(found, doctor.NewFinding("tags", doctor.Warning, engine.Tf("%[1]s : cartes qui ont leur puce : %[2]d sur %[3]d",
			"%[1]s: cards that have their tag: %[2]d of %[3]d", game, t.Tagged, t.Cards),
			engine.T("continuez l’enregistrement sur la page de l’hôte : La boîte, Enregistrer les cartes",
				"go on enrolling on the host’s page: The box, Enrol the cards")))
	default:
		found = append(found, doctor.NewFinding("tags", doctor.OK,
			engine.Tf("%[1]s : les %[2]d cartes ont leur puce", "%[1]s: all %[2]d cards have their tag", game, t.Cards), engine.Text{}))
	}
	return found
}
