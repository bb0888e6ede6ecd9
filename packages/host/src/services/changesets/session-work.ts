import type { URI } from '@moorage/protocol';
import { WorkspaceError } from '../../ports/workspace.js';
import type { HostContext } from '../context.js';
import { showInMeta } from './session-meta.js';

/** The work on changes that runs in the background, each piece for a session. */
export class SessionWork {
  readonly #context: HostContext;
  /** Work that has not finished, with the session it is for. */
  readonly #unfinished = new Map<Promise<void>, URI>();
  #isClosed = false;

  constructor(context: HostContext) {
    this.#context = context;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Does not throw: a folder that cannot be read must not stop an agent. The session shows what is wrong. */
  async run(session: URI, work: () => Promise<void>, level: 'warn' | 'debug' = 'warn'): Promise<void> {
    if (this.#isClosed) return;
    const unfinished = work().catch((error: unknown) => {
      // When the host stops, work is given up on purpose and done again after the restart.
      if (this.#isClosed) return;
      const { door, log } = this.#context;
      log.write(level, 'changeset.record-failed', 'recording the changes of a turn failed', { error: String(error) });
      const channel = door.channels.find('session', session);
      if (channel && error instanceof WorkspaceError)
        showInMeta(door, channel, `Changes of this session are not tracked: ${error.message}`, undefined);
    });
    this.#unfinished.set(unfinished, session);
    await unfinished;
    this.#unfinished.delete(unfinished);
  }

  isBusyFor(session: URI): boolean {
    return [...this.#unfinished.values()].includes(session);
  }

  /** Starts nothing more. */
  stop(): void {
    this.#isClosed = true;
  }

  async finished(): Promise<void> {
    await Promise.all(this.#unfinished.keys());
  }
}
