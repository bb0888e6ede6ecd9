import {
  type ChatOrigin,
  type ChatState,
  type ChatSummary,
  CREATED_AT,
  type CreateSessionParams,
  type Message,
  type ProjectInfo,
  type SessionConfigState,
  type SessionOrigin,
  type SessionState,
  SessionStatus,
  type Turn,
  type URI,
} from '@moorage/protocol';

/** The title until the first message, or until someone names the session. */
export const DEFAULT_TITLE = 'New session';

export interface NewSession {
  readonly params: CreateSessionParams;
  readonly provider: string;
  /** Its first chat, which is its default one; one that is recovered may have lost it. */
  readonly chat?: ChatSummary;
  readonly now: number;
  /** The folders the session works in. */
  readonly workingDirectories?: readonly URI[] | undefined;
  /** The folder the session was created for: the same, unless it has a work tree of its own. */
  readonly project?: ProjectInfo | undefined;
  readonly title?: string | undefined;
  /** What made it, if no user did. */
  readonly origin?: SessionOrigin | undefined;
  readonly config?: SessionConfigState | undefined;
  readonly meta?: SessionState['_meta'];
}

export function newSessionState(session: NewSession): SessionState {
  const {
    params,
    provider,
    chat,
    now,
    workingDirectories = [],
    project,
    title = DEFAULT_TITLE,
    origin,
    config,
    meta,
  } = session;
  const { activeClient } = params;
  return {
    provider,
    title,
    status: SessionStatus.Idle,
    ...(origin && { origin }),
    ...(workingDirectories.length > 0 && { workingDirectories: [...workingDirectories] }),
    ...(project && { project }),
    lifecycle: 'creating',
    activeClients: activeClient ? [activeClient] : [],
    chats: chat ? [chat] : [],
    ...(chat && { defaultChat: chat.resource }),
    ...(config && { config }),
    _meta: { ...meta, [CREATED_AT]: new Date(now).toISOString() },
  };
}

export interface NewChat {
  readonly resource: URI;
  readonly title: string;
  readonly origin: ChatOrigin;
  readonly now: number;
  readonly turns?: Turn[];
  readonly draft?: Message | undefined;
  readonly interactivity?: ChatState['interactivity'];
  /** Set if they differ from the session's. */
  readonly workingDirectories?: readonly URI[] | undefined;
}

export function newChatState(chat: NewChat): ChatState {
  const { resource, title, origin, now, turns = [], draft, interactivity, workingDirectories } = chat;
  return {
    resource,
    title,
    status: SessionStatus.Idle,
    modifiedAt: new Date(now).toISOString(),
    origin,
    turns,
    ...(draft && { draft }),
    ...(interactivity && { interactivity }),
    ...(workingDirectories && { workingDirectories: [...workingDirectories] }),
  };
}
