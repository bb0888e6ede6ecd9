/**
 * Bash reads this instead of the user's `.bashrc`, which it sources first. Before each prompt it reports the end of the last
 * command and the folder. It reports the command line through PS0, which bash prints between reading and running a command.
 */
export const BASH_SCRIPT = String.raw`# Written by moorage for its terminals. Changes are overwritten.
__moorage_nonce=$MOORAGE_SHELL_NONCE
unset MOORAGE_SHELL_NONCE
if [ -r ~/.bashrc ]; then . ~/.bashrc; fi

__moorage_escaped() {
  local LC_ALL=C text=$1
  text=${'$'}{text//\\/\\\\}
  text=${'$'}{text//$'\n'/\\x0a}
  text=${'$'}{text//$'\t'/\\x09}
  text=${'$'}{text//[[:cntrl:]]/?}
  builtin printf '%s' "$text"
}

__moorage_before_prompt() {
  local status=$?
  builtin printf '\e]633;D;%s;%s\a\e]633;P;%s;Cwd=%s\a' "$__moorage_nonce" "$status" "$__moorage_nonce" "$(__moorage_escaped "$PWD")"
  __moorage_seen=$(__moorage_last_number)
  return "$status"
}

__moorage_last() { HISTTIMEFORMAT= builtin history 1; }
__moorage_last_number() { local number; read -r number _ <<<"$(__moorage_last)"; builtin printf '%s' "$number"; }

# For a command that was kept out of the history, reports nothing rather than the entry before it.
__moorage_before_command() {
  local number line=
  read -r number line <<<"$(__moorage_last)"
  line=$(__moorage_last)
  line=${'$'}{line#*"$number"}
  line=${'$'}{line#[* ] }
  if [ "$number" = "$__moorage_seen" ]; then
    case $HISTCONTROL:$HISTIGNORE in *ignorespace*|*ignoreboth*|*:?*) line= ;; esac
  fi
  builtin printf '\e]633;C;%s;%s\a' "$__moorage_nonce" "$(__moorage_escaped "$line")"
}

__moorage_seen=
PS0='$(__moorage_before_command)'$PS0
if [[ "$(declare -p PROMPT_COMMAND 2>/dev/null)" == 'declare -a'* ]]; then
  PROMPT_COMMAND=(__moorage_before_prompt "${'$'}{PROMPT_COMMAND[@]}")
else
  PROMPT_COMMAND=__moorage_before_prompt${'$'}{PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}
fi
`;
