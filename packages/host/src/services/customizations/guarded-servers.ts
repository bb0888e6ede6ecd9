import { type Found, idOf } from './found.js';

/**
 * MCP servers run programs on this machine. Those of a plugin that nobody put here on purpose, because a client publishes it
 * or a workspace holds it, are off until a user switches each of them on. How it is launched is part of its id: a choice
 * holds for just what was there when it was made. Nor is it believed that a tool of theirs only reads.
 */
export function guardServers(found: readonly Found[]): readonly Found[] {
  return found.map((one) => {
    const { child, launch } = one;
    if (child.type !== 'mcpServer' || !launch) return one;
    const guarded = { ...child, id: idOf(child.id, JSON.stringify(launch)), enabled: false };
    return { ...one, child: guarded, isGuarded: true };
  });
}
