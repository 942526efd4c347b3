package smarthome

import (
	"crypto/x509"
	"errors"

	"majordome/cmd/majordome/config"
	"majordome/cmd/majordome/vitals"
	"majordome/companion/webhook"
	"majordome/companion/wire"
	"majordome/engine"
	"majordome/engine/ownfile"
)

// startHook starts to call the owner's web address. The table works without it: faults of its files are in the log and
// on the host's page.
func (s *SmartHome) startHook() {
	c := s.opts.Config
	if c.Hook == "" {
		return
	}
	o := &webhook.Opts{
		URL:       c.Hook,
		AllowHTTP: c.Plain,
		Tree:      s.opts.Tree,
		Demo:      s.opts.Demo,
		Log:       s.opts.Log.With("part", config.PartRelay),
	}
	err := readHookFiles(c, o)
	if err == nil {
		s.hook, err = webhook.New(o)
	}
	if s.hookErr = err; err != nil {
		s.opts.Log.Error("the web address of the owner is not called", "error", err, "conseil",
			"l’adresse web n’est pas appelée : voyez les clés hook, secret et authority")
	}
}

// readHookFiles reads into o the secret that signs the calls and the authorities that they trust.
func readHookFiles(c *config.Config, o *webhook.Opts) (err error) {
	if c.Secret == "" {
		return &ownfile.Fault{File: "secret", What: engine.T("cette clé manque", "this key is missing"),
			Hint: engine.T("nommez-y le fichier du secret", "name the file of the secret by it")}
	}
	if o.Secret, err = c.ReadHookSecret(); err != nil || c.Authority == "" {
		return err
	}
	if o.Roots, err = x509.SystemCertPool(); err != nil {
		return err
	}
	return c.AddAuthorityTo(o.Roots)
}

// hookFixes are the advice for each reason why calls do not arrive.
var hookFixes = map[string]engine.Text{
	webhook.Unanswered: engine.T("Rien ne répond à temps à l’adresse de la clé hook. Chaque appel est refait quatre fois.",
		"Nothing answers in time at the address of the key hook. Each call is made again four times."),
	webhook.Unknown: engine.T("Le DNS ne connaît pas le nom de la clé hook.", "The DNS does not know the name in the key hook."),
	webhook.Untrusted: engine.T("Son certificat n’est pas reconnu : donnez celui de son autorité par la clé authority.",
		"Its certificate is not trusted: give that of its authority by the key authority."),
	webhook.Public: engine.T("Son nom mène à une adresse publique, où http n’est pas permis : écrivez https.",
		"Its name leads to a public address, where http is not allowed: write https."),
	webhook.Refused: engine.T("Elle refuse les appels, ou renvoie ailleurs : voyez son secret et son chemin.",
		"It refuses the calls, or sends them elsewhere: see its secret and its path."),
	webhook.Gone: engine.T("Elle ne veut plus d’appels (410). Ils reprennent au prochain démarrage.",
		"It wants no more calls (410). They begin again at the next start."),
}

const aboutHook = "hook"

// hookFindings returns the faults of the calls.
func (s *SmartHome) hookFindings() []wire.Finding {
	if s.opts.Config.Hook == "" {
		return nil
	}
	t := vitals.NewWarning(aboutHook, engine.T("L’adresse web de la maison ne reçoit pas les appels de cette table.",
		"The web address of the house does not get the calls of this table."), engine.Text{})
	if s.hook == nil {
		t.Fix = unreadableFileText(s.hookErr)
		return []wire.Finding{t}
	}
	reason := s.hook.Status().Reason
	if reason == "" {
		return nil
	}
	t.Fix = hookFixes[reason]
	return []wire.Finding{t}
}

// unreadableFileText names the file that cannot be used, for the host's page.
func unreadableFileText(err error) engine.Text {
	said := engine.T("le journal dit lequel", "the log says which")
	if f := (*ownfile.Fault)(nil); errors.As(err, &f) {
		said = f.Text()
	}
	return engine.T("Ses fichiers ne se lisent pas ("+said.FR+"). La partie continue sans lui.", "Its files cannot be read ("+
		said.EN+"). Play goes on without it.")
}
