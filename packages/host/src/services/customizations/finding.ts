import type { CustomizationLoadState } from '@moorage/protocol';
import type { FoundCustomization } from './found.js';
import { MAX_CHILDREN, MAX_MESSAGE_CHARS } from './limits.js';
import { ParseProblem } from './parse/front-matter.js';
import { TreeProblem } from './tree.js';

/** Collects what is found in one container, and the problems: a bad file never hides the others. */
export class Finding {
  readonly #found = new Map<string, FoundCustomization>();
  readonly #problems: string[] = [];
  #tooMany = false;

  /** Sorted by URI, because files are read in any order. Children of one file keep its order. */
  get found(): readonly FoundCustomization[] {
    return [...this.#found.values()].sort((a, b) => compare(a.child.uri, b.child.uri));
  }

  get isEmpty(): boolean {
    return this.#found.size === 0 && this.#problems.length === 0;
  }

  /** Sorted too, so that the order of reading does not matter. */
  get load(): CustomizationLoadState {
    const problems = this.#problems.toSorted();
    if (this.#tooMany) problems.unshift(`there are more than ${MAX_CHILDREN}; the others are left out`);
    if (problems.length === 0) return { kind: 'loaded' };
    const more = problems.length > SHOWN ? `; and ${problems.length - SHOWN} more` : '';
    const message = `${problems.slice(0, SHOWN).join('; ')}`.slice(0, MAX_MESSAGE_CHARS - more.length) + more;
    return { kind: 'degraded', message };
  }

  add(...found: readonly FoundCustomization[]): void {
    for (const one of found) {
      if (this.#found.size >= MAX_CHILDREN && !this.#found.has(one.child.id)) this.#tooMany = true;
      else this.#found.set(one.child.id, one);
    }
  }

  problem(what: string): void {
    this.#problems.push(what);
  }

  /** Runs part of the search; a problem is recorded under its path. */
  async attempt<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ParseProblem) && !(error instanceof TreeProblem)) throw error;
      this.problem(`${path || 'the folder'}: ${error.message}`);
      return undefined;
    }
  }
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Problems listed one by one. */
const SHOWN = 5;
