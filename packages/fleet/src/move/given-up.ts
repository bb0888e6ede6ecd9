import { type Host, type Log, type Store, storedState } from '@moorage/host';
import { annotationsUri, type SessionState, type URI } from '@moorage/protocol';
import type { AskGateway } from './ask-gateway.js';
import type { LostSession } from './messages.js';
import type { TakenFile } from './taken-file.js';

export interface GivingUpOptions {
  /** What the fleet calls this host. */
  readonly name: string;
  readonly ask: AskGateway;
  readonly store: Store;
  readonly moved: Pick<Host['moved'], 'giveUp'>;
  readonly taken: TakenFile;
  readonly log: Log;
}

/** Sessions that another host has taken, each with the last number of it that this host had. */
export type FoundLost = ReadonlyMap<URI, { readonly upTo: number; readonly here: number }>;

/** Call this before the host settles what was under way: that would look as if it had gone on. */
export async function findLost(ask: AskGateway, store: Store): Promise<FoundLost> {
  const lost = (await ask.ask({ ask: 'lost' })).head.sessions as readonly LostSession[];
  return new Map(lost.map(({ session, upTo }) => [session, { upTo, here: numberOf(store, session) }]));
}

/** Gives up sessions that others have taken. What this host did in them and the fleet does not have becomes a session of its own. */
export async function giveUp(options: GivingUpOptions, lost: FoundLost): Promise<void> {
  const { ask, store, moved, taken, log, name } = options;
  for (const [session, { upTo, here }] of lost) {
    const title = here > upTo ? `${titleOf(store, session)} (on ${name}, unsynced)` : undefined;
    await moved.giveUp(session, title);
    taken.set(session, undefined);
    await ask.ask({ ask: 'given-up', session });
    log.write('warn', 'fleet.session-given-up', 'another host has taken a session of this one', {
      session,
      keptAs: title ?? '',
    });
  }
}

function stateOf(store: Store, session: URI): SessionState | undefined {
  const stored = store.channels.read(session);
  return stored?.kind === 'session' ? (storedState(session, stored).state as SessionState) : undefined;
}

function titleOf(store: Store, session: URI): string {
  return stateOf(store, session)?.title ?? 'Session';
}

/** The last number of a session and its chats; 0 if it is not here. */
function numberOf(store: Store, session: URI): number {
  const state = stateOf(store, session);
  if (!state) return 0;
  const uris = [session, annotationsUri(session), ...state.chats.map(({ resource }) => resource)];
  return Math.max(
    0,
    ...uris.map((uri) => {
      const stored = store.channels.read(uri);
      return stored ? storedState(uri, stored).seq : 0;
    }),
  );
}
