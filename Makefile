# make run     sets everything up and starts the demonstration table; make run NODE=1: with its readers and lights on a node,
#              whose firmware runs on a simulated chip (wants the AVR compiler and libsimavr, which it installs)
# make test    sets everything up and runs every test, browser tests included
# make soak    the long runs, in full: hours, most of them packages and images in machines of their own;
#              one part alone: MAJORDOME_SOAK=1 go test -vet=off -timeout 0 ./engine/play
# make mutants breaks the rules one place at a time and lists what no script and no quick test notices;
#              make mutants SAMPLE=300: so many of each engine
# make bench   the figures: readers, latency, games per second, memory, start-up
# make deb     builds the packages for Debian and Raspberry Pi OS into bin, without root; make deb KEY=update.pub: whose
#              newer packages, from a stick, may take their place (minisign)
# make image   builds the image of an SD card for a 64-bit Pi into bin, as root; make image KIOSK=1: for one with a screen of its own,
#              which shows the display of the table
# make dependencies lists what the program and its pages depend on, with the date of each last release
# make version says which version is built: that of the manual's page of changes
# make clean   removes what was built

APP    := companion/web/app
DIST   := companion/web/dist
GEN    := $(APP)/src/gen
BIN    := bin/majordome
GOSRC   = $(shell find cmd companion devices engine -name node_modules -prune -o \( -name '*.go' -o -name '*.yaml' -o -name '*.html' \) -print) $(shell find engine -name "*.json")
WEBSRC  = $(shell find $(APP)/src $(APP)/public $(APP)/build companion/web/manual -type f -not -path '*/gen/*' 2>/dev/null) $(wildcard cmd/majordome/config/*.go) $(wildcard $(APP)/*.ts $(APP)/*.js $(APP)/*.json $(APP)/*.html) $(shell find engine -name "*.json")
# the newest section of the manual's page of changes
VERSION := $(shell sed -n 's/^## \([0-9][^ ]*\) .*/\1/p;T;q' companion/web/manual/en/changes.md)
GOBUILD = CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X main.version=$(VERSION)'

# without the rules that make knows of other languages: it tries them all on each of a thousand files, for half a second
MAKEFLAGS += --no-builtin-rules

.PHONY: run test soak mutants bench build web version dependencies deb image clean
.DELETE_ON_ERROR:

ifdef NODE
run: bin/.ready-node $(BIN)
	$(MAKE) -C firmware
	go build -tags simavr -o bin/emulator ./firmware/sim/emulator
	$(BIN) demo --node 'bin/emulator firmware/build/node.elf'
else
run: bin/.ready-run $(BIN)
	$(BIN) demo
endif

test: bin/.ready-test web
	.ci/tests

soak: bin/.ready-soak web
	MAJORDOME_SOAK=1 .ci/tests

mutants:
	go run ./.ci/mutants $(if $(SAMPLE),-sample $(SAMPLE)) $(if $(SEED),-seed $(SEED))

bench: bin/.ready-test $(BIN)
	.ci/bench

deb: bin/.ready-run web
	@for arch in amd64 arm64 armhf; do echo "majordome : paquet $$arch (une à trois minutes) · package $$arch (one to three minutes)"; systemd/deb/build $$arch $(VERSION) bin || exit 1; done
	@echo "majordome $(VERSION) : bin/majordome_$(VERSION)_arm64.deb (Pi, 64 bits) · …_armhf.deb (Pi, 32 bits) · …_amd64.deb (PC). Sur cette machine · on this machine: sudo apt install ./bin/majordome_$(VERSION)_$$(dpkg --print-architecture).deb"

image: IMAGE := bin/majordome_$(VERSION)_arm64$(if $(KIOSK),_kiosk).img.xz
image: bin/.ready-image web
	@echo "majordome : paquet puis image (dix minutes et plus) · package, then image (ten minutes and more)"
	@systemd/deb/build arm64 $(VERSION) bin
	@$(if $(filter 0,$(shell id -u)),,sudo) systemd/image/build bin/majordome_$(VERSION)_arm64.deb bin $(if $(KIOSK),kiosk)
	@echo "majordome $(VERSION) : $(IMAGE). Sur la carte SD · on the SD card: Raspberry Pi Imager, ou · or: xzcat $(IMAGE) | sudo dd of=/dev/sdX bs=4M conv=fsync"

build: bin/.ready-run $(BIN)
web: $(DIST)/pages/phone.fr.html

version:
	@echo $(VERSION)

dependencies:
	@.ci/dependencies

bin/.ready-%: .ci/setup
	@.ci/setup $*
	@mkdir -p bin && touch $@

$(APP)/node_modules/.package-lock.json: $(APP)/package-lock.json
	@echo "majordome 1/5 : ce que demandent les pages, par npm, une fois (une minute) · what the pages need, by npm, once (a minute)"
	@cd $(APP) && npm ci --loglevel=error --ignore-scripts --no-audit --no-fund >/dev/null
	@touch $@

# Fetched apart, and without the line that Go would say of each module. What cannot be fetched is said by whoever needs it.
bin/.modules: go.mod go.sum
	@echo "majordome 2/5 : ce que demande le programme, par Go, une fois (une minute) · what the program needs, by Go, once (a minute)"
	@go list -deps ./cmd/majordome github.com/gzuidhof/tygo >/dev/null 2>&1 || true
	@mkdir -p bin && touch $@

$(GEN)/.made: $(wildcard engine/*.go companion/wire/*.go companion/wire/tygo.yaml) | bin/.modules
	@mkdir -p $(GEN)
	@echo "majordome 3/5 : ce que programme et pages ont en commun (une minute la première fois) · what program and pages share (a minute the first time)"
	@go tool tygo generate --config companion/wire/tygo.yaml
	@touch $@

$(DIST)/pages/phone.fr.html: $(APP)/node_modules/.package-lock.json $(GEN)/.made $(WEBSRC)
	@echo "majordome 4/5 : les pages (une demi-minute) · the pages (half a minute)"
	@cd $(APP) && npm run --silent build
	@touch $@

$(BIN): $(DIST)/pages/phone.fr.html $(GOSRC) go.mod go.sum | bin/.modules
	@echo "majordome 5/5 : le programme (une à trois minutes la première fois) · the program (one to three minutes the first time)"
	@$(GOBUILD) -o $@ ./cmd/majordome

clean:
	rm -rf bin firmware/build artefacts $(APP)/node_modules $(GEN)
	find $(DIST) -mindepth 1 -not -name .keep -delete
