import type { SessionConfigSchema } from '@moorage/protocol';
import type { SandboxFacts } from './sandbox-setting.js';
import type { Texts } from './texts.js';

type Properties = SessionConfigSchema['properties'];
export type Isolation = 'workspace' | 'worktree';
export type OnEnd = 'keep' | 'remove-if-clean';

/** What determines the settings of a session. */
export interface SchemaFacts {
  readonly texts: Texts;
  /** The agent's own settings. */
  readonly ofAgent?: Properties | undefined;
  /** Undefined without a folder, or when it is not in a git repository. */
  readonly git?: GitFacts | undefined;
  /** Undefined if this host confines no programs. */
  readonly sandbox?: SandboxFacts | undefined;
}

export interface GitFacts {
  /** Undefined if this host does not make work trees. */
  readonly isolation?: Isolation | undefined;
  /** Whether a work tree can be made. */
  readonly offersWorktree: boolean;
  readonly onEnd: OnEnd;
  /** A few branches to offer first. */
  readonly branches?: readonly string[] | undefined;
  readonly branch?: string | undefined;
}

/** The settings of a session. The host's own come last, so that no agent can redefine what a work tree is. */
export function sessionSchema({ texts, ofAgent = {}, git, sandbox }: SchemaFacts): SessionConfigSchema {
  const budget = { type: 'number', ...texts.budget, sessionMutable: true } as const;
  const own = { ...(git && gitProperties(git, texts)), ...(sandbox && sandboxProperty(sandbox, texts)), budget };
  return { type: 'object', properties: { ...ofAgent, ...own } };
}

/** Cannot be changed later: what was started in a sandbox would go on there, and the other way round. */
function sandboxProperty({ mode, offered }: SandboxFacts, { sandbox, sandboxModes }: Texts): Properties {
  const modes = offered.map((name) => sandboxModes[name]);
  return {
    sandbox: {
      type: 'string',
      ...sandbox,
      enum: [...offered],
      enumLabels: modes.map(({ title }) => title),
      enumDescriptions: modes.map(({ description }) => description),
      default: mode,
    },
  };
}

function gitProperties({ isolation, offersWorktree, onEnd, branches, branch }: GitFacts, texts: Texts): Properties {
  const places = offersWorktree ? [texts.workspace, texts.worktree] : [texts.workspace];
  const ends = [texts.keep, texts.removeIfClean];
  return {
    ...(isolation && {
      isolation: {
        type: 'string',
        ...texts.isolation,
        enum: offersWorktree ? ['workspace', 'worktree'] : ['workspace'],
        enumLabels: places.map(({ title }) => title),
        enumDescriptions: places.map(({ description }) => description),
        default: isolation,
      },
    }),
    baseBranch: {
      type: 'string',
      ...texts.baseBranch,
      enumDynamic: true,
      sessionMutable: true,
      ...(branches && branches.length > 0 && { enum: [...branches] }),
      // In the folder itself, comparing with the upstream or default branch is more useful than with the current one.
      ...(isolation === 'worktree' && branch !== undefined && { default: branch }),
    },
    ...(isolation === 'worktree' && {
      branchName: { type: 'string', ...texts.branchName },
      worktreeOnEnd: {
        type: 'string',
        ...texts.worktreeOnEnd,
        enum: ['keep', 'remove-if-clean'],
        enumLabels: ends.map(({ title }) => title),
        enumDescriptions: ends.map(({ description }) => description),
        default: onEnd,
        sessionMutable: true,
      },
    }),
  };
}

/** The given values that this schema has; a client may have collected others for another folder or agent. */
export function knownValues(
  { properties }: SessionConfigSchema,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([key]) => Object.hasOwn(properties, key)));
}

export function withDefaults(
  { properties }: SessionConfigSchema,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const defaults = Object.entries(properties).flatMap(([key, property]) =>
    property.default === undefined ? [] : [[key, property.default] as const],
  );
  return { ...Object.fromEntries(defaults), ...values };
}
