import type { ResourceRequestParams, URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { Files } from '../../ports/files.js';
import type { HostContext } from '../context.js';
import { Access } from './access.js';
import { AccessRequests } from './access-requests.js';
import { type ClientLink, ClientResources } from './client-resources.js';
import { barred, toRpcError } from './errors.js';
import { FileResources } from './file-resources.js';
import { pathOfUri } from './file-uri.js';
import { Grants } from './grants.js';

/**
 * Gives clients access to files, confined to the roots and to what users granted, and to what other clients publish.
 */
export class ResourceService {
  readonly files: FileResources;
  readonly clients: ClientResources;
  readonly access: Access;
  readonly requests: AccessRequests;
  readonly #files: Files;
  readonly #grants: Grants;

  constructor(context: HostContext, link: ClientLink) {
    const { door, folders, files } = context;
    this.#files = files;
    this.#grants = new Grants(door);
    this.access = new Access(folders, this.#grants);
    this.files = new FileResources(files, this.access);
    this.clients = new ClientResources(door, link);
    this.requests = new AccessRequests(context, this.#grants);
  }

  /** Without flags, reading is requested (B-294). The user is not asked about access that the client already has. */
  async requestAccess(clientId: string, params: ResourceRequestParams): Promise<Record<string, never>> {
    const { uri, write = false } = params;
    const read = params.read || !write;
    const path = await this.#files.locate(pathOfUri(uri, 'uri')).catch((error: unknown) => {
      throw toRpcError(error, uri);
    });
    if (this.access.isBarred(path)) throw barred(uri);
    const isMissing = (access: 'read' | 'write') => !this.access.has(clientId, access, path);
    const wanted = { path, read: read && isMissing('read'), write: write && isMissing('write') };
    if (wanted.read || wanted.write) await this.requests.ask(clientId, wanted);
    return {};
  }

  clientGone(clientId: string): void {
    this.#grants.clientGone(clientId);
    this.requests.clientGone(clientId);
  }

  sessionDisposed(session: URI): void {
    this.#grants.sessionDisposed(session);
  }

  settleAfterRestart(chat: Channel<'chat'>): void {
    this.requests.settleAfterRestart(chat);
  }
}
