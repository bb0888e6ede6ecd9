import type { Static } from 'typebox';
import { type EnumValue, enumSchema, named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';

/** Who holds a terminal: a client, or a chat of an agent's session. */
export const TerminalClaimKind = {
  Client: 'client',
  Session: 'session',
} as const;
export type TerminalClaimKind = EnumValue<typeof TerminalClaimKind>;
export const TerminalClaimKindSchema = enumSchema('TerminalClaimKind', TerminalClaimKind);

export const TerminalClientClaimSchema = named(
  'TerminalClientClaim',
  Type.Object({
    kind: Type.Literal(TerminalClaimKind.Client),
    clientId: Type.String(),
  }),
);
export type TerminalClientClaim = Static<typeof TerminalClientClaimSchema>;

export const TerminalSessionClaimSchema = named(
  'TerminalSessionClaim',
  Type.Object({
    kind: Type.Literal(TerminalClaimKind.Session),
    session: URISchema,
    chat: URISchema,
    turnId: optional(Type.String()),
    toolCallId: optional(Type.String()),
  }),
);
export type TerminalSessionClaim = Static<typeof TerminalSessionClaimSchema>;

export const TerminalClaimSchema = named(
  'TerminalClaim',
  Type.Union([TerminalClientClaimSchema, TerminalSessionClaimSchema]),
);
/** Who holds a terminal. */
export type TerminalClaim = Static<typeof TerminalClaimSchema>;
