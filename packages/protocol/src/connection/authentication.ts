import { rootParamsMembers } from '../common/base-params.js';
import { type ProtectedResourceMetadata, ProtectedResourceMetadataSchema } from '../common/protected-resource.js';
import { type EnumValue, enumSchema, object, optional } from '../common/schema.js';
import { type AnyObject, Type } from '../common/type.js';
import { type URI, URISchema } from '../common/uri.js';

/** Why a token is asked for. */
export const AuthRequiredReason = {
  Required: 'required',
  Expired: 'expired',
} as const;
export type AuthRequiredReason = EnumValue<typeof AuthRequiredReason>;
export const AuthRequiredReasonSchema = enumSchema('AuthRequiredReason', AuthRequiredReason);

export interface AuthenticateParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** What the token is for. */
  resource: string;
  /** The token. The host keeps it in memory only. */
  token: string;
  /** Seconds until the token expires. */
  expiresIn?: number | undefined;
  /** The scopes that the token was granted. */
  scopes?: string[] | undefined;
}

export const AuthenticateParamsSchema = object<AuthenticateParams>('AuthenticateParams', {
  ...rootParamsMembers,
  resource: Type.String(),
  token: Type.String(),
  expiresIn: optional(Type.Number()),
  scopes: optional(Type.Array(Type.String())),
});

export type AuthenticateResult = AnyObject;

export const AuthenticateResultSchema = object<AuthenticateResult>('AuthenticateResult', {});

export interface AuthRequiredParams {
  /** The channel that it is about. */
  channel: URI;
  /** What a token is needed for. */
  resource: ProtectedResourceMetadata;
  /** Why now. */
  reason?: AuthRequiredReason | undefined;
}

export const AuthRequiredParamsSchema = object<AuthRequiredParams>('AuthRequiredParams', {
  channel: URISchema,
  resource: ProtectedResourceMetadataSchema,
  reason: optional(AuthRequiredReasonSchema),
});
