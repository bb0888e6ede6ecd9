import { named } from './schema.js';
import { type Static, Type } from './type.js';

/** Compared as exact strings, never normalised (OQ-108). */
export const URISchema = named('URI', Type.String());
export type URI = Static<typeof URISchema>;
