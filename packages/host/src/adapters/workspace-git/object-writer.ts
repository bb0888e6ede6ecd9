import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { Recent } from './recent.js';

/** Level 1: an edit must be stored before it is shown, and what is kept is packed better later. */
const QUICK = { level: 1 };

/** Contents that stay in memory after they were written, and bytes of one: what was just edited is compared next. */
const MAX_REMEMBERED = 64;
const MAX_REMEMBERED_BYTES = 256 * 1024;

/** Trees that wait to be written. */
const MAX_PENDING_TREES = 500;

/**
 * Writes single objects into a store of git's without starting git; many at once are better packed by git. It does not
 * let others in between: a small file takes less time to write than to wait for.
 */
export class ObjectWriter {
  /** What was written last, by id. */
  readonly recent = new Recent<string, Buffer>(MAX_REMEMBERED);
  readonly #trees = new Map<string, Buffer>();
  readonly #objects: string;
  readonly #algorithm: string;

  constructor(directory: string, objectFormat: string) {
    this.#objects = join(directory, 'objects');
    this.#algorithm = objectFormat;
  }

  /** A tree is written with the next `flush`: most states of a folder are compared once and never asked for again. */
  write(type: 'blob' | 'tree', content: Buffer): string {
    const header = Buffer.from(`${type} ${content.length}\0`);
    const id = createHash(this.#algorithm).update(header).update(content).digest('hex');
    if (type === 'tree') {
      this.#trees.set(id, Buffer.concat([header, content]));
      if (this.#trees.size > MAX_PENDING_TREES) this.flush();
      return id;
    }
    if (content.length <= MAX_REMEMBERED_BYTES) this.recent.set(id, content);
    this.#store(id, Buffer.concat([header, content]));
    return id;
  }

  /** Writes the trees that wait, so that git and a later life of the host know them. */
  flush(): void {
    for (const [id, object] of this.#trees) this.#store(id, object);
    this.#trees.clear();
  }

  #store(id: string, object: Buffer): void {
    const folder = join(this.#objects, id.slice(0, 2));
    const path = join(folder, id.slice(2));
    if (existsSync(path)) return;
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
    const temporary = join(folder, `tmp_obj_${randomUUID()}`); // git's own name for such files, which its gc removes
    writeFileSync(temporary, deflateSync(object, QUICK), { mode: 0o444 });
    renameSync(temporary, path);
  }
}
