import type { TSchema } from '../../src/common/type.js';
import * as protocol from '../../src/index.js';

/** Every wire type that the package exports, by its name on the wire. */
export const schemas: readonly [name: string, schema: TSchema][] = Object.entries(protocol)
  .filter(([name]) => /^[A-Z].*Schema$/.test(name))
  .map(([name, schema]) => [name.slice(0, -'Schema'.length), schema as TSchema]);
