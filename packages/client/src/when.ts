import type { ChannelKind, ChannelStates } from '@moorage/protocol';
import { abortable } from './abort.js';
import type { Mirror } from './channels/mirror.js';
import { RequestError } from './errors.js';

/** Options of `when`. */
export interface WhenOptions {
  /** Stops the wait; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What a predicate returns while it is not satisfied. */
export type NotYet = undefined | null | false;

/**
 * Waits until the confirmed state of a channel satisfies a predicate, and resolves with what the predicate returned:
 * anything but undefined, null and false. Rejects with a `RequestError` when the mirror is gone before that.
 */
export function when<K extends ChannelKind, T>(
  mirror: Mirror<K>,
  predicate: (state: ChannelStates[K]) => T | NotYet,
  { signal }: WhenOptions = {},
): Promise<T> {
  let stop = () => {};
  const satisfied = new Promise<T>((resolve, reject) => {
    const check = () => {
      try {
        const result = predicate(mirror.confirmed);
        if (result !== undefined && result !== null && result !== false) resolve(result);
        else if (mirror.status === 'gone') reject(goneError(mirror.uri));
      } catch (error) {
        reject(error);
      }
    };
    stop = mirror.subscribe(check);
    check();
  });
  return abortable(satisfied, signal).finally(() => stop());
}

function goneError(uri: string): RequestError {
  return new RequestError('closed', 'when', `${uri} is gone: it was removed or released, or the client is closed`);
}
