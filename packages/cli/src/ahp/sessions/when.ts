import type { Mirror } from '@ahpd/client';
import type { ChannelKind, ChannelStates } from '@ahpd/protocol';
import { CommandError } from '../errors.js';

/** Resolves with what `pick` finds in a mirror, as soon as it finds something. */
export function when<K extends ChannelKind, T>(
  mirror: Mirror<K>,
  pick: (state: ChannelStates[K]) => T | undefined,
  signal?: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let stop = () => {};
    const look = () => {
      try {
        const found = pick(mirror.confirmed);
        if (found === undefined && mirror.status !== 'gone' && !signal?.aborted) return;
        stop();
        signal?.removeEventListener('abort', look);
        if (found !== undefined) resolve(found);
        else reject(new CommandError(signal?.aborted ? 'it took too long' : `${mirror.uri} is gone`));
      } catch (error) {
        stop();
        reject(error);
      }
    };
    stop = mirror.subscribe(look);
    signal?.addEventListener('abort', look);
    look();
  });
}
