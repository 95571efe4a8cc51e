/** The shells with a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

const BASH = `_gatehouse() {
  local value description
  COMPREPLY=()
  while IFS=$'\\t' read -r value description; do
    COMPREPLY+=("$(printf '%q' "$value")")
  done < <(gatehouse __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _gatehouse gatehouse
`;

const ZSH = `#compdef gatehouse
_gatehouse() {
  local line
  local -a found
  for line in "\${(@f)$(gatehouse __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#found )); then _describe gatehouse found; else _files; fi
}
compdef _gatehouse gatehouse
`;

const FISH = `function __gatehouse_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found (gatehouse __complete $words[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c gatehouse -f -a '(__gatehouse_complete)'
`;

/** The completion script of each shell. All of them ask `gatehouse __complete` for candidates. */
export const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], string>> = { bash: BASH, zsh: ZSH, fish: FISH };
