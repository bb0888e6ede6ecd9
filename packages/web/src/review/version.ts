import { parseChangesetUri } from '@moorage/protocol';

/** The turn that the newer side of a changeset is the result of; undefined if that is the current folder. */
export function shownTurn(uri: string, lastTurn: string | undefined): string | undefined {
  const selector = parseChangesetUri(uri)?.selector;
  switch (selector?.kind) {
    case 'turn':
      return selector.turnId;
    case 'compare-turns':
      return selector.modifiedTurnId;
    case 'session':
    case 'chat':
      return lastTurn;
    default:
      return undefined;
  }
}
