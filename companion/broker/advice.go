package broker

// advice says in French and in English what the owner can do about refused or cut connections.
type advice struct{ fr, en string }

// adviceForReason returns the advice for a reason of RefusalCounts.
func adviceForReason(reason string) advice {
	switch reason {
	case "slow", "silent":
		return advice{"un appareil ne lit ou ne parle plus : souvent un Wi-Fi trop loin ; un téléphone de la table revient de lui-même",
			"a device that reads or speaks no more: often Wi-Fi too far away; a phone of the table comes back by itself"}
	case "rate", "crowd":
		return advice{"un appareil demande trop, ou trop d’appareils à la fois : fermez les pages en trop ; " +
			"les places de la table leur restent",
			"a device asks too much, or too many at once: close pages that are not needed; the places of the table stay theirs"}
	case "origin":
		return advice{"une page d’un autre site, ou la table sous un nom qu’elle ne connaît pas : " +
			"ouvrez-la par le lien du journal, ou ajoutez ce nom sous names",
			"a page of another site, or the table by a name it does not know: open it by the link in the log, or add that name under names"}
	case "crash":
		return advice{"une connexion a fait échouer le programme, qui continue : signalez-le avec le mot après at",
			"a connection made the program fail, and it goes on: report it with the word behind at"}
	}
	return advice{"un programme qui n’est pas une page de cette table, ou mal réglé : " +
		"s’il est à vous, corrigez-le ; sinon il n’y a rien à faire",
		"a program that is no page of this table, or one badly set: if it is yours, mend it; otherwise there is nothing to do"}
}
