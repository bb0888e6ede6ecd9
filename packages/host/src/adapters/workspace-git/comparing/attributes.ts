import { homedir } from 'node:os';
import { join } from 'node:path';
import type { StateId } from '../../../ports/workspace.js';
import { readSmallFile } from '../../shared/git/read-small-file.js';
import type { Repository } from '../../shared/git/repository.js';
import type { ObjectReader } from '../objects/object-reader.js';
import type { Trees } from '../states/trees.js';

const NAME = '.gitattributes';

/** Finds out whether attributes say how to compare a file (as binary, or with a diff driver). If so, only git can. */
export class Attributes {
  readonly #trees: Trees;
  readonly #reader: ObjectReader;
  readonly #outside: Promise<boolean>;

  constructor(trees: Trees, reader: ObjectReader, repository: Repository | undefined) {
    this.#trees = trees;
    this.#reader = reader;
    this.#outside = decidesOutside(repository);
  }

  async decideHowToDiff(state: StateId, path: string): Promise<boolean> {
    if (await this.#outside) return true;
    for (const { id } of await this.#trees.findAlong(state, path, NAME)) {
      const text = (await this.#reader.read(id))?.content.toString();
      if (text !== undefined && decides(text)) return true;
    }
    return false;
  }
}

/** The user's own attributes, and those in the folders above the one that is looked at. */
async function decidesOutside(repository: Repository | undefined): Promise<boolean> {
  const config = process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
  const above = repository?.prefix.split('/').map((_, depth, names) => names.slice(0, depth).join('/')) ?? [];
  const files = [
    join(config, 'git', 'attributes'),
    '/etc/gitattributes',
    ...above.map((folder) => join(repository?.top ?? '', folder, NAME)),
  ];
  const texts = await Promise.all(files.map((file) => readSmallFile(file)));
  return texts.some((text) => text !== undefined && decides(text));
}

function decides(text: string): boolean {
  return /\b(diff|binary)\b|\[attr\]/.test(text);
}
