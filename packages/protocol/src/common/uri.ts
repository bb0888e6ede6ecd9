import Type, { type Static } from 'typebox';
import { named } from './schema.js';

/** Compared as exact strings, never normalised (OQ-108). */
export const URISchema = named('URI', Type.String());
export type URI = Static<typeof URISchema>;
