import { parseChangesetUri } from '@ahpd/protocol';

/** Which turn left the newer side of a changeset as it is shown; undefined when that is the folder as it is now. */
export function shownTurn(uri: string, lastTurn: string | undefined): string | undefined {
  const selector = parseChangesetUri(uri)?.selector;
  switch (selector?.kind) {
    case 'turn':
      return selector.turnId;
    case 'compare-turns':
      return selector.modifiedTurnId;
    case 'session':
      return lastTurn;
    default:
      return undefined;
  }
}
