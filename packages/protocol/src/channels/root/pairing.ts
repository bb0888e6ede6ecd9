import type { Static } from 'typebox';
import { named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';

/** Our extension: a code with which another device gets the token once. */
export const CreatePairingCodeParamsSchema = named(
  'CreatePairingCodeParams',
  Type.Object({ channel: Type.Literal('ahp-root://') }),
);
export type CreatePairingCodeParams = Static<typeof CreatePairingCodeParamsSchema>;

export const CreatePairingCodeResultSchema = named(
  'CreatePairingCodeResult',
  Type.Object({
    code: Type.String(),
    /** Milliseconds since the epoch. */
    expiresAt: Type.Integer(),
    /** Where another device finds the page; absent if it cannot reach the host. */
    page: optional(Type.String()),
  }),
);
export type CreatePairingCodeResult = Static<typeof CreatePairingCodeResultSchema>;
