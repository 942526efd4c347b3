package results

import (
	"database/sql"
	"fmt"
	"net/url"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// OpenSQLite opens a Store in a file. The file is created at the first use. Places of forgotten names are overwritten.
func OpenSQLite(file string) (Store, error) {
	dsn := (&url.URL{Scheme: "file", OmitHost: true, Path: file, RawQuery: url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "secure_delete(ON)"}}.Encode()}).String()
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, fmt.Errorf("results: %w", err)
	}
	db.SetMaxOpenConns(1) // one writer, and no reader that waits long
	return &sqlStore{db: db, isSQLite: true}, nil
}
