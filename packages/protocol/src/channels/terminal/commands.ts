import type { Static } from 'typebox';
import { BaseParamsSchema } from '../../common/base-params.js';
import { named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';
import { TerminalClaimSchema } from './claim.js';

export const CreateTerminalParamsSchema = named(
  'CreateTerminalParams',
  Type.Object({
    ...BaseParamsSchema.properties,
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
    ...BaseParamsSchema.properties,
  }),
);
export type DisposeTerminalParams = Static<typeof DisposeTerminalParamsSchema>;
