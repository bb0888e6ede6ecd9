import { compile as toClosures } from './compile-closures.js';
import type { PlainSchema } from './plain-schema.js';

type Check = (value: unknown) => boolean;

/** Values after which a schema is worth generated code: about as long as that takes to be made, closures have taken longer by then. */
const OFTEN = 500;

/**
 * Checks with closures, which are made at once, until a schema is in steady use. Then with generated code, whose library is a sixth
 * of all that a host would load at its start. Both decide the same.
 */
export function compile(schema: PlainSchema): Check {
  const closures = toClosures(schema);
  let uses = 0;
  let check: Check = (value) => {
    if (++uses === OFTEN) void generated(schema).then((code) => (check = code ?? closures));
    return closures(value);
  };
  return (value) => check(value);
}

async function generated(schema: PlainSchema): Promise<Check | undefined> {
  try {
    const { compile: toCode } = await import('./compile-generated.js');
    return toCode(schema);
  } catch {
    return undefined; // closures do it as well: a program may be bundled without the library, or forbid generated code
  }
}
