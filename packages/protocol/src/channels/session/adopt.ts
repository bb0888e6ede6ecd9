import { object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';

/** Our extension: the sessions that an agent had in a folder without this host. */
export interface ListEarlierSessionsParams {
  channel: 'ahp-root://';
  /** The id of the agent, as in `AgentInfo.provider`. */
  provider: string;
  /** The folder in which it worked. */
  workingDirectory: URI;
}

export const ListEarlierSessionsParamsSchema = object<ListEarlierSessionsParams>('ListEarlierSessionsParams', {
  channel: Type.Literal('ahp-root://'),
  provider: Type.String(),
  workingDirectory: URISchema,
});

export interface EarlierSession {
  /** The agent's own id. */
  id: string;
  /** What the agent calls it. */
  title?: string | undefined;
  /** ISO time. */
  updatedAt?: string | undefined;
}

export const EarlierSessionSchema = object<EarlierSession>('EarlierSession', {
  id: Type.String(),
  title: optional(Type.String()),
  updatedAt: optional(Type.String()),
});

export interface ListEarlierSessionsResult {
  /** Its sessions, newest first. */
  items: EarlierSession[];
}

export const ListEarlierSessionsResultSchema = object<ListEarlierSessionsResult>('ListEarlierSessionsResult', {
  items: Type.Array(EarlierSessionSchema),
});

export interface AdoptSessionParams {
  /** The session that continues it, which must not exist yet. */
  channel: URI;
  /** The id of the agent, as in `AgentInfo.provider`. */
  provider: string;
  /** The folder in which it worked. */
  workingDirectory: URI;
  /** The agent's own id of the session. */
  id: string;
}

export const AdoptSessionParamsSchema = object<AdoptSessionParams>('AdoptSessionParams', {
  channel: URISchema,
  provider: Type.String(),
  workingDirectory: URISchema,
  id: Type.String(),
});
