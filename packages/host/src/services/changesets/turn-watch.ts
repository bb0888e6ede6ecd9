import { type ActionOf, fileUriIn, type URI } from '@moorage/protocol';
import type { FileChange } from '../../ports/workspace.js';
import { decoded } from '../decoded.js';

/** Milliseconds after a tool call during which changes still count as its own: the system reports them with a delay. */
const GRACE_MS = 1_000;

/**
 * Decides which files a turn changed. A change counts as someone else's (the user's or another turn's) only if the file
 * is known to have changed while no tool call of the turn ran, and no tool call named it. In doubt it is the turn's.
 */
export class TurnWatch {
  readonly #folder: URI;
  readonly #now: () => number;
  readonly #running = new Set<string>();
  readonly #named = new Set<string>();
  readonly #whileBusy = new Set<string>();
  readonly #whileQuiet = new Set<string>();
  #busyUntil = 0;

  constructor(folder: URI, now: () => number) {
    this.#folder = fileUriIn(folder, '');
    this.#now = now;
  }

  /** Takes note of an action in the turn's chat: tool calls start, end, and name files. */
  observe(action: ActionOf<'chat'>): void {
    switch (action.type) {
      case 'chat/toolCallReady':
        if (action.confirmed) this.#running.add(action.toolCallId);
        else this.#stopped(action.toolCallId);
        return;
      case 'chat/toolCallConfirmed':
        if (action.approved) this.#running.add(action.toolCallId);
        return;
      case 'chat/toolCallContentChanged':
        this.#addNamed(action.content);
        return;
      case 'chat/toolCallComplete':
        this.#addNamed(action.result.content ?? []);
        this.#stopped(action.toolCallId);
        return;
      default:
        return;
    }
  }

  touched(paths: readonly string[]): void {
    const isBusy = this.#running.size > 0 || this.#now() < this.#busyUntil;
    const touched = isBusy ? this.#whileBusy : this.#whileQuiet;
    for (const path of paths) touched.add(path);
  }

  /** Whether a tool call of this turn may have made the change. */
  mayHaveMade({ before, after }: FileChange): boolean {
    const paths = [before?.path, after?.path].filter((path) => path !== undefined);
    if (paths.some((path) => this.#named.has(path) || this.#whileBusy.has(path))) return true;
    return !paths.some((path) => this.#whileQuiet.has(path));
  }

  /** Whether the change is known to have happened while a tool call of this turn ran. */
  touchedWhileBusy({ before, after }: FileChange): boolean {
    return [before?.path, after?.path].some((path) => path !== undefined && this.#whileBusy.has(path));
  }

  #stopped(toolCallId: string): void {
    if (this.#running.delete(toolCallId)) this.#busyUntil = this.#now() + GRACE_MS;
  }

  #addNamed(
    content: readonly { type: string; before?: { uri: URI } | undefined; after?: { uri: URI } | undefined }[],
  ): void {
    for (const { before, after } of content) {
      for (const uri of [before?.uri, after?.uri]) {
        if (uri?.startsWith(this.#folder)) this.#named.add(decoded(uri.slice(this.#folder.length)));
      }
    }
  }
}
