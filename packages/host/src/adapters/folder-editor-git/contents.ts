import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Contents, Hunk, Merged } from '../../ports/contents.js';
import { FolderEditError } from '../../ports/folder-editor.js';
import type { FileChange, FileVersion } from '../../ports/workspace.js';
import type { Git } from '../shared/git/git.js';
import type { Scratch } from '../shared/git/scratch.js';
import type { RememberedFolder } from '../shared/remembered-folder.js';
import { blobId } from './file-system.js';
import { MAX_PATCH_BYTES } from './limits.js';
import { parseConflicts } from './parse-conflicts.js';
import { parseHunks } from './parse-hunks.js';

export interface GitContentsOptions extends Pick<RememberedFolder, 'git' | 'directory' | 'read' | 'beforeGit'> {
  readonly scratch: Scratch;
  readonly hash: () => Promise<string>;
}

/** File contents, stored in the bare repository that the host keeps for a folder. */
export class GitContents implements Contents {
  readonly #git: Git;
  readonly #directory: string;
  readonly #scratch: Scratch;
  readonly #hash: () => Promise<string>;
  readonly #beforeGit: () => Promise<void>;
  readonly read: Contents['read'];

  constructor({ git, directory, scratch, hash, read, beforeGit = async () => undefined }: GitContentsOptions) {
    this.#git = git;
    this.#directory = directory;
    this.#scratch = scratch;
    this.#hash = hash;
    this.#beforeGit = beforeGit;
    this.read = read;
  }

  async write(content: Uint8Array): Promise<string> {
    await this.writeAll([content]);
    return blobId(content, await this.#hash());
  }

  /** Writes all contents into one pack. Git syncs it to disk before it exits. */
  async writeAll(contents: readonly Uint8Array[]): Promise<void> {
    if (contents.length === 0) return;
    const input = contents.flatMap((content) => [
      Buffer.from(`blob\ndata ${content.length}\n`),
      content,
      Buffer.from('\n'),
    ]);
    const args = ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet', '--done'];
    await this.#run(args, { input: Buffer.concat([...input, Buffer.from('done\n')]) });
  }

  async hunks(before: string, after: string): Promise<readonly Hunk[] | undefined> {
    if (before === after) return [];
    const output = await this.#run([
      'diff',
      '--unified=0',
      '--inter-hunk-context=0',
      '--diff-algorithm=default',
      '--no-ext-diff',
      '--no-textconv',
      '--no-color',
      before,
      after,
    ]);
    return parseHunks(output);
  }

  async merge(base: string, ours: string, theirs: string): Promise<Merged | undefined> {
    const label = randomUUID();
    return this.#scratch.use(async (folder): Promise<Merged | undefined> => {
      const files = ['ours', 'base', 'theirs'].map((name) => join(folder, name));
      for (const [index, id] of [ours, base, theirs].entries()) {
        const content = await this.read(id);
        if (!content || isBinary(content)) return undefined;
        await writeFile(files[index] ?? '', content);
      }
      const labels = ['-L', label, '-L', label, '-L', label];
      const conflicts = Array.from({ length: 127 }, (_, index) => index + 1); // the exit code is the number of conflicts
      const merged = await this.#run(['merge-file', '-p', '--diff3', ...labels, ...files], { accept: conflicts });
      const lines = parseConflicts(merged, label);
      return lines.length > 0 ? { kind: 'conflict', lines } : { kind: 'clean', id: await this.write(merged) };
    });
  }

  async patch(changes: readonly FileChange[]): Promise<Uint8Array> {
    const [before, after] = [
      await this.#writeTree(changes.flatMap((change) => change.before ?? [])),
      await this.#writeTree(changes.flatMap((change) => change.after ?? [])),
    ];
    const options = ['-r', '-p', '--binary', '--full-index', '-M', '--no-ext-diff', '--no-textconv', '--no-color'];
    const patch = await this.#run(['diff-tree', ...options, before, after]);
    if (patch.length > MAX_PATCH_BYTES)
      throw new FolderEditError('refused', 'the patch would be too large; open the files one by one');
    return patch;
  }

  /** Writes a tree of these files and returns its id. */
  #writeTree(files: readonly FileVersion[]): Promise<string> {
    return this.#scratch.use(async (folder) => {
      const env = { GIT_INDEX_FILE: join(folder, 'index') };
      const input = files.map(({ mode, contentId, path }) => `${mode} ${contentId}\t${path}\0`).join('');
      await this.#run(['update-index', '-z', '--index-info'], { input, env });
      return (await this.#run(['write-tree', '--missing-ok'], { env })).toString().trim();
    });
  }

  async #run(
    args: readonly string[],
    { env, ...options }: { input?: string | Buffer; env?: Record<string, string>; accept?: readonly number[] } = {},
  ): Promise<Buffer> {
    await this.#beforeGit();
    return this.#git.run(args, { cwd: this.#directory, env: { GIT_DIR: this.#directory, ...env }, ...options });
  }
}

/** Like git, takes content for binary if there is a zero among its first 8,000 bytes. */
const TEXT_PROBE_BYTES = 8_000;

function isBinary(content: Uint8Array): boolean {
  return content.subarray(0, TEXT_PROBE_BYTES).includes(0);
}
