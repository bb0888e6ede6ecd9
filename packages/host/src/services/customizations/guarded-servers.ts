import { type FoundCustomization, idOf } from './found.js';

/**
 * MCP servers run programs on this machine. Servers of a plugin that was not put here on purpose, because a client
 * publishes it or a workspace contains it, stay off until a user enables each of them. The launch is part of the id, so
 * a choice applies only to exactly what the user saw. Their claims that a tool only reads are not trusted.
 */
export function guardServers(found: readonly FoundCustomization[]): readonly FoundCustomization[] {
  return found.map((one) => {
    const { child, launch } = one;
    if (child.type !== 'mcpServer' || !launch) return one;
    const guarded = {
      ...child,
      id: idOf(child.id, JSON.stringify(launch)),
      enablement: [{ kind: 'session' as const, enabled: false }],
    };
    return { ...one, child: guarded, isGuarded: true };
  });
}
