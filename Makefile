# Every verb of this project. `make help` lists them.
# `make demo` and `make test` each work as the first command on a fresh Debian 12
# with a Swift 6.3 toolchain on PATH: each installs what else it needs.

PREFIX  ?= /usr/local
DESTDIR ?=

export PYTHONDONTWRITEBYTECODE = 1

# SwiftPM remembers what Package.swift found, as long as the environment is the same: so it looks
# again once there is a reader of bar codes.
zxing = /usr/include/ZXing/ReadBarcode.h
SEATAGENT_PICTURES ?= $(shell [ -e $(zxing) ] && echo found || echo missing)
export SEATAGENT_PICTURES

# The commit, for `seatagent --version`. Not that of a repository around an unpacked tarball.
head = $(shell [ -e .git ] && git rev-parse --verify -q HEAD | cut -c1-7)
SEATAGENT_COMMIT ?= $(or $(head),unknown)
export SEATAGENT_COMMIT

.DEFAULT_GOAL := help
.PHONY: help setup setup-demo build test demo demo-gif install deb deb-test dist dist-test dist-twice \
	upgrade-test lint format bench bench-count matching soak fuzz model explore mutants coverage \
	test-asan test-tsan clean

help:
	@echo 'make setup      install the Debian packages this needs; does nothing when all are there'
	@echo 'make build      build .build/debug/seatagent'
	@echo 'make demo       two passengers on two hosts of their own swap seats; of venues:'
	@echo '                VENUE=study, VENUE=parking, VENUE=rec, VENUE=castles;'
	@echo '                PHONE=1 a laptop and two phones in Chromium;'
	@echo '                MEET=1 two passengers at home, a broker between them, then aboard'
	@echo 'make test       unit, property and end-to-end tests, and lint'
	@echo 'make soak       the simulator for MINUTES (5), forty agents, sixty hostile keys, random lives'
	@echo 'make mutants    break the core in one place at a time and see whether a test notices'
	@echo 'make coverage   lines of each module that the unit tests run'
	@echo 'make test-asan  the unit tests under the address sanitizer'
	@echo 'make test-tsan  the unit tests under the thread sanitizer'
	@echo 'make model      check the binding phase in every order of events with Spin: some minutes'
	@echo 'make explore    every order of events of pairs and rings, with deaths and losses: ten minutes'
	@echo 'make fuzz       feed made-up bytes to all that reads: MINUTES=4 unless you say otherwise'
	@echo 'make lint       check the format of Swift, shell and Python files'
	@echo 'make format     rewrite the Swift files in the house format'
	@echo 'make bench      measure it beside what else there is: twenty minutes, QUICK=1 three;'
	@echo '                ROWS=1,4 some rows only, WRITE=1 into docs/performance.md'
	@echo 'make matching   compare plans and rings with the best ones: ten minutes, QUICK=1 less than one'
	@echo 'make bench-count count instructions of a message and of the core; fails when one grew by a tenth'
	@echo 'make demo-gif   draw docs/pictures from the real program in two terminals; Pillow from PyPI'
	@echo 'make install    build for release and install below PREFIX ($(PREFIX)), and DESTDIR if given'
	@echo 'make deb        build for release and make a Debian package in .build/deb'
	@echo 'make deb-test   install, use and remove that package in a root made for it'
	@echo 'make dist       build for release and make a tarball for Debian 12 and 13 in .build/dist'
	@echo 'make dist-test  install, use and remove that in roots of Debian 12 and 13'
	@echo 'make dist-twice make it from two clean clones, and compare the bytes'
	@echo 'make upgrade-test let agents of 0.2.0 make way for this version, and trade with it'
	@echo 'make clean      remove what was built'

setup:
	@sh scripts/setup

# Pictures are read pixel by pixel: that part is made for speed in debug builds too.
quick = -Xcxx -O2

build: setup
	swift build $(quick)

# A newcomer's first command installs what a build and a run need, and no more.
setup-demo:
	@sh scripts/setup demo$(if $(MEET),-meet,$(and $(PHONE),-phone))

# What is given to others: without the toolchain, so with the standard library in it.
# packaging/programs lists the programs.
release = sh scripts/programs -c release --static-swift-stdlib

test: setup
	@sh scripts/test

demo: setup-demo
	sh scripts/programs $(quick)
	@python3 Tests/EndToEnd/demo.py

demo-gif: build
	@sh scripts/demo-gif

lint: setup
	@sh scripts/lint

format: setup
	swift format --in-place --recursive Sources Tests Benchmarks Package.swift

bench: setup
	@QUICK='$(QUICK)' ROWS='$(ROWS)' WRITE='$(WRITE)' sh scripts/bench

matching: setup
	@QUICK='$(QUICK)' WRITE='$(WRITE)' sh scripts/matching

bench-count: setup
	swift build -c release --static-swift-stdlib --product core
	swift build -c release --static-swift-stdlib --product wire
	@python3 -B Benchmarks/counts.py $(if $(WRITE),--write)

soak: setup
	@sh scripts/soak

fuzz: setup
	@sh scripts/fuzz $(or $(MINUTES),4)

explore: setup
	@sh scripts/explore

model: setup
	@sh scripts/model

mutants: setup
	@python3 Tests/Mutants/run.py --minutes $(or $(MINUTES),90)

coverage: setup
	@sh scripts/coverage

test-asan: setup
	@sh scripts/sanitize address

test-tsan: setup
	@sh scripts/sanitize thread

install: setup
	$(release)
	@sh scripts/install '$(PREFIX)' '$(DESTDIR)'

deb: setup
	$(release)
	@sh scripts/deb

deb-test: deb
	@sh scripts/deb-test

dist: setup
	$(release)
	@sh scripts/dist

dist-test: dist
	@sh scripts/dist-test

dist-twice: setup
	@sh scripts/dist-test --twice

upgrade-test: setup
	@sh scripts/upgrade-test

clean:
	rm -rf .build
