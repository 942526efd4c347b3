// Package mosquitto runs Debian's Mosquitto as a child of this process: it writes its configuration, starts it, reads what it
// says, starts it again when it ends, and ends it. Who may do what there is told by its plugin for dynamic security, and can be
// changed while it runs.
//
//	s := mosquitto.Start(&mosquitto.Opts{Folder: folder, Accounts: all, Refused: note})
//	conn, err := s.Dial(ctx)     a connection, on which nothing has been said yet
//	s.Set(account)               made, or its rights are others; who uses it is cut, without its will
//	s.Drop(name)
//	s.EndSession(client)         what is kept for it while it is away
//	s.Clear(filters, of)         what is retained
//	s.Status()
//	s.Close()
//
// It listens on a Unix socket in a folder that only its user may open, and on no port. All accounts have one password, Word, which
// is drawn at each start of this process and stands nowhere: whoever dials says which account it is, so whoever has judged that
// must be who dials. A client id begins with the name of its account and a slash: lines of the log are told apart by it.
//
// Folder holds
//
//	mosquitto.conf          the configuration  } written anew at each start of Mosquitto
//	dynamic-security.json   accounts           }
//	mosquitto.db            what is retained and kept, written every half hour and at the end
//	mosquitto.db.unread     one that Mosquitto could not read; it began without
//
// The child has a process group of its own and none of this environment. On Linux it is told to end when this process ends, however
// that ends. When it ends by itself it is started again after half a second, then after twice as long each time, up to half a
// minute; a minute that it has run well forgets that. Where Mosquitto or its plugin is not installed, that is looked at every ten
// seconds.
//
// Limits, in its configuration: packets of 1 MiB, 128 connections, 4,096 messages and 6 MiB that wait for one client, 64 of them
// unacknowledged, sessions kept for an hour, 64 MiB of memory, no topic aliases. A line of its log is read up to 4 KiB, the rest
// of it is dropped; the last eight of its errors and warnings are remembered for Status.
//
// What may leak: names of accounts, client ids and topics, to the log and to Refused.
package mosquitto
