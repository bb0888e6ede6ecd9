import type { ActionEnvelope, AnnotationsState, ChatState } from '@moorage/protocol';
import { expect } from 'vitest';

/**
 * What the host told a client that it had accepted, kept apart from what the client makes of it: it also holds where so
 * much was missed that the client got everything anew.
 */
export class Ledger {
  readonly #turns = new Map<string, Set<string>>();
  readonly #notes = new Map<string, Map<string, string>>();

  see(envelopes: readonly ActionEnvelope[]): void {
    for (const { channel, action, rejectionReason } of envelopes) {
      if (rejectionReason) continue;
      if (action.type === 'chat/turnStarted') entry(this.#turns, channel, () => new Set()).add(action.turnId);
      if (action.type === 'annotations/set') {
        const { id, entries } = action.annotation;
        entry(this.#notes, channel, () => new Map()).set(id, entries[0]?.text ?? '');
      }
    }
  }

  /** Every turn and every comment is there. */
  check(uri: string, state: unknown): void {
    const turns = this.#turns.get(uri);
    if (turns) {
      const chat = state as ChatState;
      const there = new Set([...chat.turns.map(({ id }) => id), chat.activeTurn?.id]);
      expect(
        [...turns].filter((id) => !there.has(id)),
        `turns of ${uri} that are lost`,
      ).toEqual([]);
    }
    for (const [id, text] of this.#notes.get(uri) ?? []) {
      const note = (state as AnnotationsState).annotations.find((it) => it.id === id);
      expect(note?.entries[0]?.text, `${id} of ${uri}`).toBe(text);
    }
  }
}

function entry<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
