import type { CompletionEntry } from './words.js';

/** A shell command that prints the ids of sessions or automations, and nothing when no host is running. A session also names its chats. */
function idsOf(list: string): string {
  const scheme = list.startsWith('auto ') ? 'ahp-automation' : 'ahp-session';
  return `moorage ${list} --json 2>/dev/null | sed 's/},{/}\\n{/g' | sed -n 's|.*"resource":"${scheme}:/\\([A-Za-z0-9_-]*\\)".*|\\1|p'`;
}

export function bashScript(entries: readonly CompletionEntry[]): string {
  const cases = entries.map(({ path, options, children, sessions: list }) => {
    const words = [...children.map(({ name }) => name), ...options.map(({ flag }) => flag)].join(' ');
    const sessions = list ? ` [[ $cur == -* ]] || words+=" $(${idsOf(list)})";` : '';
    return `    '${path}') words='${words}';${sessions} ;;`;
  });
  return `# bash completion for moorage
_moorage() {
  local cur=\${COMP_WORDS[COMP_CWORD]} path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " $_moorage_paths " in *" \${path:+$path/}$word "*) path="\${path:+$path/}$word" ;; esac
  done
  case "\${path//\\// }" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
_moorage_paths='${pathsOf(entries)}'
complete -o default -F _moorage moorage
`;
}

export function zshScript(entries: readonly CompletionEntry[]): string {
  const cases = entries.map(({ path, options, children, sessions: list }) => {
    const words = [
      ...children.map(({ name, summary }) => zshWord(name, summary)),
      ...options.map(({ flag, description }) => zshWord(flag, description)),
    ];
    const sessions = list ? ` [[ $cur == -* ]] || choices+=(\${(f)"$(${idsOf(list)})"});` : '';
    return `    '${path}') choices=(${words.join(' ')});${sessions} ;;`;
  });
  return `#compdef moorage
_moorage() {
  local cur=\${words[CURRENT]} path_='' word
  local -a typed=("\${(@)words[2,CURRENT-1]}")
  local known=' ${pathsOf(entries)} '
  for word in $typed; do
    [[ $known == *" \${path_:+$path_/}$word "* ]] && path_="\${path_:+$path_/}$word"
  done
  local -a choices
  case "\${path_//\\// }" in
${cases.join('\n')}
  esac
  _describe 'moorage' choices
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _moorage "$@"; else compdef _moorage moorage; fi
`;
}

export function fishScript(entries: readonly CompletionEntry[]): string {
  const lines = entries.flatMap(({ path, options, children, sessions: list }) => {
    const condition = path === '' ? '__fish_use_subcommand' : `__moorage_at ${path}`;
    return [
      ...children.map(
        ({ name, summary }) => `complete -c moorage -n '${condition}' -f -a ${name} -d '${quoted(summary)}'`,
      ),
      ...options.map(
        ({ flag, description }) =>
          `complete -c moorage -n '${condition}' -l ${flag.slice(2)} -d '${quoted(description)}'`,
      ),
      ...(list ? [`complete -c moorage -n '${condition}' -f -a '(__moorage_sessions ${list})'`] : []),
    ];
  });
  return `# fish completion for moorage
function __moorage_at
  set -l typed (commandline -opc)[2..-1]
  test (count $typed) -ge (count $argv); and test "$typed[1..$(count $argv)]" = "$argv"
end
function __moorage_sessions
  ${idsOf('$argv')}
end
${lines.join('\n')}
`;
}

/** Every command as one word, because these shells have no nested lists. */
function pathsOf(entries: readonly CompletionEntry[]): string {
  return entries.flatMap(({ path }) => (path === '' ? [] : [path.replaceAll(' ', '/')])).join(' ');
}

function zshWord(word: string, description: string): string {
  return `'${word.replaceAll(':', '\\:')}:${quoted(description)}'`;
}

/** An apostrophe would end the quoted word. */
function quoted(text: string): string {
  return text.replaceAll("'", '’').replaceAll('\n', ' ');
}
