import {
  type ChatOrigin,
  type ChatState,
  type CreateSessionParams,
  type ProjectInfo,
  type SessionConfigState,
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
  readonly now: number;
  /** The folder the session works in. */
  readonly workingDirectory?: URI | undefined;
  /** The folder the session was created for: the same, unless it has a work tree of its own. */
  readonly project?: ProjectInfo | undefined;
  readonly title?: string | undefined;
  readonly config?: SessionConfigState | undefined;
  readonly meta?: SessionState['_meta'];
}

export function newSessionState(session: NewSession): SessionState {
  const { params, provider, now, workingDirectory, project, title = DEFAULT_TITLE, config, meta } = session;
  const { channel: resource, model, agent, activeClient } = params;
  return {
    summary: {
      resource,
      provider,
      title,
      status: SessionStatus.Idle,
      createdAt: now,
      modifiedAt: now,
      ...(model && { model }),
      ...(agent && { agent }),
      ...(workingDirectory !== undefined && { workingDirectory }),
      ...(project && { project }),
    },
    lifecycle: 'creating',
    chats: [],
    ...(config && { config }),
    ...(meta && { _meta: meta }),
    ...(activeClient && { activeClient }),
  };
}

export interface NewChat {
  readonly resource: URI;
  readonly title: string;
  readonly origin: ChatOrigin;
  readonly now: number;
  readonly turns?: Turn[];
  readonly model?: ChatState['model'];
  readonly agent?: ChatState['agent'];
  readonly interactivity?: ChatState['interactivity'];
  /** Set if it differs from the session's. */
  readonly workingDirectory?: ChatState['workingDirectory'];
}

export function newChatState({
  resource,
  title,
  origin,
  now,
  turns = [],
  model,
  agent,
  interactivity,
  workingDirectory,
}: NewChat): ChatState {
  return {
    resource,
    title,
    status: SessionStatus.Idle,
    modifiedAt: new Date(now).toISOString(),
    origin,
    turns,
    ...(model && { model }),
    ...(agent && { agent }),
    ...(interactivity && { interactivity }),
    ...(workingDirectory !== undefined && { workingDirectory }),
  };
}
