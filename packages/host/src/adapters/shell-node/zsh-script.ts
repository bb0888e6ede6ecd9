/** zsh reads its startup files from ZDOTDIR, which points to these. Each sources the user's file with the user's ZDOTDIR. */
export const ZSHENV_SCRIPT = `# Written by moorage for its terminals. Changes are overwritten.
__moorage_dir=$ZDOTDIR
__moorage_nonce=$MOORAGE_SHELL_NONCE
unset MOORAGE_SHELL_NONCE
if (( ${'$'}{+MOORAGE_USER_ZDOTDIR} )); then ZDOTDIR=$MOORAGE_USER_ZDOTDIR; else unset ZDOTDIR; fi
unset MOORAGE_USER_ZDOTDIR
if [[ -r ${'$'}{ZDOTDIR:-$HOME}/.zshenv ]]; then . ${'$'}{ZDOTDIR:-$HOME}/.zshenv; fi
if [[ -o interactive ]]; then
  if (( ${'$'}{+ZDOTDIR} )); then __moorage_zdotdir=$ZDOTDIR; fi
  ZDOTDIR=$__moorage_dir
fi
`;

export const ZSHRC_SCRIPT = String.raw`# Written by moorage for its terminals. Changes are overwritten.
[[ $HISTFILE == $__moorage_dir/* ]] && HISTFILE=${'$'}{__moorage_zdotdir:-$HOME}/${'$'}{HISTFILE:t}
if (( ${'$'}{+__moorage_zdotdir} )); then ZDOTDIR=$__moorage_zdotdir; else unset ZDOTDIR; fi
if [[ -r ${'$'}{ZDOTDIR:-$HOME}/.zshrc ]]; then . ${'$'}{ZDOTDIR:-$HOME}/.zshrc; fi

__moorage_escaped() {
  emulate -L zsh
  local text=$1
  text=${'$'}{text//\\/\\\\}
  text=${'$'}{text//$'\n'/\\x0a}
  text=${'$'}{text//$'\t'/\\x09}
  text=${'$'}{text//[[:cntrl:]]/?}
  builtin print -rn -- "$text"
}

# zsh would print its mark for a missing newline before precmd runs, as part of the output. precmd prints it instead, after its report.
[[ -o promptsp && -o promptcr ]] && __moorage_marks_partial=1
unsetopt promptsp

__moorage_precmd() {
  local exit_status=$?
  builtin print -n -- "\e]633;D;$__moorage_nonce;$exit_status\a\e]633;P;$__moorage_nonce;Cwd="
  __moorage_escaped "$PWD"
  builtin print -n -- "\a"
  if [[ -n $__moorage_marks_partial ]]; then
    builtin print -nP -- "${'$'}{PROMPT_EOL_MARK-%B%S%#%s%b}"
    builtin print -n -- "${'$'}{(l:COLUMNS-1:: :)}\r \r"
  fi
  return $exit_status
}

__moorage_preexec() {
  builtin print -n -- "\e]633;C;$__moorage_nonce;"
  __moorage_escaped "$1"
  builtin print -n -- "\a"
}

precmd_functions=(__moorage_precmd $precmd_functions)
preexec_functions+=(__moorage_preexec)
`;
