import { type ProtectedResourceMetadata, ProtectedResourceMetadataSchema } from '../common/protected-resource.js';
import { object, optional } from '../common/schema.js';
import { Type } from '../common/type.js';
import { type ResourceRequestParams, ResourceRequestParamsSchema } from './resources.js';

export interface AuthRequiredErrorData {
  /** What tokens are needed for. */
  resources: ProtectedResourceMetadata[];
}

export const AuthRequiredErrorDataSchema = object<AuthRequiredErrorData>('AuthRequiredErrorData', {
  resources: Type.Array(ProtectedResourceMetadataSchema),
});

export interface PermissionDeniedErrorData {
  /** What to ask for with `resourceRequest`, if that may help. */
  request?: ResourceRequestParams | undefined;
}

export const PermissionDeniedErrorDataSchema = object<PermissionDeniedErrorData>('PermissionDeniedErrorData', {
  request: optional(ResourceRequestParamsSchema),
});

export interface UnsupportedProtocolVersionErrorData {
  /** The versions that the host speaks. */
  supportedVersions: string[];
}

export const UnsupportedProtocolVersionErrorDataSchema = object<UnsupportedProtocolVersionErrorData>(
  'UnsupportedProtocolVersionErrorData',
  {
    supportedVersions: Type.Array(Type.String()),
  },
);
