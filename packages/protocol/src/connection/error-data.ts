import type { Static } from 'typebox';
import { ProtectedResourceMetadataSchema } from '../common/protected-resource.js';
import { named, optional } from '../common/schema.js';
import { Type } from '../common/type.js';
import { ResourceRequestParamsSchema } from './resources.js';

export const AuthRequiredErrorDataSchema = named(
  'AuthRequiredErrorData',
  Type.Object({
    resources: Type.Array(ProtectedResourceMetadataSchema),
  }),
);
export type AuthRequiredErrorData = Static<typeof AuthRequiredErrorDataSchema>;

export const PermissionDeniedErrorDataSchema = named(
  'PermissionDeniedErrorData',
  Type.Object({
    request: optional(ResourceRequestParamsSchema),
  }),
);
export type PermissionDeniedErrorData = Static<typeof PermissionDeniedErrorDataSchema>;

export const UnsupportedProtocolVersionErrorDataSchema = named(
  'UnsupportedProtocolVersionErrorData',
  Type.Object({
    supportedVersions: Type.Array(Type.String()),
  }),
);
export type UnsupportedProtocolVersionErrorData = Static<typeof UnsupportedProtocolVersionErrorDataSchema>;
