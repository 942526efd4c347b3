// Package mosquitto runs Debian's Mosquitto as a child of this process: it writes its configuration, starts it, reads its log, starts it
// again when it ends, and stops it. The rights of accounts are enforced by Mosquitto's plugin for dynamic security, and can change while it
// runs.
//
//	s, err := mosquitto.Start(&mosquitto.Opts{Folder: folder, Accounts: all, OnRefused: note})
//	conn, err := s.Dial(ctx)           a connection, before its CONNECT
//	s.SetAccount(account)              adds it or replaces its rights; cuts its connections, without their wills
//	s.RemoveAccount(name)
//	s.DeleteSession(client)               deletes the stored session of a client
//	s.DeleteRetained(filters, keep)     deletes retained messages
//	s.Status()
//	s.Close()
//
// Mosquitto listens on a Unix socket in a folder that only its user may open, and on no port. All accounts have one password,
// SharedPassword, which is random at each start of this process and is stored nowhere. The caller of Dial can connect as any account, so it
// must authenticate the client before. A client id begins with the name of its account and a slash; the log lines of accounts are
// distinguished by it.
//
// Files in Folder:
//
//	mosquitto.conf          the configuration  } written at each start of Mosquitto
//	dynamic-security.json   accounts           }
//	mosquitto.db            retained messages and sessions, written every five minutes and at the end
//	mosquitto.db.unread     one that Mosquitto could not read; it started without it
//
// The child has its own process group and none of this environment. Linux kills it when this process ends without Close, for any reason,
// at any moment of its start: then what it has retained since its last writing is lost. If Mosquitto ends, it is started again after half a
// second, then after twice as long each time, up to half a minute; a run of a minute resets the pause. One that is out of memory is ended:
// it would run on, and refuse everybody. If Mosquitto or its plugin is not installed, the search is repeated every ten seconds.
//
// Limits, in the configuration: packets of 1 MiB, 128 connections, 4,096 messages and 6 MiB queued for one client, 64 of them
// unacknowledged, sessions stored for an hour, 64 MiB of memory, no topic aliases. Of a log line only the first 4 KiB are read; Status has
// the last eight errors and warnings.
//
// It is written for Mosquitto 2.0.11 (Debian 12) to 2.0.21 (Debian 13): the configuration has only options that both know, and no file in
// Folder can be read by others, which later versions refuse.
//
// What may leak: names of accounts, client ids and topics, to the log and to OnRefused.
package mosquitto
