import type { ActionOf, ChatInputRequest } from '@moorage/protocol';

export interface Wanted {
  /** The real path, so that the user sees where a link leads. */
  readonly path: string;
  readonly read: boolean;
  readonly write: boolean;
}

export type AccessAnswer = 'once' | 'session' | 'always' | 'deny';

/** The question to the user. The id's prefix shows, even after a restart, that a client asked and not an agent. */
export function accessQuestion(id: string, clientName: string, wanted: Wanted): ChatInputRequest {
  const what = wanted.read && wanted.write ? 'read and change' : wanted.write ? 'change' : 'read';
  const message = `The client "${clientName}" wants to ${what} ${wanted.path}, which is outside the folders of this host.`;
  return {
    id: `${PREFIX}${id}`,
    message,
    questions: [
      {
        id: QUESTION,
        kind: 'single-select',
        title: 'Allow access?',
        message: `Allow it to ${what} ${wanted.path} and everything in it?`,
        required: true,
        options: [
          { id: 'once', label: 'Allow once' },
          { id: 'session', label: 'Allow in this session, until the client disconnects' },
          { id: 'always', label: 'Always allow for this client' },
          { id: 'deny', label: 'Deny', recommended: true },
        ],
      },
    ],
  };
}

export function isAccessRequest(requestId: string): boolean {
  return requestId.startsWith(PREFIX);
}

/** The user's choice; anything but a clear choice is a denial. */
export function answerOf(
  asked: ChatInputRequest,
  { response, answers }: Extract<ActionOf<'chat'>, { type: 'chat/inputCompleted' }>,
): AccessAnswer {
  if (response !== 'accept') return 'deny';
  const answer = { ...asked.answers, ...answers }[QUESTION];
  const chosen = answer?.state === 'submitted' && answer.value.kind === 'selected' ? answer.value.value : undefined;
  return chosen === 'once' || chosen === 'session' || chosen === 'always' ? chosen : 'deny';
}

const PREFIX = 'resource-access-';
const QUESTION = 'access';
