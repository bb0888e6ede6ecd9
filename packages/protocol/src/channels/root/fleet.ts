import type { Static } from 'typebox';
import { named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';

/** Our extensions, served by the gateway of a fleet at its root. All but the first are for admins. Times are epoch milliseconds. */
const ROOT = { channel: Type.Literal('ahp-root://') };

export const FleetHostSchema = named(
  'FleetHost',
  Type.Object({
    id: Type.String(),
    /** What the machine calls itself. */
    name: Type.String(),
    labels: Type.Array(Type.String()),
    state: Type.Enum(['here', 'away', 'revoked']),
    enrolledAt: Type.Integer(),
    /** When a gateway last noted that it was there. */
    seenAt: optional(Type.Integer()),
    /** The version of its program, while it is there. */
    version: optional(Type.String()),
  }),
);
export type FleetHost = Static<typeof FleetHostSchema>;

export const ListHostsParamsSchema = named('ListHostsParams', Type.Object(ROOT));
export const ListHostsResultSchema = named('ListHostsResult', Type.Object({ items: Type.Array(FleetHostSchema) }));

export const InviteHostParamsSchema = named(
  'InviteHostParams',
  Type.Object({
    ...ROOT,
    labels: Type.Array(Type.String()),
    /** Milliseconds for which the invitation is good. */
    validMs: optional(Type.Integer({ minimum: 1 })),
  }),
);
export const InviteHostResultSchema = named(
  'InviteHostResult',
  Type.Object({
    /** Shown by the new host when it joins. It works once. */
    token: Type.String(),
    expiresAt: Type.Integer(),
    /** The addresses of the bus that the host dials. */
    bus: Type.Array(Type.String()),
  }),
);

export const RevokeHostParamsSchema = named('RevokeHostParams', Type.Object({ ...ROOT, host: Type.String() }));

export const FleetTokenSchema = named('FleetToken', Type.Object({ name: Type.String(), isAdmin: Type.Boolean() }));

export const ListTokensParamsSchema = named('ListTokensParams', Type.Object(ROOT));
export const ListTokensResultSchema = named('ListTokensResult', Type.Object({ items: Type.Array(FleetTokenSchema) }));

export const AddTokenParamsSchema = named(
  'AddTokenParams',
  Type.Object({ ...ROOT, name: Type.String(), isAdmin: Type.Boolean() }),
);
export const AddTokenResultSchema = named('AddTokenResult', Type.Object({ token: Type.String() }));

export const RevokeTokenParamsSchema = named('RevokeTokenParams', Type.Object({ ...ROOT, name: Type.String() }));
