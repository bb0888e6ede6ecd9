import { createHash } from 'node:crypto';
import type { AgentTurn } from '@moorage/host/ports';
import type { ContentRef } from '@moorage/protocol';

/** Contents of a turn that are recognised; further ones may be stored twice, which costs only space. */
const MAX_REMEMBERED = 1_000;

/** Stores the same content only once, because agents repeat whole files in every report of a call. */
export function storedOnce(turn: AgentTurn): AgentTurn['storeContent'] {
  const known = new Map<string, ContentRef>();
  return (content, contentType = '') => {
    const key = createHash('sha256').update(contentType).update('\0').update(content).digest('base64');
    const before = known.get(key);
    if (before) return before;
    const stored = turn.storeContent(content, contentType || undefined);
    if (known.size < MAX_REMEMBERED) known.set(key, stored);
    return stored;
  };
}
