//go:build !docs

package main

import (
	"os"

	"majordome/engine/games"
)

func main() { os.Exit(Main(games.KnownGames())) }
