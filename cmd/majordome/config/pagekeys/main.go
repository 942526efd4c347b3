// Command pagekeys prints the keys of the configuration as JSON, for the build of the host's page.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"majordome/cmd/majordome/config"
)

func main() {
	if err := json.NewEncoder(os.Stdout).Encode(config.PageKeys()); err != nil {
		fmt.Fprintln(os.Stderr, "pagekeys:", err)
		os.Exit(1)
	}
}
