package e2e_test

import (
	le "encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"majordome/devices/randtest"
	"majordome/engine"
)

// recording is a log of everything that a machine has written to its disk, in order, as QEMU's blklogwrites and
// Linux's dm-log-writes keep it (Documentation/admin-guide/device-mapper/log-writes.rst): a sector about the log,
// then for each write a sector about it and the data.
type recording struct {
	t    *testing.T
	file *os.File
}

const (
	logSector  = 512
	logMagic   = 0x6a736677736872
	logFlush   = 1 // when this is answered, everything written before is on the medium
	logForced  = 2 // when this is answered, its own data is on the medium
	logDiscard = 4 // no data follows: the sectors may be forgotten
)

// writing is one entry of the log.
type writing struct {
	sector, sectors, flags uint64
	at                     int64 // offset of its data in the log
}

// entries returns the number of entries: at least all that were answered.
func (r *recording) entries() uint64 {
	r.t.Helper()
	var about [24]byte
	if _, err := r.file.ReadAt(about[:], 0); err != nil {
		r.t.Fatal(err)
	}
	if got := le.LittleEndian.Uint64(about[:]); got != logMagic {
		r.t.Fatalf("the log of the disk begins with %x", got)
	}
	return le.LittleEndian.Uint64(about[16:])
}

// listEntries returns the entries of a machine that has ended.
func (r *recording) listEntries() (log []writing) {
	r.t.Helper()
	at := int64(logSector)
	for {
		var about [24]byte
		if _, err := r.file.ReadAt(about[:], at); err != nil {
			r.t.Fatal(err)
		}
		if about == [24]byte{} { // a hole
			return log
		}
		of := func(n int) uint64 { return le.LittleEndian.Uint64(about[8*n:]) }
		w := writing{of(0), of(1), of(2), at + logSector}
		at = w.at
		if w.flags&logDiscard == 0 {
			at += int64(w.sectors) * logSector
		}
		log = append(log, w)
	}
}

// cutAt writes the disk as a power cut before entry n leaves it: up to the last flush everything is there; of the
// data written since, kept decides for each sector whether it is there.
func (r *recording) cutAt(disk string, log []writing, n int, kept func() bool) {
	r.t.Helper()
	f, err := os.OpenFile(disk, os.O_WRONLY, 0)
	if err != nil {
		r.t.Fatal(err)
	}
	defer f.Close()
	safe := 0
	for i, w := range log[:n] {
		if w.flags&logFlush != 0 {
			safe = i
		}
	}
	for i, w := range log[:n] {
		if w.flags&logDiscard != 0 {
			continue
		}
		data := make([]byte, w.sectors*logSector)
		if _, err := r.file.ReadAt(data, w.at); err != nil {
			r.t.Fatal(err)
		}
		each := len(data)
		sure := i < safe || w.flags&logForced != 0
		if !sure {
			each = logSector
		}
		for from := 0; from < len(data); from += each {
			if sure || kept() {
				if _, err := f.WriteAt(data[from:from+each], int64(w.sector)*logSector+int64(from)); err != nil {
					r.t.Fatal(err)
				}
			}
		}
	}
}

// moment is a state of the table, with the number of log entries before it was requested and after it was
// acknowledged.
type moment struct {
	asked, acknowledged uint64
	view                string
}

// played is a game played on a card, with everything written meanwhile.
type played struct {
	t       *testing.T
	c       *card
	r       *recording
	blank   string // copy of the card before the game
	log     []writing
	host    *phone
	moments []moment
	dice    *rand.Rand
}

// TestImageCutAnywhere plays a game on a card whose writes are recorded, from the first start to the end, and
// rebuilds from it the card that a power cut at any moment would have left. The file system must be sound, and must
// have the state that the daemon had acknowledged, or one requested since. The daemon of this machine checks this 100
// times; 20 times the card itself starts again and must run a version.
func TestImageCutAnywhere(t *testing.T) {
	const named = "MAJORDOME_IMAGE"
	if soaked(0, 1) == 0 || os.Getuid() != 0 && os.Getenv(named) == "" {
		t.Skip("SKIPPED: an image is built and started for it, by root: make soak")
	}
	p := &played{t: t, dice: rand.New(rand.NewPCG(randtest.NewSeed(t), 4)), c: newCard(t, image(t, named, 250))}
	p.play()
	first, begun, end := int(p.moments[0].acknowledged), int(p.moments[0].asked), len(p.log)
	for n := range 100 {
		p.checkData(fmt.Sprintf("data %d", n+1), first+p.dice.IntN(end-first))
	}
	for n := range 20 {
		at := first + p.dice.IntN(end-first)
		if n%4 == 0 { // during the first start
			at = p.dice.IntN(begun)
		}
		p.checkStart(fmt.Sprintf("start %d", n+1), at)
	}
}

// play records a game, and checks that the record is complete: replayed, it gives the same card.
func (p *played) play() {
	p.t.Helper()
	c := p.c
	p.blank = filepath.Join(c.dir, "blank.img")
	c.host("cp", "--sparse=always", c.file, p.blank)
	p.r = c.recordWrites()
	c.start("recorded")
	p.evening()
	p.host.close()
	c.powerOff()
	c.log = ""
	p.log = p.r.listEntries()
	whole := filepath.Join(c.dir, "whole.img")
	c.host("cp", "--sparse=always", p.blank, whole)
	p.r.cutAt(whole, p.log, len(p.log), func() bool { return true })
	c.host("cmp", c.file, whole)
	c.host("rm", whole)
	flushes := 0
	for _, w := range p.log {
		if w.flags&logFlush != 0 {
			flushes++
		}
	}
	p.t.Logf("%d writes and %d flushes, of both %d before the first act; %d acts", len(p.log)-flushes, flushes,
		p.moments[0].asked, len(p.moments)-1)
}

// evening plays as the host: it fills the table and begins, deals and plays a game.
func (p *played) evening() {
	p.t.Helper()
	before := p.r.entries()
	link := regexp.MustCompile(`/host#j=\S+`).FindString(p.c.mustRunShell("majordome host"))
	p.host = joinHost(p.t, "http://"+p.c.web+link)
	note := func(before uint64) {
		p.moments = append(p.moments, moment{before, p.r.entries(), p.stateText()})
	}
	note(before)
	act := func(act string, args engine.Args) {
		p.t.Helper()
		before := p.r.entries()
		p.host.mustSend(act, args)
		note(before)
	}
	fourBegin(act)
	act("draw-roles", nil)
	act("deal", nil)
	for range 4 {
		act("keep", engine.Args{"card": "unnamed"})
	}
	for range 150 {
		moves := slices.DeleteFunc(engine.AllowedOffers(p.host.latest().View.Offers), func(o engine.Offer) bool { return o.Act != "pawn" })
		o := moves[p.dice.IntN(len(moves))]
		act(o.Act, engine.Args{"seat": o.Fixed["seat"], o.Params[0].Name: o.Params[0].Domain[p.dice.IntN(len(o.Params[0].Domain))]})
	}
}

// stateText returns the host's view as JSON, without the offers: those depend on the machine, too.
func (p *played) stateText() string {
	p.t.Helper()
	view := p.host.latest().View
	view.Offers = nil
	text, err := json.Marshal(view)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

// restoreCut makes the card as a power cut before this entry of the log leaves it, and returns the file of its data
// partition, in which e2fsck finds no fault once the journal is replayed.
func (p *played) restoreCut(at int) (data string) {
	p.t.Helper()
	c := p.c
	c.host("cp", "--sparse=always", p.blank, c.file)
	p.r.cutAt(c.file, p.log, at, func() bool { return p.dice.IntN(2) == 0 })
	found := regexp.MustCompile(`img3 : start= *(\d+)`).FindStringSubmatch(c.host("sfdisk", "--dump", c.file))
	if found == nil {
		p.t.Fatal("the card has no third partition")
	}
	sector, _ := strconv.Atoi(found[1])
	data = filepath.Join(c.dir, "data.img")
	c.host("rm", "-f", data)
	c.host("dd", "if="+c.file, "of="+data, "bs=4M", "iflag=skip_bytes", fmt.Sprintf("skip=%d", sector*logSector),
		"conv=sparse", "status=none")
	c.host("e2fsck", "-p", "-E", "journal_only", data)
	c.host("e2fsck", "-fn", data)
	return data
}

// checkData starts the daemon of this machine with the data that a cut leaves.
func (p *played) checkData(what string, at int) {
	p.t.Helper()
	folder := filepath.Join(p.c.dir, "data")
	p.c.host("mkdir", folder)
	p.c.host("debugfs", "-R", "rdump /system/changed/var/lib/majordome "+folder, p.restoreCut(at))
	config := filepath.Join(folder, "majordome.yaml")
	err := os.WriteFile(config,
		fmt.Appendf(nil, "listen: %q\nmqtt: \"off\"\ndata: %q\n", p.c.web, filepath.Join(folder, "majordome")), 0o600)
	if err != nil {
		p.t.Fatal(err)
	}
	_, stop := serveOnce(p.t, config)
	p.checkState(what, at)
	stop()
	p.c.host("rm", "-r", folder)
}

// checkStart starts the card again after a cut.
func (p *played) checkStart(what string, at int) {
	p.t.Helper()
	c := p.c
	p.restoreCut(at)
	c.start(what)
	const mounted, well = "overlay squashfs vfat ext4", "active\nmajordome_ok 1\nmajordome_store_ok 1\nmajordome_store_losses 0"
	if got := c.mustRunShell("for at in / /run/card /boot/firmware /data; do findmnt -no FSTYPE $at; done | tr '\\n' ' '; dmesg | grep " +
		"-E 'EXT4-fs (error|warning)|I/O error'; true"); got != mounted {
		p.t.Fatalf("%s, before entry %d: mounted are %s", what, at, got)
	}
	if got := c.mustRunShell("systemctl is-active majordome; busybox wget -qO- http://localhost/metrics | grep -E " +
		"'^majordome_(ok|store_ok|store_losses) '"); got != well {
		p.t.Fatalf("%s, before entry %d: %s", what, at, got)
	}
	p.checkState(what, at)
	c.cutPower()
}

// checkState checks that the state after a cut before this entry of the log is the last acknowledged one, or one
// requested since.
func (p *played) checkState(what string, at int) {
	p.t.Helper()
	least, most := -1, -1
	for i, m := range p.moments {
		if m.acknowledged <= uint64(at) {
			least = i
		}
		if m.asked < uint64(at) {
			most = i
		}
	}
	if least < 0 { // the host had not joined yet
		p.t.Logf("%s, before entry %d: before the first act", what, at)
		return
	}
	reloadView(p.t, p.host)
	stands := p.stateText()
	p.host.close()
	found := slices.IndexFunc(p.moments, func(m moment) bool { return m.view == stands })
	if found < least || found > most {
		p.t.Fatalf("%s, before entry %d: %d acts were acknowledged and %d asked for, and as after act %d there stands\n%s\n"+
			"the last that was acknowledged left\n%s",
			what, at, least, most, found, stands, p.moments[least].view)
	}
	p.t.Logf("%s, before entry %d: %d acts acknowledged, %d asked for, %d stand", what, at, least, most, found)
}

// recordWrites records all writes to the card until c.log is empty.
func (c *card) recordWrites() *recording {
	c.t.Helper()
	c.log = filepath.Join(c.dir, "writes.log")
	file, err := os.Create(c.log)
	if err == nil {
		err = file.Truncate(16 << 30) // a sparse file
	}
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = file.Close() })
	return &recording{c.t, file}
}
