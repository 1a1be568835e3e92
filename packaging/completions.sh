#!/bin/sh
# Writes the completion scripts of both programs to the folder completions, under the names that each shell looks for.
set -eu
cd "$(dirname "$0")/.."
mkdir -p completions
for program in turnlint turnfix; do
  for script in "bash $program.bash" "zsh _$program" "fish $program.fish" "powershell $program.ps1"; do
    go run "./cmd/$program" completion "${script%% *}" >"completions/${script#* }"
  done
done
