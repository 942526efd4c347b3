package console

import (
	"crypto/tls"
	"crypto/x509"
	"net"

	"majordome/cmd/majordome/config"
	"majordome/companion/line"
	"majordome/companion/venue"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// DefaultFile is the configuration of the console that the package's unit reads.
const DefaultFile = "/etc/majordome/venue.yaml"

// Config is the configuration of a console, venue.yaml.
type Config struct {
	Listen    string              `yaml:"listen"`    // address of the pages
	Engine    string              `yaml:"engine"`    // URL of the broker of the venue
	Account   string              `yaml:"account"`   // file with the name and the password of the console there; "": none
	Authority string              `yaml:"authority"` // file with certificates for mqtts; "": those that this machine trusts
	Site      string              `yaml:"site"`      // as the tables have it
	Data      string              `yaml:"data"`      // folder of keys and accounts
	URL       string              `yaml:"url"`       // of the pages, behind a proxy; "": the address of this machine
	Lock      int                 `yaml:"lock"`      // minutes without a touch until a device is locked; 0: never
	Results   string              `yaml:"results"`   // postgres://…, the database of the results; "": a file in Data
	Remember  int                 `yaml:"remember"`  // days until the names of players are removed from results; 0: never
	Groups    map[string][]string `yaml:"groups"`    // names of tables, or patterns such as salle-*, by the name of their group
}

// ReadConfig reads the configuration of a console. The error names all faults of the file, in both languages.
func ReadConfig(file string) (c Config, err error) {
	text, err := config.ReadFile(file)
	if err != nil {
		return c, config.FileFault(file, err)
	}
	return parseConfig(file, text)
}

func parseConfig(name string, text []byte) (Config, error) {
	c := Config{Listen: ":8090", Site: "house", Data: "/var/lib/majordome-venue", Remember: 30}
	f := ownfile.Parse(name, text)
	f.About = "config"
	f.Decode(&c)
	if line.CheckURL(c.Engine) != nil {
		f.AddFault("$.engine",
			engine.T("il faut l’adresse du serveur MQTT de la salle", "the address of the venue’s MQTT broker is needed"),
			engine.T("écrivez-la comme mqtt://192.168.1.5:1883, ou mqtts://salle.example:8883 pour TLS, sans compte",
				"write it like mqtt://192.168.1.5:1883, or mqtts://venue.example:8883 for TLS, without an account in it"))
	}
	if _, _, err := net.SplitHostPort(c.Listen); err != nil {
		f.AddFault("$.listen", engine.T("ce n’est pas une adresse avec son port", "this is no address with its port"),
			engine.T("écrivez-la comme :8090 ou 192.168.1.5:8090", "write it like :8090 or 192.168.1.5:8090"))
	}
	if _, err := venue.New(&venue.Opts{Site: c.Site}); err != nil {
		f.AddFault("$.site", engine.T("ce n’est pas un nom de lieu", "this is no name of a site"),
			engine.T("1 à 31 lettres de a à z, chiffres et tirets, comme à vos tables",
				"1 to 31 of a-z, 0-9 and hyphens, as at your tables"))
	}
	if _, err := venue.New(&venue.Opts{Site: "home", Groups: c.Groups}); err != nil {
		f.AddFault("$.groups", engine.T("un motif n’est pas compris", "a pattern is not understood"),
			engine.T("des noms de tables, ou des motifs comme salle-*", "names of tables, or patterns such as room-*"))
	}
	if c.Results != "" && !isPostgres(c.Results) {
		f.AddFault("$.results", engine.T("ce n’est pas l’adresse d’une base PostgreSQL", "this is no address of a PostgreSQL database"),
			engine.T("écrivez-la comme postgres://nom:mot-de-passe@serveur/base, ou retirez la ligne",
				"write it like postgres://name:password@server/database, or remove the line"))
	}
	if c.Remember < 0 {
		f.AddFault("$.remember", engine.T("un nombre de jours n’est pas négatif", "a number of days is not negative"),
			engine.T("0 n’oublie jamais", "0 never forgets"))
	}
	if c.Lock < 0 {
		f.AddFault("$.lock", engine.T("un nombre de minutes n’est pas négatif", "a number of minutes is not negative"),
			engine.T("0 ne verrouille jamais", "0 never locks"))
	}
	return c, f.Err()
}

// lineOpts returns the connection of the console: the address, the account and the certificates.
func (c *Config) lineOpts() (*line.Opts, error) {
	var files config.Config
	files.Account, files.Authority = c.Account, c.Authority
	o := &line.Opts{URL: c.Engine, TLS: &tls.Config{MinVersion: tls.VersionTLS12}}
	var err error
	if c.Account != "" {
		if o.User, o.Password, err = files.ReadAccount(); err != nil {
			return nil, err
		}
	}
	if c.Authority != "" {
		o.TLS.RootCAs = x509.NewCertPool()
		err = files.AddAuthorityTo(o.TLS.RootCAs)
	}
	return o, err
}
