import type { StateAction } from '../../channels/state-action.js';

/**
 * How many serverSeq numbers an action takes: one for each action it becomes in the version that needs the most, so that
 * no two envelopes to one client share a number. The native envelope has the last of them.
 */
export function reservedNumbers(action: StateAction): number {
  switch (action.type) {
    case 'changeset/contentChanged':
      return action.files.length + 3; // cleared, each file, operations, status
    case 'session/ready':
      return 3; // v1 forgets two flags, which are said again
    case 'session/chatUpdated': // model and agent of the chat that older versions show
    case 'session/activeClientChanged': // 0.5: one leaves, another comes
      return 2;
    default:
      return 1;
  }
}
