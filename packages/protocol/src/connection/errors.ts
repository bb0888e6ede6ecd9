import type { EnumValue } from '../common/schema.js';
import type { JsonRpcErrorCodes } from '../rpc/errors.js';
import type {
  AuthRequiredErrorData,
  PermissionDeniedErrorData,
  UnsupportedProtocolVersionErrorData,
} from './error-data.js';

export type JsonRpcErrorCode = EnumValue<typeof JsonRpcErrorCodes>;

/** The error codes that the protocol adds to those of JSON-RPC. -32006 is not one any more: missing content is NotFound. */
export const AhpErrorCodes = {
  SessionNotFound: -32001,
  ProviderNotFound: -32002,
  SessionAlreadyExists: -32003,
  TurnInProgress: -32004,
  UnsupportedProtocolVersion: -32005,
  AuthRequired: -32007,
  NotFound: -32008,
  PermissionDenied: -32009,
  AlreadyExists: -32010,
  Conflict: -32011,
} as const;
export type AhpErrorCode = EnumValue<typeof AhpErrorCodes>;

/** The codes whose `data` the protocol defines; of the others it is unspecified (B-330). */
export interface AhpErrorDetailsMap {
  [AhpErrorCodes.AuthRequired]: AuthRequiredErrorData;
  [AhpErrorCodes.PermissionDenied]: PermissionDeniedErrorData;
  [AhpErrorCodes.UnsupportedProtocolVersion]: UnsupportedProtocolVersionErrorData;
}
/** The codes that come with `data`. */
export type AhpErrorCodeWithData = keyof AhpErrorDetailsMap;

/** The error member of a response: codes with defined data carry it, so a sender cannot forget it (OQ-97). */
export type AhpError =
  | { [C in AhpErrorCodeWithData]: { code: C; message: string; data: AhpErrorDetailsMap[C] } }[AhpErrorCodeWithData]
  | { code: Exclude<AhpErrorCode, AhpErrorCodeWithData> | JsonRpcErrorCode; message: string; data?: unknown };
