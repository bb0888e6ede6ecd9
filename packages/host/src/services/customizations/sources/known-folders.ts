import type { ChildCustomizationType } from '@moorage/protocol';
import { findFiles, findHookFiles, findHooks, findMarkdown, findSkills, type SourceFolder } from '../find-children.js';
import type { Finding } from '../finding.js';
import { agentOf, type Build, claudeRuleOf, instructionsOf, promptOf, ruleOf } from '../parse/children.js';

/** A folder in which tools keep customizations of one kind, below a workspace or the user's home. */
export interface KnownFolder {
  readonly path: string;
  readonly name: string;
  readonly contents: ChildCustomizationType;
  /** Shown even before it exists, so that clients can save into it. */
  readonly isOffered?: boolean;
  /** Whether clients may save into it, if they may write there at all. */
  readonly isWritable: boolean;
  /** If set, only these files in the folder count. */
  readonly files?: readonly string[];
  /** Adds what is there to `into`; returns whether the folder exists. */
  find(place: SourceFolder, into: Finding): Promise<boolean>;
}

/** The known folders of a workspace. */
export const WORKSPACE_FOLDERS: readonly KnownFolder[] = [
  {
    ...instructions('', 'Instructions', [
      'AGENTS.md',
      'CLAUDE.md',
      'GEMINI.md',
      '.github/copilot-instructions.md',
      '.claude/CLAUDE.md',
    ]),
    isOffered: true,
  },
  { ...rules('.github/instructions', ['.instructions.md']), isOffered: true },
  rules('.cursor/rules', ['.mdc', '.md']),
  rules('.claude/rules', ['.md'], claudeRuleOf),
  { ...skills('.agents/skills'), isOffered: true },
  skills('.claude/skills'),
  skills('.github/skills'),
  { ...prompts('.github/prompts', ['.prompt.md']), isOffered: true },
  prompts('.claude/commands', ['.md']),
  { ...agents('.github/agents', ['.agent.md', '.md']), isOffered: true },
  agents('.claude/agents', ['.md']),
  hooks('.claude', ['settings.json', 'settings.local.json']),
  {
    path: '.github/hooks',
    name: '.github/hooks',
    contents: 'hook',
    isWritable: true,
    find: findHookFiles,
  },
];

/** The known folders of the user's home. */
export const USER_FOLDERS: readonly KnownFolder[] = [
  instructions('.claude', '~/.claude', ['CLAUDE.md']),
  instructions('.codex', '~/.codex', ['AGENTS.md']),
  instructions('.gemini', '~/.gemini', ['GEMINI.md']),
  instructions('.agents', '~/.agents', ['AGENTS.md']),
  instructions('.copilot', '~/.copilot', ['copilot-instructions.md']),
  rules('.claude/rules', ['.md'], claudeRuleOf),
  skills('.agents/skills'),
  skills('.claude/skills'),
  skills('.copilot/skills'),
  prompts('.claude/commands', ['.md']),
  prompts('.codex/prompts', ['.md']),
  agents('.claude/agents', ['.md']),
  agents('.copilot/agents', ['.agent.md', '.md']),
  hooks('.claude', ['settings.json']),
].map((folder) => ({ ...folder, name: folder.name.startsWith('~') ? folder.name : `~/${folder.name}` }));

/** Searches a folder that an agent declares. */
export function findByType(contents: ChildCustomizationType, place: SourceFolder, into: Finding): Promise<boolean> {
  switch (contents) {
    case 'rule':
      return findMarkdown(place, ['.instructions.md', '.mdc', '.md'], ruleOf, into);
    case 'skill':
      return findSkills(place, into);
    case 'prompt':
      return findMarkdown(place, ['.prompt.md', '.md'], promptOf, into);
    case 'agent':
      return findMarkdown(place, ['.agent.md', '.md'], agentOf, into);
    case 'hook':
      return findHookFiles(place, into);
    case 'mcpServer':
      into.problem('MCP servers are not looked for in folders');
      return Promise.resolve(true);
  }
}

function instructions(path: string, name: string, files: readonly string[]): KnownFolder {
  return {
    path,
    name,
    contents: 'rule',
    isWritable: false, // only these files count, and clients write them like any other file
    files,
    find: async (place, into) => {
      await findFiles(place, files, instructionsOf, into);
      return !into.isEmpty;
    },
  };
}

function hooks(path: string, files: readonly string[]): KnownFolder {
  return {
    path,
    name: `${path} settings`,
    contents: 'hook',
    isWritable: false,
    files,
    find: async (place, into) => {
      await findHooks(place, files, into);
      return !into.isEmpty; // settings without hooks are not shown
    },
  };
}

function rules(path: string, suffixes: readonly string[], build: Build = ruleOf): KnownFolder {
  return {
    path,
    name: path,
    contents: 'rule',
    isWritable: true,
    find: (place, into) => findMarkdown(place, suffixes, build, into),
  };
}

function skills(path: string): KnownFolder {
  return { path, name: path, contents: 'skill', isWritable: true, find: findSkills };
}

function prompts(path: string, suffixes: readonly string[]): KnownFolder {
  return {
    path,
    name: path,
    contents: 'prompt',
    isWritable: true,
    find: (place, into) => findMarkdown(place, suffixes, promptOf, into),
  };
}

function agents(path: string, suffixes: readonly string[]): KnownFolder {
  return {
    path,
    name: path,
    contents: 'agent',
    isWritable: true,
    find: (place, into) => findMarkdown(place, suffixes, agentOf, into),
  };
}
