import { type EnumValue, enumSchema, named, object, optional } from '../../common/schema.js';
import { type Static, Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';

/** Who holds a terminal: a client, or a chat of an agent's session. */
export const TerminalClaimKind = {
  Client: 'client',
  Session: 'session',
} as const;
export type TerminalClaimKind = EnumValue<typeof TerminalClaimKind>;
export const TerminalClaimKindSchema = enumSchema('TerminalClaimKind', TerminalClaimKind);

export interface TerminalClientClaim {
  kind: 'client';
  /** The client that may type. */
  clientId: string;
}

export const TerminalClientClaimSchema = object<TerminalClientClaim>('TerminalClientClaim', {
  kind: Type.Literal(TerminalClaimKind.Client),
  clientId: Type.String(),
});

export interface TerminalSessionClaim {
  kind: 'session';
  /** The session that it belongs to. */
  session: URI;
  /** The chat that it belongs to. */
  chat: URI;
  /** The turn that it is about. */
  turnId?: string | undefined;
  /** The tool call that it belongs to. */
  toolCallId?: string | undefined;
}

export const TerminalSessionClaimSchema = object<TerminalSessionClaim>('TerminalSessionClaim', {
  kind: Type.Literal(TerminalClaimKind.Session),
  session: URISchema,
  chat: URISchema,
  turnId: optional(Type.String()),
  toolCallId: optional(Type.String()),
});

export const TerminalClaimSchema = named(
  'TerminalClaim',
  Type.Union([TerminalClientClaimSchema, TerminalSessionClaimSchema]),
);
/** Who holds a terminal. */
export type TerminalClaim = Static<typeof TerminalClaimSchema>;
