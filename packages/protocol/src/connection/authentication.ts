import type { Static } from 'typebox';
import { rootParamsMembers } from '../common/base-params.js';
import { ProtectedResourceMetadataSchema } from '../common/protected-resource.js';
import { type EnumValue, enumSchema, named, optional } from '../common/schema.js';
import { Type } from '../common/type.js';
import { URISchema } from '../common/uri.js';

/** Why a token is asked for. */
export const AuthRequiredReason = {
  Required: 'required',
  Expired: 'expired',
} as const;
export type AuthRequiredReason = EnumValue<typeof AuthRequiredReason>;
export const AuthRequiredReasonSchema = enumSchema('AuthRequiredReason', AuthRequiredReason);

export const AuthenticateParamsSchema = named(
  'AuthenticateParams',
  Type.Object({
    ...rootParamsMembers,
    resource: Type.String(),
    token: Type.String(),
    /** Seconds until the token expires. */
    expiresIn: optional(Type.Number()),
    /** The scopes that the token was granted. */
    scopes: optional(Type.Array(Type.String())),
  }),
);
export type AuthenticateParams = Static<typeof AuthenticateParamsSchema>;

export const AuthenticateResultSchema = named('AuthenticateResult', Type.Object({}));
export type AuthenticateResult = Static<typeof AuthenticateResultSchema>;

export const AuthRequiredParamsSchema = named(
  'AuthRequiredParams',
  Type.Object({
    channel: URISchema,
    resource: ProtectedResourceMetadataSchema,
    reason: optional(AuthRequiredReasonSchema),
  }),
);
export type AuthRequiredParams = Static<typeof AuthRequiredParamsSchema>;
