package cluedo

import (
	_ "embed"
	"fmt"
	"strings"

	"majordome/engine"
	"majordome/engine/board"
)

//go:embed skeleton.yaml.in
var skeleton string

// SkeletonYAML returns a deck with an edition of its own, for an owner to change: a commented file
// that can be played unchanged.
func SkeletonYAML(game engine.ID) []byte {
	var known, walk strings.Builder
	for _, p := range policies {
		fmt.Fprintf(&known, "  #   %s: %s\n", p.id, strings.Join(p.values, ", "))
	}
	for _, w := range board.KnownPolicyWords() {
		fmt.Fprintf(&walk, "  #   %s: %s\n", w.Key, strings.Join(w.Known, ", "))
	}
	return []byte(strings.NewReplacer("GAME", string(game), "POLICIES\n", known.String(), "WALK\n", walk.String()).Replace(skeleton))
}
