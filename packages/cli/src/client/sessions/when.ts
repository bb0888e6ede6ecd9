import type { Mirror } from '@moorage/client';
import type { ChannelKind, ChannelStates } from '@moorage/protocol';
import { CommandError } from '../errors.js';

/** Resolves with what `pick` returns for the state of a mirror, as soon as that is not undefined. */
export function when<K extends ChannelKind, T>(
  mirror: Mirror<K>,
  pick: (state: ChannelStates[K]) => T | undefined,
  signal?: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let stop = () => {};
    const check = () => {
      try {
        const found = pick(mirror.confirmed);
        if (found === undefined && mirror.status !== 'gone' && !signal?.aborted) return;
        stop();
        signal?.removeEventListener('abort', check);
        if (found !== undefined) resolve(found);
        else reject(new CommandError(signal?.aborted ? 'the host took too long to answer' : `${mirror.uri} is gone`));
      } catch (error) {
        stop();
        signal?.removeEventListener('abort', check);
        reject(error);
      }
    };
    stop = mirror.subscribe(check);
    signal?.addEventListener('abort', check);
    check();
  });
}
