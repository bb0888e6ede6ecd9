/** A host that sandboxed programs may reach: `api.example`, `*.example` for every name below it, each also with `:PORT`. */
const ENTRY = /^(\*\.)?([a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i;

/** The ports of an entry that names none. */
const USUAL_PORTS: readonly number[] = [443, 80];

export function isListedHost(text: string): boolean {
  const port = ENTRY.exec(text)?.[3];
  return ENTRY.test(text) && (port === undefined || (Number(port) > 0 && Number(port) < 65_536));
}

/** The entry that allows a connection; undefined if none does. */
export function entryFor(hosts: readonly string[], host: string, port: number): ListedEntry | undefined {
  const name = host.toLowerCase().replace(/\.$/, '');
  return hosts.map(parse).find((entry) => {
    const isNamed = entry.isBelow ? name.endsWith(`.${entry.host}`) : name === entry.host;
    return isNamed && (entry.port === undefined ? USUAL_PORTS.includes(port) : port === entry.port);
  });
}

export interface ListedEntry {
  readonly host: string;
  /** The entry is for all names below, not for this one. */
  readonly isBelow: boolean;
  readonly port: number | undefined;
}

function parse(text: string): ListedEntry {
  const [, below, host = '', port] = ENTRY.exec(text) ?? [];
  return {
    host: host.toLowerCase(),
    isBelow: below !== undefined,
    port: port === undefined ? undefined : Number(port),
  };
}
