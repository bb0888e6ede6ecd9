import type { Client, Mirror } from '@moorage/client';
import type { ChangesetState } from '@moorage/protocol';
import { CommandError } from '../errors.js';
import { withProgress } from '../output/progress.js';
import { when } from '../sessions/when.js';

/** A large repository takes time; if it takes longer than this, something is wrong. */
const READY_WITHIN_MS = 120_000;

/** Subscribes to a changeset and waits until all of it has been computed. */
export async function openChangeset(
  client: Client,
  uri: string,
  withinMs = READY_WITHIN_MS,
): Promise<Mirror<'changeset'>> {
  const opening = async () => {
    const mirror = await client.changeset(uri);
    await settled(mirror, AbortSignal.timeout(withinMs));
    return mirror;
  };
  return withProgress('computing changes', opening());
}

/** Resolves with a state that is ready; rejects with the host's reason when it cannot be computed. */
function settled(mirror: Mirror<'changeset'>, signal: AbortSignal): Promise<ChangesetState> {
  return when(
    mirror,
    (state) => {
      if (state.status === 'error') throw new CommandError(`cannot compute the changes: ${state.error?.message ?? ''}`);
      return state.status === 'ready' ? state : undefined;
    },
    signal,
  );
}
