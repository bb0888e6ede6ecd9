import { type ProtectedResourceMetadata, ProtectedResourceMetadataSchema } from '../common/protected-resource.js';
import { object, optional } from '../common/schema.js';
import { Type } from '../common/type.js';
import { type ResourceRequestParams, ResourceRequestParamsSchema } from './resources.js';

export interface AuthRequiredErrorData {
  resources: ProtectedResourceMetadata[];
}

export const AuthRequiredErrorDataSchema = object<AuthRequiredErrorData>('AuthRequiredErrorData', {
  resources: Type.Array(ProtectedResourceMetadataSchema),
});

export interface PermissionDeniedErrorData {
  request?: ResourceRequestParams | undefined;
}

export const PermissionDeniedErrorDataSchema = object<PermissionDeniedErrorData>('PermissionDeniedErrorData', {
  request: optional(ResourceRequestParamsSchema),
});

export interface UnsupportedProtocolVersionErrorData {
  supportedVersions: string[];
}

export const UnsupportedProtocolVersionErrorDataSchema = object<UnsupportedProtocolVersionErrorData>(
  'UnsupportedProtocolVersionErrorData',
  {
    supportedVersions: Type.Array(Type.String()),
  },
);
