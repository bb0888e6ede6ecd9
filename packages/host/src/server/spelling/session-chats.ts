import type { URI } from '@moorage/protocol';

/** A chat as VS Code names it by its session (V-12). */
export interface SessionChat {
  /** An id, `default` for the default chat, or `subagent` for that of a tool call. */
  readonly name: string;
  /** The session's URI, in the client's spelling. */
  readonly session: URI;
  readonly toolCallId?: string | undefined;
}

export function sessionChatUri({ name, session, toolCallId }: SessionChat): URI {
  const call = toolCallId === undefined ? '' : `/${encodeURIComponent(toolCallId)}`;
  return `ahp-chat://${name}/${Buffer.from(session).toString('base64url')}${call}`;
}

/** Takes such a URI apart; undefined for any other. */
export function parseSessionChatUri(uri: URI): SessionChat | undefined {
  const [, name, encoded, call] = /^ahp-chat:\/\/([^/?#\s]+)\/([\w-]+)(?:\/([^/?#\s]+))?$/.exec(uri) ?? [];
  if (name === undefined || encoded === undefined) return undefined;
  const session = Buffer.from(encoded, 'base64url').toString();
  try {
    return { name, session, ...(call !== undefined && { toolCallId: decodeURIComponent(call) }) };
  } catch {
    return undefined; // not escaped text
  }
}
