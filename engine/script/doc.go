// Package script plays rules as text. A script sets up a position of any game, plays commands, and says
// what must be accepted or refused, what each audience sees and what it must not see. The same text serves
// as a scenario of the rules, a bug report, or a whole evening written by Export.
//
// Order of calls: Parse a text, Run it with the rulebooks, print the Report; or Rewrite it. Nothing here
// reads a file or a clock; the caller reads the text.
//
// What may leak: a report and an exported evening quote hidden cards. They are for the developer, and for
// the operator after the game, never for the table.
//
// Limits: 4 MiB and 80,000 lines a script (four hours of a command a second), 4,096 bytes a line, 20 errors
// from Parse, 40 failures in a report, 100 deadlines in one wait.
//
// # The language
//
// A script consists of lines; indenting is free. A # that begins a word starts a comment. Words are
// separated by blanks; "quoted text" (escapes as in Go) is one word, and is taken literally. Everywhere
// else the name of a player means the seat, so Anne and seat-1 are the same. Members of a list are joined
// by commas without blanks. Cards, places and all other things are named by their full id.
//
// A whole script:
//
//	title   A weapon that would kill is refused in secret
//	covers  HC-122 GEN-004
//	game    huis-clos
//	players Anne Bruno Chloé David
//
//	given seat Anne  "Anne"  character-borrow  innocent
//	given seat Bruno "Bruno" character-worms   innocent
//	given seat Chloé "Chloé" character-peely   innocent
//	given seat David "David" character-lecomte murderer
//	given first Bruno
//	given phase deposit
//	given hand Anne  clue-williams-1
//	given hand Bruno weapon-5 clue-eddington-1
//	given hand Chloé clue-eddington-2
//	given hand David clue-georges-1
//	given pawn Chloé place-5
//
//	all but Bruno never see weapon-5
//	urn reads weapon-5                      # it would kill Chloé
//	  refused forbidden HC-122
//	  told Bruno hc.no.kills
//	  told public gen.again seat=Bruno
//	  all see no change
//	urn reads clue-eddington-1
//	  accepted
//	  all see urn 1
//	  all but Bruno see nowhere clue-eddington-1
//
// # Head
//
//	title   A murder                  what it is about, to the end of the line
//	covers  HC-130 HC-131 GEN-006     the rules that this script checks
//	game    huis-clos                 whose rulebook plays (required)
//	players Anne Bruno Chloé David    names for seat-1, seat-2, ...
//	seed    7                         dice; 1 by default. Also between steps:
//	                                  the dice start afresh there
//	salt    GPWNX7h_9GOB2vnG1Ym8Tg    before a step: by it, majordome prove finds what the
//	                                  table was committed to. It changes nothing here
//	joint   GPWNX7h_9G...,seat-1:...  before the step that begins the game: the seed to which
//	                                  phones have added, for majordome prove as well
//
// # Position
//
//	given hand Anne weapon-corde clue-worms-1
//
// A given line is a verb of the game's own (its Rulebook.BuildPosition documents them) and its words; its
// mistakes are reported when the script is played. All given lines come before the first step. Without any,
// the script starts in the empty lobby and plays from there. A name to be shown is quoted, so that it stays
// a name: given seat Anne "Anne" character-borrow innocent
//
//	scene   Only Salon is open        starts a new game
//
// A file may hold several scenes. Given lines and a seed before the first scene belong to every one of
// them.
//
// # Steps
//
//	Anne does move place=place-salon       an act of a seat: its name and arguments
//	host does begin                        an act of the host
//	urn reads clue-worms-1                 a card at a reader ("urn", "show", ...)
//	urn reads clue-worms-1 clue-peely-1    two at once, in any order
//	urn reads foreign                      a tag of no card of this deck; foreign=2
//	urn reads unreadable                   a tag that gave no answer
//	room-salon reads pawn-suspect-rose     a pawn on the reader of a place
//	urn reads clue-worms-1 doubled         its tag is on another reader too (GEN-E13);
//	                                       refused, and in a deal the game then stops
//	wait 90s                               time passes; each deadline on the way comes at
//	                                       its moment (ms, s, m, h)
//	at 95.5s                               sets the clock; no deadline comes
//	deadline window-3                      this deadline comes now, even if it is not time
//	mark before-the-choice                 remembers this moment ...
//	back before-the-choice                 ... and returns to it, dice and clock too
//
// # The outcome of a step
//
// These lines come below their step. A step without one must be accepted.
//
//	accepted
//	refused forbidden HC-050               the code and the rule of the refusal
//	told Anne hc.why.other-place           the true reason, on that seat's phone
//	told public gen.again seat=Anne        the public message
//	told public nothing
//
// Codes: not-now, not-you, unknown, forbidden, bad-read, unexpected. The words after a message key are its
// blanks; blanks that the line does not name are not compared.
//
// # What an audience sees
//
//	AUDIENCE sees THING ...                ("see" is the same word)
//
// AUDIENCE is public, host, players joined by commas, seats (all of them), all (public, host and seats), or
// one of the last two followed by "but" and a list: all but Anne,Bruno. A line must be true for each viewer
// in it. It is about the moment after the last step, or about the position when there is no step yet.
//
// THING is a field of the view (engine.View and engine.Case) by its name in JSON. The fields of "me" have
// names at the same level, and so have the parts of a part: hypothesis, although it is in case. For a name
// that does not exist, the error lists those that do.
//
//	phase investigation                    one word
//	mood nothing
//	urn 3                                  number of clues in the urn
//	role role-murderer                     the viewer's own
//	prompt hc.prompt.move seat=Anne        a message: key, and blanks to compare
//	facts hc.fact.destroyed n=1            one of the messages has this key and blanks
//	no facts hc.fact.destroyed             none has
//	switches exchange-order draw-then-give a name and its value
//	hand weapon-corde clue-worms-1         a list: exactly these, in any order
//	tray count=9                           so many
//	shown with weapon-5                    these at least
//	gone without weapon-5                  none of these
//	active nothing                         none at all
//	clock at=5 of=8                        a part: any of its fields
//	result rule=HC-151 winners=David
//	result nothing                         there is no such part: the game goes on
//	case step=move dice=0,5 points=5       a Cluedo; opened and closes of a window are
//	                                       milliseconds on the clock
//	hypothesis by=Rose room=room-spa
//
// A list of parts is compared by the names of its members; the first field of a member is its name. A line
// for one member gives that name first. Its thing is the name of the list without the s of the plural, if
// there is one:
//
//	seats Anne Bruno
//	seat Anne cards=2 tokens=1 alive=yes
//	place place-salon cards=4 open=yes
//	reader urn kind=clue seat=nobody       what it waits for, from any seat
//	reader urn nothing                     it waits for nothing
//	hand weapon-5 marks=deposit,new        exactly these marks on a card of the hand
//	seen weapon-5 how=there place=place-3  where the viewer saw this card last
//	custody Anne cards=trusted             for the host
//	pawn suspect-rose at=room-spa
//	answer Olive said=none
//
// As the value of a field, yes and no are truth, nothing and nobody are absence, a list is joined by
// commas, in any order, a message is its key, and a part is its name. These things have forms of their own:
//
//	log hc.log.move seat=Anne              the step added such a line to the story
//	no log hc.log.take                     it added none
//	offers move search                     exactly these acts are offered, apart from those
//	                                       aside, which only correct the record
//	offer move place=place-3,place-4       one offer of this act has exactly these values
//	                                       for the parameter; fixed arguments are named
//	                                       in the same way; place=* accepts any; rule= and
//	                                       grave= are properties of the offer
//	no offer swap                          not offered; with parameters: not so
//	listed destroy card=clue-a,clue-b      as offer, but all that a page lists: what public
//	                                       facts allow, accepted or not
//	marked destroy card=clue-b rule=HC-074 the listed values that only this viewer knows to
//	                                       be refused, and the rule; one line for each rule
//	called suspect-olive "Docteur Olive"   the name of this in French or in English, under
//	                                       the house rules that this viewer sees
//	no change                              the view is the same, byte for byte, as before
//	                                       the step
//	nowhere weapon-5 "Tisonnier"           appears nowhere in the view, nor in what the
//	                                       refusal said to the viewer; an id must be one of
//	                                       the deck, other text is quoted
//
//	AUDIENCE never sees weapon-5           as nowhere, from here to the end of the scene
//
//	deadlines window-3                     exactly these are armed (or: nothing)
//
// For nowhere and never, the columns that only repeat the box are left out: the name of a place, its own
// weapon, a character, and the place of a pawn. So are the cards that the host may declare for a player:
// those are all that anyone can think of, which a test of two worlds checks. Of a Cluedo the pawns and
// weapon tokens are left out too, and the lists of what may be named aloud, moved to, drawn or called one's
// own: any card there is.
//
// # Rewriting
//
// When a rule has changed, Rewrite (majordome script --rewrite) writes what was seen in place of what was
// expected, to be reviewed as a difference before it is kept. It compares what the line compared: the same
// fields, the same blanks. Viewers who saw different things get a line each. If a refusal did not come, its
// told lines go too. A wrong "with" or "without" becomes the whole list. Steps never change; nor do
// nowhere, never and no change, which say what must not be: those still fail.
//
// # What every run checks
//
//  1. Events go through EncodeEvent and DecodeEvent before they take effect, as
//     they will after a power cut; at the end of a scene all of them at once lead to the
//     same views as command by command.
//  2. Lists whose members are named by an id are in the order of the deck (GEN-006).
//  3. Only a seat has a hand, and it is its own; no mask of a hidden value is
//     in any view; views keep the limits of engine.View.
//  4. An offer is accepted, with the first and with the last value of each parameter;
//     only the alarm may refuse a card in it (GEN-E13), since offers depend on nothing that
//     their viewer does not know. What is listed beyond that is refused, and marked with
//     the rule; only a seat has marks.
//  5. The invariants of the rules are true after every step, if the game has a
//     method that checks them (checkInvariants) and the position keeps them: a position with
//     fewer cards than the box breaks some.
//  6. A panic of the engine is a failure at its line.
package script
