import { createHash } from 'node:crypto';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isInside } from '../../paths/inside.js';
import {
  type AgentFile,
  type AgentFileContent,
  AgentFileError,
  type AgentTree,
  type ExpectedVersion,
  type FindRequest,
  type FoundFiles,
} from '../../ports/agent-files.js';
import { type FileScope, type Files, FilesError, type FolderEntry } from '../../ports/files.js';
import { uriOfPath } from './file-uri.js';
import { findFiles } from './find-files.js';
import { MAX_FILE_BYTES } from './limits.js';

/** A session's folder, under both of its names. */
export interface AgentFolder {
  /** As the session names it, possibly through a link. */
  readonly named: string;
  /** The path without links. */
  readonly real: string;
}

/**
 * File access for a session's agents, confined to its folders; without one, every access fails. Relative paths are those of
 * the first folder. With `keepsGit` the agent cannot change git folders: what it writes there could make git run a program.
 */
export function agentFiles(
  files: Files,
  folder: AgentFolder | undefined,
  others: readonly AgentFolder[] = [],
  { keepsGit = false } = {},
): AgentTree {
  const access = async <T>(path: string, use: (confined: ConfinedFiles) => Promise<T>): Promise<T> => {
    if (!folder) throw new AgentFileError('noFolder', 'This session has no working directory, so it has no files.');
    try {
      return await use(new ConfinedFiles(files, folder, others, keepsGit));
    } catch (error) {
      throw await explained(error, path, folder, files);
    }
  };
  return {
    read: (path, maxBytes = MAX_FILE_BYTES) => access(path, (confined) => confined.read(path, maxBytes)),
    write: (path, content, expected) => access(path, (confined) => confined.write(path, content, expected)),
    delete: (path, expected) => access(path, (confined) => confined.delete(path, expected)),
    rename: (from, to, expected) => access(from, (confined) => confined.rename(from, to, expected)),
    locateFolder: (path) => access(path, (confined) => confined.locateFolder(path)),
    list: (path) => access(path, (confined) => confined.list(path)),
    find: (request) => access(request.under, (confined) => confined.find(request)),
  };
}

class ConfinedFiles {
  readonly #files: Files;
  readonly #folder: AgentFolder;
  readonly #others: readonly AgentFolder[];
  readonly #scope: FileScope;

  constructor(files: Files, folder: AgentFolder, others: readonly AgentFolder[], keepsGit: boolean) {
    this.#files = files;
    this.#folder = folder;
    this.#others = others;
    this.#scope = {
      may: (access, path) => {
        const of = this.#folderOf(path);
        if (of === undefined || access === 'read') return of !== undefined;
        return path !== of.real && !(keepsGit && relative(of.real, path).split(sep).includes('.git'));
      },
    };
  }

  async read(path: string, maxBytes: number): Promise<AgentFile> {
    const { content, ...place } = await this.#inspect(path, maxBytes);
    return { ...place, ...(content && { content: { bytes: content.bytes, version: content.version } }) };
  }

  async write(path: string, data: Uint8Array, expected: ExpectedVersion): Promise<void> {
    const at = this.#absolute(path);
    const etag = await this.#expect(path, expected);
    await this.#makeFolderOf(at);
    await this.#files.write(at, this.#scope, {
      data,
      mode: 'truncate',
      position: 0,
      createOnly: expected === null,
      ifMatch: etag,
      maxBytes: MAX_FILE_BYTES,
    });
  }

  async delete(path: string, expected: ExpectedVersion): Promise<void> {
    await this.#expect(path, expected);
    await this.#files.remove(this.#absolute(path), this.#scope, false);
  }

  async rename(from: string, to: string, expected: ExpectedVersion): Promise<void> {
    await this.#expect(from, expected);
    const target = this.#absolute(to);
    await this.#makeFolderOf(target);
    await this.#files.move(this.#absolute(from), target, this.#scope, true);
  }

  async locateFolder(path: string): Promise<{ shown: string }> {
    const real = await this.#files.locate(this.#absolute(path));
    const { type } = await this.#files.describe(real, this.#scope, true);
    if (type !== 'directory') throw new FilesError('notFolder', `${path} is not a folder.`);
    return { shown: this.#shown(real) };
  }

  list(path: string): Promise<FolderEntry[]> {
    return this.#files.list(this.#absolute(path), this.#scope);
  }

  async find(request: FindRequest): Promise<FoundFiles> {
    const { shown } = await this.locateFolder(request.under);
    const folders = {
      list: (path: string) => this.list(path === '' ? '.' : path),
      locate: async (path: string) => (await this.locateFolder(path)).shown,
    };
    return findFiles(shown, request, folders);
  }

  /**
   * Compares contents, because time stamps may be too coarse to tell versions apart. The etag then guards the moment
   * until the write.
   */
  async #expect(path: string, expected: ExpectedVersion): Promise<string | undefined> {
    if (expected === undefined) return undefined;
    const { content, shown } = await this.#inspect(path, MAX_FILE_BYTES);
    if ((content?.version ?? null) !== expected) throw changed(shown);
    return content?.etag;
  }

  async #inspect(path: string, maxBytes: number) {
    const at = this.#absolute(path);
    const real = await this.#files.locate(at);
    const folder = this.#folderOf(real);
    if (!folder) throw new FilesError('outside', `${path} is outside.`);
    if (real === folder.real) throw new FilesError('isFolder', `${path} is the working directory itself.`);
    return {
      uri: uriOfPath(join(folder.named, relative(folder.real, real))),
      shown: this.#shown(real),
      isLink: await this.#isLink(at),
      content: await this.#content(at, maxBytes),
    };
  }

  async #content(at: string, maxBytes: number): Promise<(AgentFileContent & { etag: string }) | undefined> {
    try {
      const { bytes, etag } = await this.#files.read(at, this.#scope, maxBytes);
      return { bytes, etag, version: createHash('sha256').update(bytes).digest('hex') };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async #isLink(at: string): Promise<boolean> {
    try {
      return (await this.#files.describe(at, this.#scope, false)).type === 'symlink';
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  async #makeFolderOf(path: string): Promise<void> {
    const folder = dirname(await this.#files.locate(path));
    if (folder !== this.#folderOf(folder)?.real) await this.#files.makeFolder(folder, this.#scope);
  }

  /** An absolute path may contain a folder's name in the session or its real name. */
  #absolute(path: string): string {
    if (!isAbsolute(path)) return resolve(this.#folder.real, path);
    const folder = [this.#folder, ...this.#others].find(({ named }) => isInside(resolve(path), named));
    return folder ? join(folder.real, relative(folder.named, path)) : path;
  }

  /** The folder that a real path is in. */
  #folderOf(path: string): AgentFolder | undefined {
    return [this.#folder, ...this.#others].find(({ real }) => isInside(path, real));
  }

  /** Relative to the first folder; whole in the others. */
  #shown(real: string): string {
    const folder = this.#folderOf(real);
    if (!folder || folder === this.#folder) return relative(this.#folder.real, real).split(sep).join('/');
    return join(folder.named, relative(folder.real, real));
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof FilesError && error.kind === 'notFound' && error.systemCode !== 'ENOTDIR';
}

function changed(shown: string): AgentFileError {
  return new AgentFileError('changed', `${shown} has just been changed by somebody else.`);
}

async function explained(error: unknown, path: string, folder: AgentFolder, files: Files): Promise<unknown> {
  if (!(error instanceof FilesError)) return error;
  const there = await files.describe(folder.real, { may: () => true }, true).catch(() => undefined);
  if (!there) {
    return new AgentFileError('noFolder', `The working directory ${folder.named} is not accessible.`, { cause: error });
  }
  if (error.kind === 'changed') return changed(path);
  if (error.kind === 'outside') {
    const message = `${path} is outside the session's working directory.`;
    return new AgentFileError('outsideFolder', message, { cause: error });
  }
  const system = NAMED_BY_SYSTEM.has(error.kind) ? error.systemCode : undefined;
  return new AgentFileError(system ?? error.kind, error.message, { cause: error });
}

/** Kinds that say less than the system's error code. */
const NAMED_BY_SYSTEM: ReadonlySet<string> = new Set(['badPath', 'forbidden', 'notFound', 'failed']);
