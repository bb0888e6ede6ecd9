import type { Snapshot, Turn } from '@ahpd/protocol';

/** The JSON text of a snapshot. A finished turn never changes, so it is written once, however many clients ask. */
export function snapshotText({ resource, state, fromSeq }: Snapshot): string {
  return `{"resource":${JSON.stringify(resource)},"state":${stateText(state)},"fromSeq":${fromSeq}}`;
}

function stateText(state: Snapshot['state']): string {
  if (!('turns' in state)) return JSON.stringify(state);
  const { turns, ...others } = state;
  let text = `${JSON.stringify(others).slice(0, -1)},"turns":[`;
  // One by one and not by `join`: the pieces are then copied once only, when the whole message is turned into bytes.
  for (const [index, turn] of turns.entries()) text += index === 0 ? turnText(turn) : `,${turnText(turn)}`;
  return `${text}]}`;
}

/** Goes with the turns: a chat that leaves memory takes its texts along. */
const texts = new WeakMap<Turn, string>();

function turnText(turn: Turn): string {
  const known = texts.get(turn);
  if (known !== undefined) return known;
  const text = JSON.stringify(turn);
  texts.set(turn, text);
  return text;
}
