import { AhpErrorCodes, JsonRpcErrorCodes, ROOT_URI, RpcError, type URI } from '@moorage/protocol';
import type { FolderEntry } from '../../ports/files.js';
import type { ClientResources } from '../resources/client-resources.js';
import { MAX_CLIENT_BYTES, MAX_CLIENT_REQUESTS, MAX_FILE_BYTES } from './limits.js';
import { decodeText, type Tree, TreeProblem } from './tree.js';

/** Why a client's plugin cannot be read, in words for the user. Nothing more is requested from the client. */
export class ClientProblem extends Error {
  override readonly name = 'ClientProblem';
}

/**
 * The files that a client publishes below a URI. The client may answer anything, or nothing: requests are limited, and
 * what was read is kept, so that agents can use it later without the client.
 */
export function clientTree(clients: ClientResources, clientId: string, base: URI, isWanted: () => boolean): Tree {
  const root = base.replace(/\/+$/, '');
  const uriOf = (path: string) => [root, ...path.split('/').filter(Boolean).map(encodeURIComponent)].join('/');
  const texts = new Map<string, string | undefined>();
  let requests = 0;
  let bytes = 0;
  let failure: ClientProblem | undefined;
  const fail = (why: string) => {
    failure ??= new ClientProblem(why);
    return failure;
  };

  const ask = async <T>(run: () => Promise<T>): Promise<T | undefined> => {
    if (failure) throw failure;
    if (!isWanted()) throw fail('the client is no longer the active one');
    if (++requests > MAX_CLIENT_REQUESTS) throw fail(`it takes more than ${MAX_CLIENT_REQUESTS} requests to read`);
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (error.code === AhpErrorCodes.NotFound) return undefined;
      if (error.cause instanceof RpcError || error.code !== JsonRpcErrorCodes.InternalError) {
        throw new TreeProblem('the client could not serve it', { cause: error });
      }
      throw fail(error.message); // it is gone, does not answer, or answers nonsense
    }
  };

  /** Each folder is requested once. */
  const listings = new Map<string, Promise<readonly FolderEntry[] | undefined>>();
  const list = (path: string) => {
    const known = listings.get(path);
    if (known) return known;
    const uri = uriOf(path);
    const listing = ask(() => clients.askClient(clientId, 'resourceList', uri, { channel: ROOT_URI, uri })).then(
      (answer) => answer?.entries.filter(({ name }) => isName(name)).slice(0, MAX_CLIENT_REQUESTS),
    );
    listings.set(path, listing);
    return listing;
  };
  /** Paths that the parent folder does not list are not requested: most plugins have few of the many possible files. */
  const mayExist = async (path: string): Promise<boolean> => {
    if (path === '') return true;
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (!(await mayExist(parent))) return false;
    const entries = await list(parent);
    return entries === undefined || entries.some(({ name }) => name === path.split('/').at(-1));
  };

  return {
    uriOf,
    list: async (path) => ((await mayExist(path)) ? list(path) : undefined),
    read: async (path) => {
      if (texts.has(path)) return texts.get(path);
      if (!(await mayExist(path))) return undefined;
      const uri = uriOf(path);
      const answer = await ask(() => clients.askClient(clientId, 'resourceRead', uri, { channel: ROOT_URI, uri }));
      const text = answer && decode(answer);
      bytes += text?.length ?? 0;
      if (bytes > MAX_CLIENT_BYTES) throw fail(`it has more than ${MAX_CLIENT_BYTES} bytes of text`);
      texts.set(path, text);
      return text;
    },
  };
}

function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name);
}

function decode({ data, encoding }: { data: string; encoding: string }): string {
  if (data.length > MAX_FILE_BYTES * 2) throw new TreeProblem(`it is larger than ${MAX_FILE_BYTES} bytes`);
  return encoding === 'utf-8' ? data : decodeText(Buffer.from(data, 'base64'));
}
