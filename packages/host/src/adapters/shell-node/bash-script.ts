/**
 * Bash reads this instead of the user's `.bashrc`, which it sources first. Before each prompt it reports the end of the last
 * command and the folder. It reports the command line through PS0, which bash prints between reading and running a command.
 */
export const BASH_SCRIPT = String.raw`# Written by ahpd for its terminals. Changes are overwritten.
__ahpd_nonce=$AHPD_SHELL_NONCE
unset AHPD_SHELL_NONCE
if [ -r ~/.bashrc ]; then . ~/.bashrc; fi

__ahpd_escaped() {
  local LC_ALL=C text=$1
  text=${'$'}{text//\\/\\\\}
  text=${'$'}{text//$'\n'/\\x0a}
  text=${'$'}{text//$'\t'/\\x09}
  text=${'$'}{text//[[:cntrl:]]/?}
  builtin printf '%s' "$text"
}

__ahpd_before_prompt() {
  local status=$?
  builtin printf '\e]633;D;%s;%s\a\e]633;P;%s;Cwd=%s\a' "$__ahpd_nonce" "$status" "$__ahpd_nonce" "$(__ahpd_escaped "$PWD")"
  __ahpd_seen=$(__ahpd_last_number)
  return "$status"
}

__ahpd_last() { HISTTIMEFORMAT= builtin history 1; }
__ahpd_last_number() { local number; read -r number _ <<<"$(__ahpd_last)"; builtin printf '%s' "$number"; }

# For a command that was kept out of the history, reports nothing rather than the entry before it.
__ahpd_before_command() {
  local number line=
  read -r number line <<<"$(__ahpd_last)"
  line=$(__ahpd_last)
  line=${'$'}{line#*"$number"}
  line=${'$'}{line#[* ] }
  if [ "$number" = "$__ahpd_seen" ]; then
    case $HISTCONTROL:$HISTIGNORE in *ignorespace*|*ignoreboth*|*:?*) line= ;; esac
  fi
  builtin printf '\e]633;C;%s;%s\a' "$__ahpd_nonce" "$(__ahpd_escaped "$line")"
}

__ahpd_seen=
PS0='$(__ahpd_before_command)'$PS0
if [[ "$(declare -p PROMPT_COMMAND 2>/dev/null)" == 'declare -a'* ]]; then
  PROMPT_COMMAND=(__ahpd_before_prompt "${'$'}{PROMPT_COMMAND[@]}")
else
  PROMPT_COMMAND=__ahpd_before_prompt${'$'}{PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}
fi
`;
