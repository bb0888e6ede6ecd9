import type { ProtectedResourceMetadata } from '@moorage/protocol';
import type { AgentRegistry } from '../agents.js';

type Source = () => Iterable<ProtectedResourceMetadata>;

/**
 * The resources that clients may authenticate for: those that agents declare, and those of other sources such as MCP
 * servers (OQ-73).
 */
export class ProtectedResources {
  readonly #agents: AgentRegistry;
  readonly #sources: Source[] = [];

  constructor(agents: AgentRegistry) {
    this.#agents = agents;
  }

  /** `source` is called on every lookup, because servers come and go. */
  add(source: Source): void {
    this.#sources.push(source);
  }

  find(resource: string): ProtectedResourceMetadata | undefined {
    const ofAgents = this.findOfAgents(resource);
    if (ofAgents) return ofAgents;
    for (const source of this.#sources) {
      for (const candidate of source()) if (candidate.resource === resource) return candidate;
    }
    return undefined;
  }

  findOfAgents(resource: string): ProtectedResourceMetadata | undefined {
    const all = this.#agents.infos.flatMap(({ protectedResources = [] }) => protectedResources);
    return all.find((candidate) => candidate.resource === resource);
  }
}
