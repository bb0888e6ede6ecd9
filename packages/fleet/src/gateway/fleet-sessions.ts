import type { SessionIndex } from '@moorage/host';
import { type AgentInfo, ExtensionMeta, type SessionSummary, type URI } from '@moorage/protocol';

/** A host as clients are told of it. */
interface NamedHost {
  readonly id: string;
  readonly name: string;
}

interface Listed {
  /** As the host itself lists it: another object when something changed. */
  readonly original: SessionSummary;
  readonly shown: SessionSummary;
}

interface HostEntry {
  readonly agents: readonly AgentInfo[];
  readonly sessions: ReadonlyMap<URI, Listed>;
}

type Announce = Pick<SessionIndex, 'setAgents' | 'sessionAdded' | 'sessionChanged' | 'sessionRemoved'>;

/** The agents and sessions of all hosts that are there, merged. What changes is announced. */
export class FleetSessions {
  readonly #hosts = new Map<string, HostEntry>();
  /** Which host a session is of. A copy of a host may claim the same ones: the first counts. */
  readonly #owners = new Map<URI, string>();
  readonly #announce: () => Announce;
  #texts: readonly string[] | undefined;

  constructor(announce: () => Announce) {
    this.#announce = announce;
  }

  /** All summaries as JSON texts, newest first. */
  get texts(): readonly string[] {
    this.#texts ??= [...this.#hosts.values()]
      .flatMap(({ sessions }) => [...sessions.values()].map(({ shown }) => shown))
      .sort(newestFirst)
      .map((summary) => JSON.stringify(summary));
    return this.#texts;
  }

  addressOf(session: URI): string | undefined {
    const owner = this.#owners.get(session);
    return owner === undefined ? undefined : addressOfHost(owner);
  }

  set(host: NamedHost, agents: readonly AgentInfo[], sessions: readonly SessionSummary[]): void {
    const before = this.#hosts.get(host.id);
    const own = sessions.filter(({ resource }) => (this.#owners.get(resource) ?? host.id) === host.id);
    const now = new Map(own.map((summary) => [summary.resource, before?.sessions.get(summary.resource)]));
    const after = new Map(
      own.map((original) => {
        const known = now.get(original.resource);
        return [
          original.resource,
          known?.original === original ? known : { original, shown: withHost(original, host) },
        ];
      }),
    );
    this.#replace(host.id, before, { agents, sessions: after });
  }

  /** A host that is away is not listed: what it has can neither be read nor steered. */
  remove(host: string): void {
    const before = this.#hosts.get(host);
    if (before) this.#replace(host, before, undefined);
  }

  #replace(host: string, before: HostEntry | undefined, after: HostEntry | undefined): void {
    this.#texts = undefined;
    if (after) this.#hosts.set(host, after);
    else this.#hosts.delete(host);
    const announce = this.#announce();
    if (before?.agents !== after?.agents) announce.setAgents(this.#mergedAgents());
    for (const uri of before?.sessions.keys() ?? []) {
      if (after?.sessions.has(uri)) continue;
      this.#owners.delete(uri);
      announce.sessionRemoved(uri);
    }
    for (const [uri, listed] of after?.sessions ?? []) {
      const known = before?.sessions.get(uri);
      this.#owners.set(uri, host);
      if (!known) announce.sessionAdded(listed.shown);
      else if (known !== listed) announce.sessionChanged(uri, changesBetween(known.shown, listed.shown));
    }
  }

  /** Every agent once: the same program on many machines is one agent to users. */
  #mergedAgents(): readonly AgentInfo[] {
    const merged = new Map<string, AgentInfo>();
    for (const { agents } of this.#hosts.values())
      for (const agent of agents) if (!merged.has(agent.provider)) merged.set(agent.provider, agent);
    return [...merged.values()];
  }
}

/** Where the gateway serves a host. */
function addressOfHost(host: string): string {
  return `/hosts/${host}/`;
}

function withHost(summary: SessionSummary, { id, name }: NamedHost): SessionSummary {
  const host = { id, name, address: addressOfHost(id) };
  return { ...summary, _meta: { ...summary._meta, [ExtensionMeta.host]: host } };
}

/** `null` clears a member that is absent now. */
function changesBetween(before: SessionSummary, after: SessionSummary): Partial<SessionSummary> {
  const old: Record<string, unknown> = { ...before };
  const now: Record<string, unknown> = { ...after };
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  const changed = [...names].filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]));
  return Object.fromEntries(changed.map((name) => [name, now[name] ?? null])) as Partial<SessionSummary>;
}

function newestFirst(a: SessionSummary, b: SessionSummary): number {
  if (a.modifiedAt !== b.modifiedAt) return a.modifiedAt < b.modifiedAt ? 1 : -1;
  return a.resource < b.resource ? -1 : 1;
}
