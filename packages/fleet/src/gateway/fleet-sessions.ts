import type { SessionIndex } from '@moorage/host';
import {
  type AgentInfo,
  activityOf,
  ExtensionMeta,
  SessionStatus,
  type SessionSummary,
  type URI,
} from '@moorage/protocol';

/** A host as clients are told of it. */
export interface NamedHost {
  readonly id: string;
  readonly name: string;
}

/** A session of a host that is there. */
export interface ListedSession {
  readonly host: string;
  /** As the host itself lists it: another object when something changed. */
  readonly original: SessionSummary;
  readonly shown: SessionSummary;
  /** JSON text of what is shown. */
  readonly text: string;
}

interface HostEntry {
  readonly agents: readonly AgentInfo[];
  readonly sessions: ReadonlyMap<URI, ListedSession>;
}

type Announce = Pick<
  SessionIndex,
  'setAgents' | 'setActiveSessions' | 'sessionAdded' | 'sessionChanged' | 'sessionRemoved'
>;

const NOTHING: HostEntry = { agents: [], sessions: new Map() };

/** The agents and sessions of all hosts that are there, merged. What changes is announced. */
export class FleetSessions {
  readonly #hosts = new Map<string, HostEntry>();
  /** What hosts had when they went: clients have that in their lists. */
  readonly #away = new Map<string, HostEntry>();
  /** Which host a session is of. A copy of a host may claim the same ones: the first counts. */
  readonly #owners = new Map<URI, string>();
  readonly #announce: () => Announce;
  /** Newest first. */
  readonly #sorted: ListedSession[] = [];
  #active = 0;

  constructor(announce: () => Announce) {
    this.#announce = announce;
  }

  /** Newest first. Changes with the next call of `set` or `remove`. */
  get all(): readonly ListedSession[] {
    return this.#sorted;
  }

  /** Where in the list those begin that come after a session, which may be gone meanwhile. */
  indexAfter(session: Pick<SessionSummary, 'modifiedAt' | 'resource'>): number {
    const index = this.#indexOf(session);
    return this.#sorted[index]?.shown.resource === session.resource ? index + 1 : index;
  }

  has(session: URI): boolean {
    return this.#owners.has(session);
  }

  /** The host that a session is of, among those that are there. */
  ownerOf(session: URI): string | undefined {
    return this.#owners.get(session);
  }

  /** How many sessions of a host have a turn that runs or waits for somebody. */
  runningOn(host: string): number {
    let running = 0;
    for (const { original } of this.#hosts.get(host)?.sessions.values() ?? [])
      if (RUNNING.has(activityOf(original.status))) running++;
    return running;
  }

  set(host: NamedHost, agents: readonly AgentInfo[], sessions: readonly SessionSummary[]): void {
    const before = this.#hosts.get(host.id);
    const own = sessions.filter(({ resource }) => (this.#owners.get(resource) ?? host.id) === host.id);
    const after = new Map(
      own.map((original) => {
        const known = before?.sessions.get(original.resource);
        return [original.resource, known?.original === original ? known : listed(original, host)];
      }),
    );
    const shownBefore = before ?? this.#away.get(host.id) ?? NOTHING;
    this.#away.delete(host.id);
    this.#replace(host.id, before ?? NOTHING, { agents, sessions: after });
    this.#announceDifference(shownBefore, { agents, sessions: after });
  }

  /** The host has gone. What it has can still be read, if it was kept; so its sessions stay, as those of a host that is away. */
  remove(host: NamedHost): void {
    const before = this.#hosts.get(host.id);
    if (!before) return;
    const sessions = new Map(
      [...before.sessions].map(([uri, { original }]) => [uri, listed(original, { ...host, isAway: true })]),
    );
    this.#replace(host.id, before, NOTHING);
    this.#hosts.delete(host.id);
    this.#away.set(host.id, { agents: [], sessions });
    this.#announceDifference(before, { agents: [], sessions });
  }

  #replace(host: string, before: HostEntry, after: HostEntry): void {
    for (const [uri, one] of before.sessions) {
      if (after.sessions.get(uri) === one) continue;
      this.#owners.delete(uri);
      this.#sorted.splice(this.#indexOf(one.shown), 1);
    }
    this.#hosts.set(host, after);
    for (const [uri, one] of after.sessions) {
      if (before.sessions.get(uri) === one) continue;
      this.#owners.set(uri, host);
      this.#sorted.splice(this.#indexOf(one.shown), 0, one);
    }
  }

  #announceDifference(before: HostEntry, after: HostEntry): void {
    const announce = this.#announce();
    if (before.agents !== after.agents) announce.setAgents(this.#mergedAgents());
    // Another host may have taken it.
    for (const uri of before.sessions.keys())
      if (!after.sessions.has(uri) && !this.#owners.has(uri)) announce.sessionRemoved(uri);
    for (const [uri, one] of after.sessions) {
      const known = before.sessions.get(uri);
      if (!known) announce.sessionAdded(one.shown);
      else if (known !== one) announce.sessionChanged(uri, changesBetween(known.shown, one.shown));
    }
    if (this.#active === this.#sorted.length) return;
    this.#active = this.#sorted.length;
    announce.setActiveSessions(this.#active);
  }

  /** The place of a session in the list, or where it would be. */
  #indexOf({ modifiedAt, resource }: Pick<SessionSummary, 'modifiedAt' | 'resource'>): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const { shown } = this.#sorted[middle] as ListedSession;
      const isBefore = shown.modifiedAt === modifiedAt ? shown.resource < resource : shown.modifiedAt > modifiedAt;
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Every agent once: the same program on many machines is one agent to users. */
  #mergedAgents(): readonly AgentInfo[] {
    const merged = new Map<string, AgentInfo>();
    for (const { agents } of this.#hosts.values())
      for (const agent of agents) if (!merged.has(agent.provider)) merged.set(agent.provider, agent);
    return [...merged.values()];
  }
}

const RUNNING: ReadonlySet<number> = new Set([SessionStatus.InProgress, SessionStatus.InputNeeded]);

/** Where the gateway serves a host. */
export function addressOfHost(host: string): string {
  return `/hosts/${host}/`;
}

interface ShownHost extends NamedHost {
  /** Its sessions can be read, and not be steered. */
  readonly isAway?: boolean;
}

/** A summary that says of which host it is, whatever the host says of that. */
export function withHost(summary: SessionSummary, { id, name, isAway }: ShownHost): SessionSummary {
  const host = { id, name, address: addressOfHost(id), ...(isAway && { isAway }) };
  return { ...summary, _meta: { ...summary._meta, [ExtensionMeta.host]: host } };
}

function listed(original: SessionSummary, host: ShownHost): ListedSession {
  const shown = withHost(original, host);
  let text: string | undefined;
  return {
    host: host.id,
    original,
    shown,
    get text() {
      text ??= JSON.stringify(shown);
      return text;
    },
  };
}

/** `null` clears a member that is absent now. */
function changesBetween(before: SessionSummary, after: SessionSummary): Partial<SessionSummary> {
  const old: Record<string, unknown> = { ...before };
  const now: Record<string, unknown> = { ...after };
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  const changed = [...names].filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]));
  return Object.fromEntries(changed.map((name) => [name, now[name] ?? null])) as Partial<SessionSummary>;
}
