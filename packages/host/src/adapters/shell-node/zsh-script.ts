/** zsh looks for its files where ZDOTDIR says: here. Each of ours reads the user's, with the user's own ZDOTDIR in place. */
export const ZSHENV_SCRIPT = `# Written by ahpd for its terminals; it is written again when it is changed.
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

export const ZSHRC_SCRIPT = String.raw`# Written by ahpd for its terminals; it is written again when it is changed.
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

# zsh marks output without a last newline before it calls us, which would count as output: we do it, after the report.
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
