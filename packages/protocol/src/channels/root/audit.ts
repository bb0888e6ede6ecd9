import { object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';

/** Our extension: what people did and the host accepted, from the first to the last. For admins. */
export interface ListAuditParams {
  channel: 'ahp-root://';
  /** The `nextCursor` of an earlier answer. */
  cursor?: string | undefined;
  /** Epoch milliseconds: leaves out what was before. A page may then be empty and have a next one all the same. */
  since?: number | undefined;
}
export const ListAuditParamsSchema = object<ListAuditParams>('ListAuditParams', {
  channel: Type.Literal('ahp-root://'),
  cursor: optional(Type.String()),
  since: optional(Type.Integer()),
});

export interface AuditedAct {
  /** Epoch milliseconds. */
  at: number;
  /** `owner`, or the name of the person or link. */
  person: string;
  /** The client that sent it. */
  clientId: string;
  /** The name of the program, as the program itself states it. */
  program?: string | undefined;
  /** The channel that it was sent on. */
  channel: URI;
  /** The type of an action, or the method of a request. */
  what: string;
  /** Names of what it was about, such as `turnId` or `operationId`. */
  about?: Record<string, unknown> | undefined;
}
export const AuditedActSchema = object<AuditedAct>('AuditedAct', {
  at: Type.Integer(),
  person: Type.String(),
  clientId: Type.String(),
  program: optional(Type.String()),
  channel: URISchema,
  what: Type.String(),
  about: optional(Type.Record(Type.Unknown())),
});

export interface ListAuditResult {
  /** Oldest first. */
  items: AuditedAct[];
  /** False if an entry was changed or removed after it was written. */
  isIntact: boolean;
  /** Absent at the end. */
  nextCursor?: string | undefined;
}
export const ListAuditResultSchema = object<ListAuditResult>('ListAuditResult', {
  items: Type.Array(AuditedActSchema),
  isIntact: Type.Boolean(),
  nextCursor: optional(Type.String()),
});
