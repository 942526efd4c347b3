package main

// frenchCommand is the French help of a command.
type frenchCommand struct {
	short, long string
	flags       map[string]string
}

const (
	configFrench    = "configuration de cette table"
	jsonFrench      = "imprimer ce qui est trouvé en JSON, pour des programmes"
	updateDirFrench = "dossier de ce qui est proposé et de ce qui est en cours"
)

// frenchTexts has the French help of each command, by its path below majordome.
var frenchTexts = map[string]frenchCommand{
	"": {
		short: "Le majordome d’une table de meurtre et mystère",
		long: `Le majordome d’une table de meurtre et mystère.

États de sortie de chaque commande :

    0  c’est fait, et rien ne cloche dans ce qui a été regardé ; aussi quand Ctrl-C y met fin
    1  cela n’a pas pu être fait, ou quelque chose cloche dans ce qui a été regardé
    2  la ligne de commande n’a pas été comprise, et rien n’a été fait

Avec --json, la sortie standard n’est que du JSON, et ce qui a échoué va à la sortie d’erreur.`,
	},
	"serve": {
		short: "La table elle-même, avec ses lecteurs et ses lumières",
		long: `Fait tourner la table : lecteurs, lumières, pages et MQTT, selon la configuration. Ce qui
n’est pas trouvé est nommé, avec le moyen de l’obtenir, et l’on joue sans. Sans
fichier, on joue depuis les téléphones. Des variables comme MAJORDOME_LISTEN l’emportent
sur lui ; majordome help settings en donne la liste.`,
		flags: map[string]string{
			"config":   configFrench,
			"new-game": "ouvrir une nouvelle partie ; celle de la table est gardée, mais pas continuée",
		},
	},
	"host": {
		short: "Le lien de l’hôte, pour qui a un terminal sur la machine de la table",
		long: `Demande à la table qui tourne le lien de la page de l’hôte. Il ouvre la page une fois, sur le
téléphone qui s’en sert ; chaque appel en fait un nouveau. Sans terminal, le téléphone de l’hôte
entre à la table même : par l’écran de la machine, ou par une carte posée sur un lecteur
comme le téléphone le dit. Quand la page demande qui est là, --pin tire un autre code PIN
pour le propriétaire.`,
		flags: map[string]string{
			"config": configFrench,
			"json":   jsonFrench,
			"pin": "un autre code PIN pour le compte du propriétaire, montré une fois ; qui attend après des codes PIN " +
				"faux n’attend plus",
			"new": "un nouveau lien ; le téléphone qui a la page de l’hôte est coupé",
		},
	},
	"venue": {
		short: "La console de beaucoup de tables : ce qui s’y joue, et qui a besoin de quelqu’un",
		long: `Sert une page pour toutes les tables d’une salle : ce qui s’y joue, qui a besoin de quelqu’un, et
des ordres à une table ou à toutes. Sans elle, chaque table continue seule. La configuration nomme
le serveur MQTT de la salle (engine) et le compte de la console ; chaque table nomme le même
serveur par sa clé venue. --link demande à la console qui tourne le lien d’un appareil de plus,
--new coupe ceux qui ont la page, --pin tire un autre code PIN pour le propriétaire des comptes.`,
		flags: map[string]string{
			"config": "configuration de cette console",
			"link":   "le lien d’un appareil de plus pour qui opère la salle",
			"new":    "un nouveau lien ; les appareils qui ont la page sont coupés",
			"pin": "un autre code PIN pour le compte du propriétaire, montré une fois ; qui attend après des codes PIN " +
				"faux n’attend plus",
		},
	},
	"demo": {
		short: "Une table sans matériel, à toucher sur une page",
		long: `Démarre une table de démonstration : lecteurs, puces et lumières sont simulés circuit par
circuit, tout le reste est le programme tel qu’il tourne à une vraie table.`,
		flags: map[string]string{
			"listen": "adresse des pages",
			"mqtt":   "adresse de MQTT sur son propre port, ou off",
			"calm":   "lumières sans animation",
			"play":   "elle joue d’elle-même, une soirée après l’autre : pour une vitrine ou un stand",
			"node":   "émulateur et image d’un nœud qui porte lecteurs et lumières (make run NODE=1)",
			"game":   "jeu du début, un de {games}, ou le vôtre ; sans cela le dernier continue",
			"deck":   "fichier d’un jeu de cartes à vous, aussi d’un jeu que vous avez inventé",
			"data":   "dossier des données de la démonstration",
		},
	},
	"lights": {
		short: "Parcourir les rubans : chaque lumière est-elle à sa place ?",
		long: `Allume chaque partie de chaque ruban par son nom, l’une après l’autre, et demande si vous la
voyez là ; aussi si les couleurs viennent dans le bon ordre, et si le ruban est aussi long que
le dit la configuration. À la fin vient ce qu’il faut changer. Entrée dit oui, n dit non,
Ctrl-C arrête. Le programme de la table ne doit pas tourner.`,
		flags: map[string]string{
			"config": configFrench,
			"game":   "de quel jeu sont les lieux nommés, un de {games}, ou le vôtre ; sans cela celui du fichier deck, ou le premier",
		},
	},
	"doctor": {
		short: "Chercher ce qui empêche lecteurs et lumières de marcher, et comment y remédier",
		long: `Regarde tout ce que veut la configuration : bus, droits, réglages du noyau, horloge du ruban,
alimentation, son sur les mêmes broches, ports série, programmes qui tiennent un appareil ;
puis interroge chaque lecteur et chaque nœud. Chaque défaut vient avec une phrase qui dit
comment y remédier ; --fix imprime les lignes et les fichiers qu’il faut, --boot les seules lignes
que le câblage veut dans config.txt, à y ajouter avant de câbler. Avec des PORT, seuls les nœuds
qui y sont sont interrogés. L’état de sortie est 1 quand quelque chose ne marche
pas. Rien n’est changé. Pendant que la table tourne, elle est interrogée à la place de ses puces.`,
		flags: map[string]string{
			"config": configFrench,
			"fix":    "imprimer les lignes qu’il faut dans les fichiers, et les commandes",
			"bundle": "écrire aussi un nouveau fichier pour qui vous aide de loin : ce qui est trouvé, configuration, santé " +
				"et compteurs ; aucun secret",
			"boot": "imprimer les seules lignes que le câblage veut à la fin de config.txt, si elles n’y sont pas",
			"json": jsonFrench,
		},
	},
	"doctor watch": {
		short: "Trouver la place d’une bobine, et essayer le câblage, une carte à la main",
		long: `Montre ce qui se passe aux lecteurs et aux boutons de la configuration, ou au nœud de PORT,
jusqu’à Ctrl-C : cartes qui viennent et partent, lecteurs qui ne répondent pas, boutons. Dans
un terminal, une barre montre chaque lecteur qui se mesure : pleine quand une carte est lue à
chaque regard, cent fois par seconde, avec à côté la part des réponses brouillées. La table ne
doit pas tourner.`,
		flags: map[string]string{"config": configFrench},
	},
	"doctor gain": {
		short: "Trouver l’amplification à laquelle un lecteur lit le mieux",
		long: `Essaie chaque amplification d’un lecteur sur un bus, celui de l’urne ou de ROLE : d’abord avec
une carte là où les cartes seront ou tomberont, puis sans. À la fin vient ce qu’il faut écrire.
La plus forte est rarement la meilleure. La table ne doit pas tourner.`,
		flags: map[string]string{"config": configFrench, "json": jsonFrench},
	},
	"doctor slot": {
		short: "Mesurer la fente de l’urne : y laisser tomber les cartes une fois",
		long: `Laissez tomber vos cartes dans la fente de l’urne, l’une après l’autre, une fois : le temps
pendant lequel chacune pouvait encore être lue est dessiné en histogramme, et un verdict dit si
les cartes tombent trop vite, ou si celles qui sont tombées sont trop près. Entrée y met fin ; leur
nombre est alors demandé. La table ne doit pas tourner.`,
		flags: map[string]string{"config": configFrench, "json": jsonFrench},
	},
	"check": {
		short: "Vérifier toute la table, ou un fichier à vous : jeu de cartes, configuration, script",
		long: `Sans FILE, vérifie tout ce qui fait cette table, aussi pendant qu’elle tourne et sans toucher à
une puce : configuration, variables d’environnement, jeux de cartes avec leurs éditions et leurs
phrases, ce que la table a gardé, puces des cartes, et ce que dit le système des bus, des droits, de
l’alimentation et des ports. Avec FILE, vérifie ce seul fichier : un jeu de cartes de n’importe quel
jeu, la configuration de la table avec le jeu de cartes qu’elle nomme, ou un script ; lequel des
trois, son contenu le montre. Tout ce qui ne va pas est dit d’un coup, avec ligne et colonne.
--default imprime le jeu de cartes fourni, comme modèle, et --kept celui de cette table, avec les
noms changés sur la page de l’hôte. --pictures dessine le câblage d’une configuration, fil par fil,
en fichiers pour un navigateur.`,
		flags: map[string]string{
			"json":     jsonFrench,
			"pictures": "dossier pour les dessins du câblage, des rubans et de la fente, dans les deux langues",
			"default":  "imprimer le jeu de cartes fourni",
			"kept":     "imprimer le jeu de cartes de cette table, avec les noms qui y ont été changés",
			"config":   configFrench + ", dont les jeux de cartes sont connus aussi",
			"game":     "duquel : {games}, ou le vôtre",
		},
	},
	"new-edition": {
		short: "Écrire un Cluedo à vous, à modifier",
		long: `Écrit NAME.yaml : un jeu de cartes avec sa propre édition, qu’on peut jouer tel quel et qui
dit en commentaires ce qui peut changer. NAME est l’identifiant du jeu : minuscules,
chiffres, tirets. Ensuite check dit ce qui ne va pas, demo --deck le joue, et un fichier
du dossier decks à côté de la configuration est un jeu de la table.`,
	},
	"script": {
		short: "Jouer des règles écrites en texte et vérifier ce que chacun voit",
		long: `Joue des scripts : chacun pose une position, joue des commandes et dit ce qui doit être
accepté ou refusé, ce que chaque public voit et ce qu’il ne doit pas voir. Un dossier vaut
pour ses fichiers *.script. L’état de sortie est 1 quand quelque chose diffère. Avec
--rewrite, chaque fichier reçoit ce qui a été vu à la place de ce qui était attendu, à
relire : ses pas restent, et ce qui ne doit pas être vu aussi.`,
		flags: map[string]string{
			"json":    jsonFrench,
			"deck":    "jouer avec ce jeu de cartes au lieu de celui qui est fourni",
			"covers":  "dire quel script couvre quelle règle",
			"rewrite": "écrire ce qui a été vu à la place de ce qui était attendu",
		},
	},
	"script export": {
		short: "Écrire une partie de la table comme script",
		long: `Écrit une partie jouée à cette table comme script qui la rejoue : la dernière, ou celle de
ce numéro. Un script nomme chaque carte cachée et dit qui a mis quel indice dans l’urne, ce
que personne ne doit apprendre, même après la fin : il n’est écrit qu’avec --spoil. Si les
paires de lieux et d’armes ont changé, jouez-le avec le jeu de cartes que check --kept imprime.`,
		flags: map[string]string{
			"config": configFrench,
			"spoil":  "l’écrire avec tous ses secrets : mains, rôles et qui a déposé quoi",
		},
	},
	"prove": {
		short: "Comparer une soirée aux codes que la table a montrés",
		long: `Rejoue une soirée écrite par majordome script export --spoil, et imprime les codes par
lesquels sa table s’est engagée : un pour chaque donne, un pour la soirée. Qui a noté pendant
la soirée un code d’un téléphone ou de la ligne publique le donne, au moins ses 32 premiers
caractères : il ne vaut pour aucune autre donne, aucun autre dé, aucun autre geste. L’état de
sortie est 1 si la soirée n’a pas pu se passer ainsi, ou n’a pas ce code.`,
		flags: map[string]string{"deck": "jouer avec ce jeu de cartes au lieu de celui qui est fourni"},
	},
	"backup": {
		short: "Écrire tout ce que la table garde dans un seul fichier",
		long: `Écrit parties, puces, noms et clés des téléphones dans un nouveau fichier, aussi pendant
qu’on joue. Gardez-le comme une clé : qui le lit connaît tous les secrets.`,
		flags: map[string]string{"config": configFrench, "json": jsonFrench},
	},
	"restore": {
		short: "Remettre une sauvegarde à la place de ce que la table garde",
		long: `Remet une sauvegarde à la place de ce que la table garde. Le programme de la table ne doit
pas tourner. Il dit d’abord ce qui serait remplacé, et par quoi, et demande. Ce qui était là
est gardé à côté, sous un numéro : majordome.db.1, majordome.db.2 ... On peut le remettre de
la même façon, s’il n’est pas abîmé. Les comptes de la page de l’hôte restent ceux de
maintenant : qui a été renvoyé ne revient pas, et un ancien PIN ne sert plus.`,
		flags: map[string]string{"config": configFrench, "yes": "ne pas demander", "json": jsonFrench + " ; avec --yes"},
	},
	"node": {short: "Régler et programmer un microcontrôleur avec lecteurs et lumières"},
	"node set": {
		short: "Donner à un nœud un nom et ses broches",
		long: `Écrit dans un nœud ce qu’il garde : son nom, et ce qui est câblé où. Ce qui n’est pas nommé
reste. Les broches vont de D2 à D10 et de A0 à A5. Le nœud redémarre avec cela.`,
		flags: map[string]string{
			"name":    "16 lettres sans accents au plus",
			"readers": "broches de sélection de quatre lecteurs au plus, comme D10,D9",
			"strip":   "none, ws2812, ws2812-rgb ou apa102",
			"pixels":  "longueur du ruban, 120 au plus",
			"data":    "broche de données du ruban",
			"clock":   "broche d’horloge d’un APA102",
			"buttons": "broches de quatre boutons au plus, comme A0,A1",
			"gain":    "des lecteurs, en dB : 18, 23, 33, 38, 43 ou 48",
		},
	},
	"node flash": {
		short: "Écrire le micrologiciel avec avrdude",
		long: `Écrit le micrologiciel que ce programme porte, ou une image à vous, dans le Nano d’un port
série. Les vitesses des deux chargeurs d’amorçage sont essayées. avrdude doit être installé, et
le programme de la table ne doit pas se servir du port.`,
		flags: map[string]string{"baud": "vitesse d’un autre chargeur d’amorçage"},
	},
	"help": {
		short: "Dire ce que fait une commande, ou écrire une page du manuel",
		long: `Dit ce que fait une commande, ou écrit une page du manuel, que /help à l’adresse de la table
montre aussi : majordome help start en donne la liste. PAGE#ENDROIT n’écrit que ce qui est là, comme
trouble#disk ; doctor, check et la page de l’hôte nomment l’endroit de chaque défaut.`,
		flags: map[string]string{"lang": "langue de la page, fr ou en ; sans elle, celle du terminal"},
	},
	"clock": {
		short: "Mettre l’ordinateur à l’heure que la page de l’hôte a demandée",
		long: `Met cet ordinateur à l’heure que la page de l’hôte a laissée dans un fichier, si personne ne l’a
mis à l’heure depuis le démarrage. Le système le fait de lui-même. Pour root.`,
		flags: map[string]string{"asked": "fichier avec l’heure que la page de l’hôte a demandée, qui est emporté"},
	},
	"update": {
		short: "Une version plus récente, par une clé USB",
		long: `Dit ce qu’a apporté la dernière clé USB branchée, et ce qu’il en est advenu. Un paquet plus
récent s’installe sur la page de l’hôte, ou ici par root avec install. Rien ne vient
du réseau : copiez majordome_….deb et son .minisig sur une clé USB (FAT32 ou exFAT).`,
		flags: map[string]string{"json": jsonFrench, "dir": updateDirFrench},
	},
	"update look": {
		short: "Chercher une version plus récente dans un dossier ou sur une clé USB",
		long: `Copie le paquet le plus récent d’un dossier, ou d’une clé USB par son fichier tel que /dev/sda1,
vérifie sa signature et dit s’il y a lieu de l’installer. Pour root.`,
		flags: map[string]string{"dir": updateDirFrench},
	},
	"update install": {
		short: "Installer ce qui est proposé",
		long: `Sauvegarde les données, installe ce qui est proposé et le démarre. Si cela ne devient pas prêt, la
version d’avant revient avec ses données. Une partie continue où elle en était. Pour root.`,
		flags: map[string]string{"asked": "fichier avec le souhait de la page de l’hôte, qui est emporté", "dir": updateDirFrench},
	},
	"update back": {
		short: "Défaire ce qui a été interrompu",
		long: `Remet la version d’avant et ses données là où une installation a été interrompue. Le système
le fait de lui-même avant que la table démarre. Pour root.`,
		flags: map[string]string{"dir": updateDirFrench},
	},
	"version": {
		short: "Dire quelle version c’est",
		flags: map[string]string{"json": "l’écrire en JSON, pour un programme, avec le commit"},
	},
}
