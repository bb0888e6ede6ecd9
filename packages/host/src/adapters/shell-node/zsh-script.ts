/** zsh reads its startup files from ZDOTDIR, which points to these. Each sources the user's file with the user's ZDOTDIR. */
export const ZSHENV_SCRIPT = `# Written by ahpd for its terminals. Changes are overwritten.
__ahpd_dir=$ZDOTDIR
__ahpd_nonce=$AHPD_SHELL_NONCE
unset AHPD_SHELL_NONCE
if (( ${'$'}{+AHPD_USER_ZDOTDIR} )); then ZDOTDIR=$AHPD_USER_ZDOTDIR; else unset ZDOTDIR; fi
unset AHPD_USER_ZDOTDIR
if [[ -r ${'$'}{ZDOTDIR:-$HOME}/.zshenv ]]; then . ${'$'}{ZDOTDIR:-$HOME}/.zshenv; fi
if [[ -o interactive ]]; then
  if (( ${'$'}{+ZDOTDIR} )); then __ahpd_zdotdir=$ZDOTDIR; fi
  ZDOTDIR=$__ahpd_dir
fi
`;

export const ZSHRC_SCRIPT = String.raw`# Written by ahpd for its terminals. Changes are overwritten.
[[ $HISTFILE == $__ahpd_dir/* ]] && HISTFILE=${'$'}{__ahpd_zdotdir:-$HOME}/${'$'}{HISTFILE:t}
if (( ${'$'}{+__ahpd_zdotdir} )); then ZDOTDIR=$__ahpd_zdotdir; else unset ZDOTDIR; fi
if [[ -r ${'$'}{ZDOTDIR:-$HOME}/.zshrc ]]; then . ${'$'}{ZDOTDIR:-$HOME}/.zshrc; fi

__ahpd_escaped() {
  emulate -L zsh
  local text=$1
  text=${'$'}{text//\\/\\\\}
  text=${'$'}{text//$'\n'/\\x0a}
  text=${'$'}{text//$'\t'/\\x09}
  text=${'$'}{text//[[:cntrl:]]/?}
  builtin print -rn -- "$text"
}

# zsh would print its mark for a missing newline before precmd runs, as part of the output. precmd prints it instead, after its report.
[[ -o promptsp && -o promptcr ]] && __ahpd_marks_partial=1
unsetopt promptsp

__ahpd_precmd() {
  local exit_status=$?
  builtin print -n -- "\e]633;D;$__ahpd_nonce;$exit_status\a\e]633;P;$__ahpd_nonce;Cwd="
  __ahpd_escaped "$PWD"
  builtin print -n -- "\a"
  if [[ -n $__ahpd_marks_partial ]]; then
    builtin print -nP -- "${'$'}{PROMPT_EOL_MARK-%B%S%#%s%b}"
    builtin print -n -- "${'$'}{(l:COLUMNS-1:: :)}\r \r"
  fi
  return $exit_status
}

__ahpd_preexec() {
  builtin print -n -- "\e]633;C;$__ahpd_nonce;"
  __ahpd_escaped "$1"
  builtin print -n -- "\a"
}

precmd_functions=(__ahpd_precmd $precmd_functions)
preexec_functions+=(__ahpd_preexec)
`;
