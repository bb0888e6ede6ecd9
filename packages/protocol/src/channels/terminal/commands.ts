import { type BaseParams, BaseParamsSchema } from '../../common/base-params.js';
import { object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type TerminalClaim, TerminalClaimSchema } from './claim.js';

export interface CreateTerminalParams extends BaseParams {
  /** Who may type. */
  claim: TerminalClaim;
  /** What it is called. */
  name?: string | undefined;
  /** The folder to begin in. */
  cwd?: URI | undefined;
  /** The width in characters. */
  cols?: number | undefined;
  /** The height in lines. */
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
