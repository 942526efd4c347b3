package results

import (
	"fmt"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// Limits of the connections to a PostgreSQL server.
const (
	connectTimeout = 5 * time.Second
	maxConns       = 4
	maxConnAge     = 10 * time.Minute // so that a server that has moved is found again
)

// OpenPostgres opens a Store in a PostgreSQL database, given as postgres://user:password@host/database. The server may be away:
// each call then returns an error, and so does the first call on a connection that broke meanwhile.
func OpenPostgres(address string) (Store, error) {
	if u, err := url.Parse(address); err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, fmt.Errorf("results: the address of the database must be like postgres://user@host/database")
	}
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("results: the address of the database cannot be read") // its text has the password
	}
	config.ConnectTimeout = connectTimeout
	config.RuntimeParams["statement_timeout"] = "10000" // milliseconds
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(maxConns)
	db.SetConnMaxLifetime(maxConnAge)
	return &sqlStore{db: db, lockText: "SELECT pg_advisory_xact_lock(1296712013)"}, nil // "MJDM"
}
