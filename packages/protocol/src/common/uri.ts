import { named } from './schema.js';
import { type Static, Type } from './type.js';

/** Compared as exact strings, never normalised. */
export const URISchema = named('URI', Type.String());
export type URI = Static<typeof URISchema>;
