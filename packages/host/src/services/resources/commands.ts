import type { ServerCommandMap, URI } from '@moorage/protocol';
import { invalidParams } from '../../core/errors.js';
import type { Handler, Handlers } from '../../core/handler.js';
import type { Clock } from '../../ports/clock.js';
import type { ContentSource } from '../content/content-source.js';
import { isFileUri } from './file-uri.js';
import { ReadGate } from './read-gate.js';
import type { ResourceService } from './resource-service.js';

/** The resource commands. The same requests serve content of the host, files, and resources of clients. */
export function resourceCommands(
  resources: ResourceService,
  sources: readonly ContentSource[],
  clock: Pick<Clock, 'defer'>,
) {
  const { files, clients } = resources;
  const gate = new ReadGate(clock);
  const contentOf = (uri: URI) => sources.find((source) => source.isContent(uri));

  const route = async <M extends keyof ServerCommandMap>(
    method: M,
    uri: URI,
    params: ServerCommandMap[M]['params'],
    ofFile: () => Promise<ServerCommandMap[M]['result']>,
  ): Promise<ServerCommandMap[M]['result']> => {
    if (isFileUri(uri)) return ofFile();
    if (contentOf(uri)) throw invalidParams('params/uri: this is content that the host keeps; it can only be read');
    return clients.ask(method, uri, params);
  };
  const routeBoth = async <M extends 'resourceCopy' | 'resourceMove'>(
    method: M,
    params: ServerCommandMap[M]['params'],
    ofFile: () => Promise<ServerCommandMap[M]['result']>,
  ): Promise<ServerCommandMap[M]['result']> => {
    const { source, destination } = params;
    const isSamePlace = isFileUri(source) ? isFileUri(destination) : isOfSameClient(source, destination);
    if (!isSamePlace)
      throw invalidParams(
        'params/destination: expected a URI in the same place as the source: both files, or both published by one client',
      );
    return route(method, source, params, ofFile);
  };
  const isOfSameClient = (source: URI, destination: URI) =>
    !contentOf(source) && !contentOf(destination) && clients.publisherOf(source) === clients.publisherOf(destination);

  const resourceRead: Handler<'resourceRead'> = (params, caller) =>
    gate.run(caller, async () => {
      const content = contentOf(params.uri);
      if (content) return content.read(params.uri, params.encoding);
      return route('resourceRead', params.uri, params, () => files.read(caller.clientId, params));
    });
  const resourceWrite: Handler<'resourceWrite'> = (params, { clientId }) =>
    route('resourceWrite', params.uri, params, async () => files.write(clientId, params));
  const resourceList: Handler<'resourceList'> = (params, { clientId }) =>
    route('resourceList', params.uri, params, async () => files.list(clientId, params));
  const resourceResolve: Handler<'resourceResolve'> = (params, { clientId }) =>
    route('resourceResolve', params.uri, params, async () => files.resolve(clientId, params));
  const resourceDelete: Handler<'resourceDelete'> = (params, { clientId }) =>
    route('resourceDelete', params.uri, params, async () => files.delete(clientId, params));
  const resourceMkdir: Handler<'resourceMkdir'> = (params, { clientId }) =>
    route('resourceMkdir', params.uri, params, async () => files.makeFolder(clientId, params));
  const resourceCopy: Handler<'resourceCopy'> = (params, { clientId }) =>
    routeBoth('resourceCopy', params, async () => files.copy(clientId, params));
  const resourceMove: Handler<'resourceMove'> = (params, { clientId }) =>
    routeBoth('resourceMove', params, async () => files.move(clientId, params));
  const resourceRequest: Handler<'resourceRequest'> = (params, { clientId }) =>
    route('resourceRequest', params.uri, params, () => resources.requestAccess(clientId, params));

  return {
    resourceRead,
    resourceWrite,
    resourceList,
    resourceResolve,
    resourceDelete,
    resourceMkdir,
    resourceCopy,
    resourceMove,
    resourceRequest,
  } satisfies Handlers;
}
