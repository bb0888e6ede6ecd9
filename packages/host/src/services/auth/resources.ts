import type { ProtectedResourceMetadata } from '@ahpd/protocol';
import type { AgentRegistry } from '../agents.js';

type Source = () => Iterable<ProtectedResourceMetadata>;

/** Everything that clients may authenticate for: what agents declare, and what others offer, such as MCP servers (OQ-73). */
export class ProtectedResources {
  readonly #agents: AgentRegistry;
  readonly #sources: Source[] = [];

  constructor(agents: AgentRegistry) {
    this.#agents = agents;
  }

  /** Asked each time: servers come and go. */
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

  /** What an agent cannot work without; without a word it is required (B-306). */
  requiredBy(provider: string): readonly ProtectedResourceMetadata[] {
    return this.ofAgent(provider).filter(({ required }) => required !== false);
  }

  ofAgent(provider: string): readonly ProtectedResourceMetadata[] {
    return this.#agents.get(provider)?.info.protectedResources ?? [];
  }
}
