import type { ModelTool } from '../tools/tool.js';

/** What authors of custom agents call our tools: the names in other coding agents, in lower case. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  read: ['read', 'readfile', 'view', 'codebase'],
  list: ['ls', 'list', 'listdirectory', 'read', 'search'],
  glob: ['glob', 'filesearch', 'search', 'codebase'],
  grep: ['grep', 'textsearch', 'search', 'codebase'],
  write: ['write', 'edit', 'createfile', 'editfiles'],
  edit: ['edit', 'write', 'multiedit', 'editfiles'],
  multi_edit: ['edit', 'multiedit', 'editfiles'],
  delete: ['delete', 'edit', 'editfiles'],
  run: ['bash', 'run', 'execute', 'shell', 'runcommands', 'runinterminal', 'terminal'],
  terminal_output: ['bash', 'run', 'execute', 'shell', 'runcommands', 'runinterminal', 'terminal', 'bashoutput'],
  terminal_stop: ['bash', 'run', 'execute', 'shell', 'runcommands', 'runinterminal', 'terminal', 'killshell'],
  sub_agent: ['task', 'agent', 'sub_agent', 'runsubagent'],
};

/** Available to every custom agent, since they change nothing. */
const ALWAYS: ReadonlySet<string> = new Set(['ask_user', 'set_title', 'skill']);

/** Whether a custom agent may use a tool, by the list of its author. Without a list it may use all. */
export function mayUse(tool: string, named: readonly string[] | undefined): boolean {
  if (!named || named.includes('*') || ALWAYS.has(tool) || named.includes(tool)) return true;
  // "Bash(git:*)" means the tool Bash, and "search/codebase" one tool of a set.
  const plain = named.flatMap((name) => (name.split('(')[0] ?? '').toLowerCase().split('/'));
  return (ALIASES[tool] ?? []).some((alias) => plain.includes(alias));
}

export function toolsFor(tools: ReadonlyMap<string, ModelTool>, named: readonly string[] | undefined) {
  return new Map([...tools].filter(([name]) => mayUse(name, named)));
}
