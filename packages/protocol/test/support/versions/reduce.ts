import { type ChannelKind, reduce } from '../../../src/index.js';
import type { DialectName } from '../../../src/versions/index.js';
import { reduceMergedSession } from './before-chats.js';
import { reduceAnnotations, reduceChangeset, reduceRoot, reduceTerminal } from './channels.js';
import { reduceChat } from './chat.js';
import { CHAT_VERSIONS, type ChatVersion, rulesOf } from './rules.js';
import { reduceSession } from './session.js';
import type { Wire } from './wire.js';

/**
 * What clients of a version with chats do with an action of it. These reducers know nothing of the translators, nor of the
 * native ones: states and actions are those of the version.
 */
export function reduceIn(version: ChatVersion, kind: ChannelKind, state: Wire, action: Wire, now = 0): Wire {
  const rules = rulesOf(version);
  switch (kind) {
    case 'root':
      return reduceRoot(state, action);
    case 'session':
      return reduceSession(rules, state, action, now);
    case 'chat':
      return reduceChat(rules, state, action, now);
    case 'terminal':
      return reduceTerminal(rules, state, action);
    case 'changeset':
      return reduceChangeset(rules, state, action);
    case 'annotations':
      return reduceAnnotations(rules, state, action);
    case 'resourceWatch':
      return state;
    case 'automation':
    case 'automationRun':
      // The two versions that have them differ in members only.
      return reduce(kind, state as never, action as never, { now: () => now }) as unknown as Wire;
  }
}

/** The same for any version. */
export function reduceLegacy(dialect: DialectName, kind: ChannelKind, state: Wire, action: Wire): Wire {
  if (dialect === '1.0') return reduce(kind, state as never, action as never, { now: () => 0 }) as unknown as Wire;
  const version = CHAT_VERSIONS.find((each) => each === dialect);
  if (version) return reduceIn(version, kind, state, action);
  return kind === 'session' ? reduceMergedSession(dialect, state, action) : reduceIn('0.4', kind, state, action);
}
