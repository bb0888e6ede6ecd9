import type { Snapshot, Turn } from '@moorage/protocol';
import { type Pause, SLICE_CHARS } from './parse-in-slices.js';

/** The JSON text of a snapshot. A finished turn never changes, so it is encoded once, however many clients ask. */
export function snapshotText({ resource, state, fromSeq }: Snapshot): string {
  return `{"resource":${JSON.stringify(resource)},"state":${stateText(state)},"fromSeq":${fromSeq}}`;
}

/** The JSON text of a channel's state. */
export function stateText(state: Snapshot['state']): string {
  if (!('turns' in state)) return JSON.stringify(state);
  const { turns, ...others } = state;
  let text = `${JSON.stringify(others).slice(0, -1)},"turns":[`;
  // `+=` builds a rope in V8, so the texts are copied only once, when the message is turned into bytes; `join` copies twice.
  for (const [index, turn] of turns.entries()) text += index === 0 ? turnText(turn) : `,${turnText(turn)}`;
  return `${text}]}`;
}

/** Encodes turns ahead of the first snapshot that shows them, with pauses. */
export async function prepareTurns(turns: readonly Turn[], pause: Pause): Promise<void> {
  let chars = 0;
  for (const turn of turns) {
    chars += turnText(turn).length;
    if (chars < SLICE_CHARS) continue;
    chars = 0;
    await pause();
  }
}

/** Weak, so that the texts are freed with the turns when a chat leaves memory. */
const texts = new WeakMap<Turn, string>();

function turnText(turn: Turn): string {
  const known = texts.get(turn);
  if (known !== undefined) return known;
  const text = JSON.stringify(turn);
  texts.set(turn, text);
  return text;
}
