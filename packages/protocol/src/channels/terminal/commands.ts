import Type, { type Static } from 'typebox';
import { named, optional } from '../../common/schema.js';
import { URISchema } from '../../common/uri.js';
import { TerminalClaimSchema } from './claim.js';

export const CreateTerminalParamsSchema = named(
  'CreateTerminalParams',
  Type.Object({
    channel: URISchema,
    claim: TerminalClaimSchema,
    name: optional(Type.String()),
    cwd: optional(URISchema),
    cols: optional(Type.Integer()),
    rows: optional(Type.Integer()),
  }),
);
export type CreateTerminalParams = Static<typeof CreateTerminalParamsSchema>;

export const DisposeTerminalParamsSchema = named(
  'DisposeTerminalParams',
  Type.Object({
    channel: URISchema,
  }),
);
export type DisposeTerminalParams = Static<typeof DisposeTerminalParamsSchema>;
