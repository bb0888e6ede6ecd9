import type { CreateResourceWatchParams } from '@moorage/protocol';
import { invalidParams } from '../../core/errors.js';
import { compileGlob, type Glob } from '../../paths/glob.js';
import { MAX_GLOB_CHARS, MAX_GLOBS } from './limits.js';

/** Compiles the filter that decides which changed paths, relative to the watched folder, are reported (B-301). */
export function compileFilter({ includes, excludes }: CreateResourceWatchParams): Glob {
  const included = compile('includes', includes?.items);
  const excluded = compile('excludes', excludes?.items) ?? [];
  return (path) => (!included || included.some((glob) => glob(path))) && !excluded.some((glob) => glob(path));
}

function compile(param: string, globs: readonly string[] | undefined): Glob[] | undefined {
  if (!globs) return undefined;
  if (globs.length > MAX_GLOBS) throw invalidParams(`params/${param}/items: expected at most ${MAX_GLOBS}`);
  return globs.map((glob, index) => {
    const place = `params/${param}/items/${index}`;
    if (glob.length > MAX_GLOB_CHARS) throw invalidParams(`${place}: expected at most ${MAX_GLOB_CHARS} characters`);
    try {
      return compileGlob(glob);
    } catch (error) {
      if (error instanceof RangeError) throw invalidParams(`${place}: ${error.message}`);
      throw error;
    }
  });
}
