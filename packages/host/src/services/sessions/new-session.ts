import {
  type ChatOrigin,
  type ChatState,
  type CreateSessionParams,
  type SessionConfigSchema,
  type SessionState,
  SessionStatus,
  type Turn,
  type URI,
} from '@ahpd/protocol';
import { newSessionConfig } from './session-config.js';

/** Shown until the first message or somebody names the session. */
export const DEFAULT_TITLE = 'New session';

export interface NewSession {
  readonly params: CreateSessionParams;
  readonly provider: string;
  readonly now: number;
  /** The real folder and its name, when the session has one. */
  readonly folder?: { readonly uri: URI; readonly name: string } | undefined;
  readonly title?: string | undefined;
  /** What the agent lets users set. */
  readonly agentConfig?: SessionConfigSchema['properties'] | undefined;
}

export function newSessionState(session: NewSession): SessionState {
  const { params, provider, now, folder, title = DEFAULT_TITLE, agentConfig } = session;
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
      ...(folder && { workingDirectory: folder.uri, project: { uri: folder.uri, displayName: folder.name } }),
    },
    lifecycle: 'creating',
    chats: [],
    ...(folder && { config: newSessionConfig(params, agentConfig) }),
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
  };
}
