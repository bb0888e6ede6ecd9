import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';

const compress = promisify(deflate);

/** Level 1: an edit must be stored before it is shown, and what is kept is packed better later. */
const QUICK = { level: 1 };

/** Writes single objects into a store of git's without starting git. Many at once are better packed by git. */
export class ObjectWriter {
  readonly #objects: string;
  readonly #algorithm: string;

  constructor(directory: string, objectFormat: string) {
    this.#objects = join(directory, 'objects');
    this.#algorithm = objectFormat;
  }

  /** The id that git gives this object. */
  idOf(type: 'blob' | 'tree', content: Uint8Array): string {
    return createHash(this.#algorithm).update(header(type, content)).update(content).digest('hex');
  }

  async write(type: 'blob' | 'tree', content: Uint8Array): Promise<string> {
    const id = this.idOf(type, content);
    const folder = join(this.#objects, id.slice(0, 2));
    const path = join(folder, id.slice(2));
    if (await exists(path)) return id;
    await mkdir(folder, { recursive: true });
    const temporary = join(folder, `tmp_obj_${randomUUID()}`); // git's own name for such files, which its gc removes
    await writeFile(temporary, await compress(Buffer.concat([header(type, content), content]), QUICK), { mode: 0o444 });
    await rename(temporary, path);
    return id;
  }
}

function header(type: string, content: Uint8Array): Buffer {
  return Buffer.from(`${type} ${content.length}\0`);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
