import { type Client, connect } from '@moorage/client';
import type { FleetUser, Handlers, IndexClient } from '@moorage/host';
import {
  AhpErrorCodes,
  type FleetHost,
  JsonRpcErrorCodes,
  RpcError,
  type SessionConfigSchema,
  type SessionConfigValueItem,
  type Transport,
  type URI,
} from '@moorage/protocol';
import { hostsThatFit } from '@moorage/protocol/internal';

export interface PlacingOptions {
  readonly hosts: () => readonly FleetHost[];
  /** Whoever asks; undefined if the token was revoked meanwhile. */
  readonly userOf: (client: IndexClient) => FleetUser | undefined;
  /** A connection with a host, for somebody. */
  readonly dial: (host: string, user: FleetUser) => Promise<Transport>;
  /** Where a session is served that there is already. */
  readonly addressOf: (session: URI) => Promise<string | undefined>;
  /** A session was made on a host: its place is known before the host has listed it. */
  readonly onCreated: (session: URI, host: string) => void;
}

/** The setting by which a client of the index says where a session is to run. */
const MACHINE = 'machine';

type Config = Readonly<Record<string, unknown>>;

/**
 * Lets clients of the index make sessions, on the machine that they choose in a setting. Everything else is decided by that
 * host, for the person who asks.
 */
export function placingSessions({ hosts, userOf, dial, addressOf, onCreated }: PlacingOptions): Handlers<IndexClient> {
  const here = () => hosts().filter(({ state }) => state === 'here');
  /** The one that was chosen; the only one, if none was. */
  const chosen = (config: Config): FleetHost | undefined => {
    const wanted = config[MACHINE];
    if (wanted === undefined) return here().length === 1 ? here()[0] : undefined;
    if (typeof wanted !== 'string') return undefined;
    return hostsThatFit(here(), [wanted])[0] ?? hostsThatFit(here(), wordsOf(wanted))[0];
  };
  const atHost = async <T>(host: FleetHost, client: IndexClient, use: (own: Client) => Promise<T>): Promise<T> => {
    const user = userOf(client);
    if (!user) throw refused('your token was revoked');
    let own: Client | undefined;
    try {
      own = await connect({ transport: () => dial(host.id, user), clientInfo: { name: 'moorage-gateway' } });
      return await use(own);
    } catch (error) {
      throw asRpcError(error, host);
    } finally {
      own?.close();
    }
  };
  return {
    resolveSessionConfig: async ({ config = {}, ...params }, client) => {
      const host = chosen(config);
      const property = machineProperty(here());
      if (!host)
        return { schema: { type: 'object', properties: { machine: property }, required: [MACHINE] }, values: {} };
      const of = { ...params, config: withoutMachine(config) };
      const { schema, values } = await atHost(host, client, (own) => own.request('resolveSessionConfig', of));
      const machine = config[MACHINE] ?? host.name;
      return {
        schema: { ...schema, properties: { machine: property, ...schema.properties } },
        values: { ...values, machine },
      };
    },
    sessionConfigCompletions: async ({ config = {}, ...params }, client) => {
      if (params.property === MACHINE) return { items: machines(here()).filter(matching(params.query)) };
      const host = chosen(config);
      if (!host) return { items: [] };
      const of = { ...params, config: withoutMachine(config) };
      return atHost(host, client, (own) => own.request('sessionConfigCompletions', of));
    },
    createSession: async ({ activeClient: _, config = {}, ...params }, client) => {
      const address = await addressOf(params.channel);
      if (address !== undefined) throw existsAt(params.channel, address);
      const host = chosen(config) ?? refuseToChoose(config[MACHINE], here());
      const of = { ...params, config: withoutMachine(config) };
      await atHost(host, client, (own) => own.request('createSession', of));
      onCreated(params.channel, host.id);
      return null;
    },
  };
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

function withoutMachine({ [MACHINE]: _, ...config }: Config): Record<string, unknown> {
  return config;
}

/** Hosts by their names, and each label once. */
function machines(hosts: readonly FleetHost[]): SessionConfigValueItem[] {
  const labels = [...new Set(hosts.flatMap((host) => host.labels))].sort();
  return [
    ...hosts.map(({ name, labels: its }) => ({ value: name, label: name, description: its.join(' ') })),
    ...labels.map((label) => ({ value: label, label, description: 'The least busy machine with this label' })),
  ];
}

function matching(query = ''): (item: SessionConfigValueItem) => boolean {
  return ({ value }) => value.toLowerCase().includes(query.toLowerCase());
}

function machineProperty(hosts: readonly FleetHost[]): SessionConfigSchema['properties'][string] {
  const all = machines(hosts);
  return {
    type: 'string',
    title: 'Machine',
    description: 'Where the session runs: a machine by its name, or the least busy one with a label.',
    enum: all.map(({ value }) => value),
    enumLabels: all.map(({ label }) => label),
    enumDescriptions: all.map(({ description = '' }) => description),
    enumDynamic: true, // several labels are written with spaces between them
  };
}

function refuseToChoose(wanted: unknown, hosts: readonly FleetHost[]): never {
  const there = hosts.map(({ name, labels }) => [name, ...labels].join(' ')).join('; ');
  const which = there === '' ? 'no machine of the fleet is there' : `there are: ${there}`;
  const problem =
    wanted === undefined ? 'choose a machine for the session' : `no machine that is there fits "${wanted}"`;
  throw refused(`config.${MACHINE}: ${problem}; ${which}`);
}

/** Its host would refuse it, but another one would not know of it. */
function existsAt(session: URI, address: string): RpcError {
  const message = `there is a session ${session} already: it is served at ${address}`;
  return new RpcError(AhpErrorCodes.SessionAlreadyExists, message, { data: { address } });
}

function refused(message: string): RpcError {
  return new RpcError(JsonRpcErrorCodes.InvalidParams, message);
}

/** What the host answered; a host that went away meanwhile is named. */
function asRpcError(error: unknown, { name }: FleetHost): RpcError {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof RpcError) return cause;
  const reason = error instanceof Error ? error.message : String(error);
  return new RpcError(JsonRpcErrorCodes.InternalError, `the host ${name} did not answer: ${reason}`);
}
