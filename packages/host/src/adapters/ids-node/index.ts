import { randomUUID } from 'node:crypto';
import type { Ids } from '../../ports/ids.js';

/** Random UUIDs. */
export const nodeIds: Ids = { next: randomUUID };
