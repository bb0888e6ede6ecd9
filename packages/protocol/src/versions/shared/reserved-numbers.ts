import type { ChatState } from '../../channels/chat/state.js';
import type { SessionState } from '../../channels/session/state.js';
import type { StateAction } from '../../channels/state-action.js';

/**
 * How many serverSeq numbers an action takes: one for each action it becomes in the version that needs the most, so that
 * no two envelopes to one client share a number. The native envelope has the last of them. `before` is the state that the
 * action was applied to.
 */
export function reservedNumbers(action: StateAction, before: unknown): number {
  switch (action.type) {
    case 'changeset/contentChanged':
      return action.files.length + 3; // cleared, each file, operations, status
    case 'session/ready': // v1 forgets two flags, which are said again
    case 'session/defaultChatChanged': // 0.4: the model and the agent of the new one
    case 'chat/turnStarted': // 0.4: the model and the agent of the message
    case 'chat/truncated': // 0.4: those of the message that is the last now
      return 3;
    case 'chat/draftChanged': // 0.4: the model and the agent
    case 'chat/toolCallReady': // 0.5.2: a call that waits for approval is approved first
      return 2;
    case 'chat/turnResume': // 0.7: truncated, started, each part, usage
      return ((before as ChatState).turns.at(-1)?.responseParts.length ?? 0) + 3;
    case 'session/workingDirectoryReplaced': // 0.7: some are removed and set again
      return 2 * ((before as SessionState).workingDirectories?.length ?? 0) + 1;
    default:
      return 1;
  }
}
