import type { SandboxMode } from '../../ports/sandbox.js';

/** The host's own words in forms, in the client's language. Texts from agents are passed on unchanged. */
export interface Texts {
  readonly isolation: Described;
  readonly workspace: Described;
  readonly worktree: Described;
  readonly baseBranch: Described;
  readonly branchName: Described;
  readonly worktreeOnEnd: Described;
  readonly keep: Described;
  readonly removeIfClean: Described;
  readonly sandbox: Described;
  readonly sandboxModes: Readonly<Record<SandboxMode, Described>>;
  readonly budget: Described;
  readonly currentBranch: string;
  readonly remoteBranch: string;
}

interface Described {
  readonly title: string;
  readonly description: string;
}

const ENGLISH: Texts = {
  isolation: { title: 'Isolation', description: 'Where the session works.' },
  workspace: { title: 'Folder', description: 'In the folder itself, alongside you.' },
  worktree: { title: 'Work tree', description: 'In a git work tree of its own, on a new branch.' },
  baseBranch: {
    title: 'Base branch',
    description: 'Where a new branch starts, and what the branch changeset is measured against.',
  },
  branchName: { title: 'Branch name', description: 'The name of the new branch; if empty, the host picks one.' },
  worktreeOnEnd: { title: 'When the session ends', description: 'What happens to its work tree.' },
  keep: { title: 'Keep', description: 'The work tree and its branch stay.' },
  removeIfClean: {
    title: 'Remove if nothing is lost',
    description: 'Removed with its branch, unless it has uncommitted changes or commits that exist nowhere else.',
  },
  sandbox: { title: 'Sandbox', description: "What the session's programs can reach." },
  sandboxModes: {
    off: { title: 'Off', description: 'Whatever you can reach.' },
    network: { title: 'On', description: "The session's folders, and the network." },
    listed: {
      title: 'Listed hosts',
      description: "The session's folders, and the hosts that the configuration lists.",
    },
    offline: { title: 'No network', description: "The session's folders only. Most agents cannot reach their model." },
  },
  budget: {
    title: 'Budget',
    description: 'The session pauses when it has cost this much; tokens, if the agent reports no cost. 0: no limit.',
  },
  currentBranch: 'checked out',
  remoteBranch: 'on a remote',
};

const GERMAN: Texts = {
  isolation: { title: 'Isolation', description: 'Wo die Sitzung arbeitet.' },
  workspace: { title: 'Ordner', description: 'Im Ordner selbst, neben Ihnen.' },
  worktree: { title: 'Arbeitsbaum', description: 'In einem eigenen Git-Arbeitsbaum auf einem neuen Zweig.' },
  baseBranch: {
    title: 'Basiszweig',
    description: 'Wo ein neuer Zweig beginnt und womit die Änderungen des Zweigs verglichen werden.',
  },
  branchName: { title: 'Name des Zweigs', description: 'Der neue Zweig; ohne Namen vergibt der Host einen.' },
  worktreeOnEnd: { title: 'Wenn die Sitzung endet', description: 'Was aus ihrem Arbeitsbaum wird.' },
  keep: { title: 'Behalten', description: 'Arbeitsbaum und Zweig bleiben.' },
  removeIfClean: {
    title: 'Entfernen, wenn nichts verloren geht',
    description:
      'Samt Zweig entfernt, außer wenn darin etwas nicht eingetragen ist oder seine Commits nirgends sonst sind.',
  },
  sandbox: { title: 'Sandbox', description: 'Was die Programme der Sitzung erreichen.' },
  sandboxModes: {
    off: { title: 'Aus', description: 'Alles, was Sie selbst erreichen.' },
    network: { title: 'An', description: 'Die Ordner der Sitzung und das Netz.' },
    listed: { title: 'Nur genannte Hosts', description: 'Die Ordner der Sitzung und die Hosts aus der Konfiguration.' },
    offline: {
      title: 'Ohne Netz',
      description: 'Nur die Ordner der Sitzung. Die meisten Agenten erreichen ihr Modell dann nicht.',
    },
  },
  budget: {
    title: 'Budget',
    description:
      'Die Sitzung hält an, wenn sie so viel gekostet hat; in Tokens, wenn der Agent keine Kosten meldet. 0: ohne Grenze.',
  },
  currentBranch: 'ausgecheckt',
  remoteBranch: 'auf einem entfernten Repository',
};

const BY_LANGUAGE: Readonly<Record<string, Texts>> = { en: ENGLISH, de: GERMAN };

/** The texts for a BCP 47 tag, of which only the language counts; English for unknown ones (B-31). */
export function textsFor(locale: string | undefined): Texts {
  const language = locale?.split(/[-_]/)[0]?.toLowerCase() ?? '';
  return (Object.hasOwn(BY_LANGUAGE, language) && BY_LANGUAGE[language]) || ENGLISH;
}
