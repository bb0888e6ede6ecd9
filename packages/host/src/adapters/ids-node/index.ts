import { randomUUID } from 'node:crypto';
import type { Ids } from '../../ports/ids.js';

export const nodeIds: Ids = { next: () => randomUUID() };
