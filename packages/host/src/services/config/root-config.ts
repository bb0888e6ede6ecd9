import type { RootConfigState, RootState } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import { configProblem } from '../../core/rules/config-values.js';
import type { Isolation, OnEnd } from './session-schema.js';

/** The host's own settings, which every client may change. */
export const ROOT_SCHEMA: RootConfigState['schema'] = {
  type: 'object',
  properties: {
    isolation: {
      type: 'string',
      title: 'Where new sessions work',
      description: 'In a git repository, unless the session chooses for itself.',
      enum: ['workspace', 'worktree'],
      enumLabels: ['In the folder', 'In a work tree of their own'],
      default: 'workspace',
    },
    worktreeOnEnd: {
      type: 'string',
      title: 'Work trees of ended sessions',
      description: 'Unless the session chooses for itself. A work tree is never removed if work would be lost.',
      enum: ['keep', 'remove-if-clean'],
      enumLabels: ['Keep', 'Remove if nothing is lost'],
      default: 'keep',
    },
    keepEndedSessionsDays: {
      type: 'string',
      title: 'Keep ended sessions',
      description: 'Days after which the data of an ended session is deleted for good.',
      enum: ['1', '7', '30', '90', '365'],
      enumLabels: ['1 day', '7 days', '30 days', '90 days', '1 year'],
      default: '30',
    },
    keepUndoDays: {
      type: 'string',
      title: 'Keep what can be undone',
      description: 'Days for which operations on changes can be undone, and what they removed can be read.',
      enum: ['1', '7', '30', '90', '365'],
      enumLabels: ['1 day', '7 days', '30 days', '90 days', '1 year'],
      default: '90',
    },
    keepUndoMegabytes: {
      type: 'string',
      title: 'Space for what can be undone',
      description: 'For each folder; beyond that, the oldest operations can no longer be undone.',
      enum: ['100', '500', '1000', '5000'],
      enumLabels: ['100 MB', '500 MB', '1 GB', '5 GB'],
      default: '1000',
    },
  },
};

/** The stored values that this version of the host still accepts. */
export function readRootValues(json: string | undefined): Record<string, unknown> {
  const stored = json === undefined ? {} : (JSON.parse(json) as Record<string, unknown>);
  const config = { schema: ROOT_SCHEMA, values: {} };
  const good = Object.entries(stored).filter(
    ([key, value]) => configProblem(config, { config: { [key]: value } }, () => true) === undefined,
  );
  return Object.fromEntries(good);
}

/** Typed access to the host's settings, with defaults. */
export class RootSettings {
  readonly #channel: Channel<'root'>;

  constructor(channel: Channel<'root'>) {
    this.#channel = channel;
  }

  get isolation(): Isolation {
    return this.#value('isolation') === 'worktree' ? 'worktree' : 'workspace';
  }

  get worktreeOnEnd(): OnEnd {
    return this.#value('worktreeOnEnd') === 'remove-if-clean' ? 'remove-if-clean' : 'keep';
  }

  get keepDisposedSessionsMs(): number {
    return Number(this.#value('keepEndedSessionsDays')) * DAY_MS;
  }

  get keepUndoMs(): number {
    return Number(this.#value('keepUndoDays')) * DAY_MS;
  }

  get keepUndoBytes(): number {
    return Number(this.#value('keepUndoMegabytes')) * MEGABYTE;
  }

  #value(key: string): unknown {
    const state: RootState = this.#channel.state;
    return state.config?.values[key] ?? ROOT_SCHEMA.properties[key]?.default;
  }
}

const DAY_MS = 24 * 3_600_000;
const MEGABYTE = 1_000_000;
