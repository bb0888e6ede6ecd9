import type { CommandMap, URI } from '@moorage/protocol';
import { invalidParams } from '../../core/errors.js';
import { type FileDescription, type FileScope, type Files, FilesError } from '../../ports/files.js';
import type { Access } from './access.js';
import { contentTypeOf } from './content-type.js';
import { encodeFile } from './encode-file.js';
import { toRpcError } from './errors.js';
import { pathOfUri, uriOfPath } from './file-uri.js';
import { MAX_FILE_BYTES } from './limits.js';

type Params<M extends keyof CommandMap> = CommandMap[M]['params'];
type Result<M extends keyof CommandMap> = CommandMap[M]['result'];

/** The operations on `file:` URIs, each within what the client may access. */
export class FileResources {
  readonly #files: Files;
  readonly #access: Access;

  constructor(files: Files, access: Access) {
    this.#files = files;
    this.#access = access;
  }

  read(clientId: string, { uri, encoding }: Params<'resourceRead'>): Promise<Result<'resourceRead'>> {
    return this.#run(clientId, uri, async (path, scope) => {
      const { bytes, realPath } = await this.#files.read(path, scope, MAX_FILE_BYTES);
      const content = encodeFile(bytes, encoding);
      const plain = content.encoding === 'utf-8' ? 'text/plain' : 'application/octet-stream';
      return { ...content, contentType: contentTypeOf(realPath) ?? plain };
    });
  }

  write(clientId: string, params: Params<'resourceWrite'>): Promise<Result<'resourceWrite'>> {
    const { uri, mode = 'truncate', position = 0, createOnly = false, ifMatch } = params;
    const data = decode(params);
    if (position < 0) throw invalidParams('params/position: expected a whole number of bytes, 0 or more');
    return this.#run(clientId, uri, async (path, scope) => {
      const maxBytes = MAX_FILE_BYTES;
      await this.#files.write(path, scope, { data, mode, position, createOnly, ifMatch, maxBytes });
      return {};
    });
  }

  list(clientId: string, { uri }: Params<'resourceList'>): Promise<Result<'resourceList'>> {
    return this.#run(clientId, uri, async (path, scope) => ({ entries: await this.#files.list(path, scope) }));
  }

  resolve(clientId: string, params: Params<'resourceResolve'>): Promise<Result<'resourceResolve'>> {
    const { uri, followSymlinks = true } = params;
    return this.#run(clientId, uri, async (path, scope) => {
      const found = await this.#files.describe(path, scope, followSymlinks);
      const contentType = found.type === 'file' ? contentTypeOf(found.realPath) : undefined;
      return {
        uri: followSymlinks ? uriOfPath(found.realPath) : uri,
        type: found.type,
        ...(found.type === 'file' && { size: found.size, etag: found.etag }),
        mtime: found.modifiedAt.toISOString(),
        ctime: found.changedAt.toISOString(),
        ...(contentType !== undefined && { contentType }),
      };
    });
  }

  delete(clientId: string, { uri, recursive = false }: Params<'resourceDelete'>): Promise<Result<'resourceDelete'>> {
    return this.#run(clientId, uri, async (path, scope) => {
      await this.#files.remove(path, scope, recursive);
      return {};
    });
  }

  makeFolder(clientId: string, { uri }: Params<'resourceMkdir'>): Promise<Result<'resourceMkdir'>> {
    return this.#run(clientId, uri, async (path, scope) => {
      await this.#files.makeFolder(path, scope);
      return {};
    });
  }

  copy(clientId: string, params: Params<'resourceCopy'>): Promise<Result<'resourceCopy'>> {
    return this.#transfer(clientId, params, (...paths) => this.#files.copy(...paths));
  }

  move(clientId: string, params: Params<'resourceMove'>): Promise<Result<'resourceMove'>> {
    return this.#transfer(clientId, params, (...paths) => this.#files.move(...paths));
  }

  /** Starts a watch on the file behind a URI, and checks afterwards that the URI still leads to it. */
  startWatch<T extends { stop(): void }>(
    clientId: string,
    uri: URI,
    start: (found: FileDescription) => Promise<T>,
  ): Promise<T> {
    return this.#run(clientId, uri, async (path, scope) => {
      const found = await this.#files.describe(path, scope, true);
      const started = await start(found);
      try {
        const { realPath } = await this.#files.describe(path, scope, true);
        if (realPath === found.realPath) return started;
        throw new FilesError('failed', `${path} was replaced while it was looked at; try again.`);
      } catch (error) {
        started.stop();
        throw error;
      }
    });
  }

  async #transfer(
    clientId: string,
    { source, destination, failIfExists = false }: Params<'resourceCopy'>,
    run: Files['copy'],
  ): Promise<Record<string, never>> {
    const from = pathOfUri(source, 'source');
    const to = pathOfUri(destination, 'destination');
    let isSource = true; // whether the source or the destination was refused; the source is checked first
    await this.#access.during(clientId, async (scope) => {
      const tracked: FileScope = {
        may: (access, path) => {
          isSource = access !== 'write';
          return scope.may(access, path);
        },
      };
      await run(from, to, tracked, failIfExists).catch((error: unknown) => {
        throw toRpcError(error, isSource ? source : destination, scope);
      });
    });
    return {};
  }

  #run<T>(clientId: string, uri: URI, use: (path: string, scope: FileScope) => Promise<T>): Promise<T> {
    const path = pathOfUri(uri, 'uri');
    return this.#access.during(clientId, async (scope) => {
      try {
        return await use(path, scope);
      } catch (error) {
        throw toRpcError(error, uri, scope);
      }
    });
  }
}

function decode({ data, encoding }: Params<'resourceWrite'>): Uint8Array {
  if (encoding === 'utf-8') return Buffer.from(data);
  if (data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data)) return Buffer.from(data, 'base64');
  throw invalidParams('params/data: expected base64, with padding');
}
