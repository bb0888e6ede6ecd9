import { CreateResourceWatchParamsSchema } from './channels/resource-watch/commands.js';
import {
  ResourceCopyParamsSchema,
  ResourceDeleteParamsSchema,
  ResourceListParamsSchema,
  ResourceMkdirParamsSchema,
  ResourceMoveParamsSchema,
  ResourceReadParamsSchema,
  ResourceRequestParamsSchema,
  ResourceResolveParamsSchema,
  ResourceWriteParamsSchema,
} from './connection/resources.js';
import { type RequestRow, request } from './message-rows.js';
import { requestResults } from './request-results.js';

/** The requests that travel either way: both peers may ask for resources. */
export const resourceRequests = {
  createResourceWatch: request('both', 'root', CreateResourceWatchParamsSchema, requestResults.createResourceWatch),
  resourceRead: request('both', 'root', ResourceReadParamsSchema, requestResults.resourceRead),
  resourceWrite: request('both', 'root', ResourceWriteParamsSchema, requestResults.resourceWrite),
  resourceList: request('both', 'root', ResourceListParamsSchema, requestResults.resourceList),
  resourceCopy: request('both', 'root', ResourceCopyParamsSchema, requestResults.resourceCopy),
  resourceDelete: request('both', 'root', ResourceDeleteParamsSchema, requestResults.resourceDelete),
  resourceMove: request('both', 'root', ResourceMoveParamsSchema, requestResults.resourceMove),
  resourceResolve: request('both', 'root', ResourceResolveParamsSchema, requestResults.resourceResolve),
  resourceMkdir: request('both', 'root', ResourceMkdirParamsSchema, requestResults.resourceMkdir),
  resourceRequest: request('both', 'root', ResourceRequestParamsSchema, requestResults.resourceRequest),
};

const rows: ReadonlyMap<string, RequestRow> = new Map(Object.entries(resourceRequests));

/** The row of a request that a host may make of a client, if there is such a method. */
export function resourceRequestRow(method: string): RequestRow | undefined {
  return rows.get(method);
}
