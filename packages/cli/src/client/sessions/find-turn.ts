import type { ChatState } from '@moorage/protocol';
import { UsageError } from '../../usage-error.js';

/** A turn by its number (1 is the first, -1 the last) or the start of its id. */
export function findTurn({ turns, activeTurn }: ChatState, wanted: string): string {
  const ids = [...turns.map(({ id }) => id), ...(activeTurn ? [activeTurn.id] : [])];
  // A short number is never meant as the start of an id.
  const number = /^-?\d{1,4}$/.test(wanted) ? Number(wanted) : undefined;
  const byNumber = number ? ids.at(number < 0 ? number : number - 1) : undefined;
  const byId = number === undefined ? ids.filter((id) => id.startsWith(wanted)) : [];
  const found = byNumber === undefined ? byId : [byNumber];
  if (found.length === 1 && found[0] !== undefined) return found[0];
  if (found.length > 1) throw new UsageError(`several turns start with "${wanted}": type more of the id`);
  throw new UsageError(`there is no turn ${wanted}: the session has ${ids.length} (moorage log shows them)`);
}
