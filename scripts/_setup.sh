# Sourced by scripts/demo and scripts/test: installs what they need, and nothing the second time.
#
# 1. Debian's packages: a headless Chromium with fonts, the two libraries that wheels expect, and venv.
# 2. .uv/: a virtual environment that holds uv alone.  3. .venv/: the locked packages and this checkout.
# Usage: setup run|dev|ci

UV_VERSION=0.13.9

say() { printf '%s\n' "$*" >&2; }

# What is missing of what the pixels depend on (the browser and its fonts) and what the wheels expect.
need_packages() {
  command -v python3 >/dev/null 2>&1 || echo python3
  python3 -c 'import ensurepip, venv' >/dev/null 2>&1 || echo python3-venv
  if [ -z "${BICAMERAL_CHROMIUM:-}" ] && ! command -v chromium-headless-shell >/dev/null 2>&1; then
    echo chromium-headless-shell
  fi
  local package
  for package in fonts-liberation fonts-noto-core libatomic1 ${1:-}; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
  done
}

install_packages() {
  command -v dpkg-query >/dev/null 2>&1 || {
    say "This is no Debian. Make sure that a Chromium, python3 with venv and libatomic are installed."
    return 0
  }
  local wanted as_root=""
  wanted=$(need_packages "${1:-}" | sort -u | tr '\n' ' ')
  [ -n "${wanted// /}" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null 2>&1; then as_root=sudo; else
      say "These Debian packages are missing: ${wanted}"
      say "As root, run: apt-get update && apt-get install --no-install-recommends ${wanted}"
      exit 2
    fi
  fi
  say "Installing Debian's packages: ${wanted}"
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq)
  $as_root "${apt[@]}" update
  # shellcheck disable=SC2086  # the list is meant to be split
  $as_root "${apt[@]}" install -y --no-install-recommends $wanted >/dev/null
}

install_python() {
  local lock="locks/$1.txt" stamp=".venv/.bicameral-$1" want
  want=$(cat "$lock" pyproject.toml | sha256sum | cut -d' ' -f1)
  # A development environment holds all that a run needs, and CI's all that development does.
  for have in "$stamp" .venv/.bicameral-ci $([ "$1" = ci ] || echo .venv/.bicameral-dev); do
    [ -f "$have" ] && [ "$(cut -d' ' -f1 "$have")" = "$(cat "locks/${have##*-}.txt" pyproject.toml | sha256sum | cut -d' ' -f1)" ] \
      && [ -x .venv/bin/bicameral ] && return 0
  done
  if ! [ "$(.uv/bin/uv --version 2>/dev/null | cut -d' ' -f2)" = "$UV_VERSION" ]; then
    say "Installing uv $UV_VERSION into .uv/"
    rm -rf .uv
    python3 -m venv .uv
    .uv/bin/python -m pip install -q --disable-pip-version-check "uv==$UV_VERSION"
  fi
  [ -x .venv/bin/python ] && .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
    || .uv/bin/uv venv -q --clear --python 3.11 --no-python-downloads .venv 2>/dev/null \
    || .uv/bin/uv venv -q --clear --no-python-downloads .venv
  say "Installing the locked Python packages ($lock) into .venv/"
  .uv/bin/uv pip install -q --python .venv/bin/python --require-hashes -r "$lock"
  .uv/bin/uv pip install -q --python .venv/bin/python --no-deps --no-build-isolation -e .
  printf '%s\n' "$want" >"$stamp"
}

setup() {
  # The small model of one slow test, on loopback, is served by a wheel that expects libgomp.
  if [ "$1" = ci ]; then install_packages libgomp1; else install_packages; fi
  install_python "$1"
}
