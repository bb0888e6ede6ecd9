import { type BaseParams, BaseParamsSchema } from '../../common/base-params.js';
import { object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type TerminalClaim, TerminalClaimSchema } from './claim.js';

export interface CreateTerminalParams extends BaseParams {
  claim: TerminalClaim;
  name?: string | undefined;
  cwd?: URI | undefined;
  cols?: number | undefined;
  rows?: number | undefined;
}

export const CreateTerminalParamsSchema = object<CreateTerminalParams>('CreateTerminalParams', {
  ...BaseParamsSchema.properties,
  claim: TerminalClaimSchema,
  name: optional(Type.String()),
  cwd: optional(URISchema),
  cols: optional(Type.Integer()),
  rows: optional(Type.Integer()),
});

export interface DisposeTerminalParams extends BaseParams {}

export const DisposeTerminalParamsSchema = object<DisposeTerminalParams>('DisposeTerminalParams', {
  ...BaseParamsSchema.properties,
});
