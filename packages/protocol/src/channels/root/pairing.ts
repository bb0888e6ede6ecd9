import { object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';

/** Our extension: a code with which another device gets the token once. */
export interface CreatePairingCodeParams {
  channel: 'ahp-root://';
}

export const CreatePairingCodeParamsSchema = object<CreatePairingCodeParams>('CreatePairingCodeParams', {
  channel: Type.Literal('ahp-root://'),
});

export interface CreatePairingCodeResult {
  /** What the other device enters. */
  code: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** Where another device finds the page; absent if it cannot reach the host. */
  page?: string | undefined;
}

export const CreatePairingCodeResultSchema = object<CreatePairingCodeResult>('CreatePairingCodeResult', {
  code: Type.String(),
  expiresAt: Type.Integer(),
  page: optional(Type.String()),
});
