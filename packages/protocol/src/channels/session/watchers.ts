import { object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';

/** Our extension: who follows a session now. */
export interface ListWatchersParams {
  /** The URI of the session. */
  channel: URI;
}
export const ListWatchersParamsSchema = object<ListWatchersParams>('ListWatchersParams', { channel: URISchema });

export interface Watcher {
  /** The client that follows. */
  clientId: string;
  /** The name of the person; absent for the owner. */
  name?: string | undefined;
  /** The name of the program, as the program itself states it. */
  program?: string | undefined;
}
export const WatcherSchema = object<Watcher>('Watcher', {
  clientId: Type.String(),
  name: optional(Type.String()),
  program: optional(Type.String()),
});

export interface ListWatchersResult {
  /** Each client once. */
  items: Watcher[];
}
export const ListWatchersResultSchema = object<ListWatchersResult>('ListWatchersResult', {
  items: Type.Array(WatcherSchema),
});
