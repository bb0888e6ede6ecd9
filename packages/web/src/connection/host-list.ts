import { tokenInLink } from './token.js';

/** A host that the user added to this page. Its id is its origin, so there is one entry per origin. */
export interface HostEntry {
  readonly id: string;
  readonly name: string;
  readonly token: string;
}

/**
 * The list is kept only in this browser: hosts know nothing of each other. It outlives the tab, unlike the token of the host
 * that serves the page, because no printed link would bring it back.
 */
const KEY = 'moorage.hosts';
/** More than anyone watches. Each is a connection. */
const MAX_HOSTS = 20;
const MAX_NAME = 40;

export function loadHosts(): readonly HostEntry[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isEntry).slice(0, MAX_HOSTS) : [];
  } catch {
    return [];
  }
}

export function saveHosts(hosts: readonly HostEntry[]): void {
  if (hosts.length === 0) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify(hosts));
}

export function onHostsOfOtherTabs(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => (key === KEY || key === null) && listener();
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/** Turns typed text into an entry, or into a sentence that says what is wrong with it. */
export function entryFrom(
  typed: { readonly address: string; readonly token: string; readonly name: string },
  hosts: readonly HostEntry[],
  page: { readonly origin: string; readonly protocol: string } = location,
): HostEntry | string {
  const text = typed.address.trim();
  const full = /^[a-z]+:\/\//i.test(text) ? text : `${page.protocol}//${text}`;
  if (!text || !URL.canParse(full)) return 'That is not an address such as https://build.example:7433.';
  const url = new URL(full);
  const protocol = PROTOCOLS[url.protocol];
  if (!protocol || !url.host) return 'An address starts with http, https, ws or wss.';
  if (page.protocol === 'https:' && protocol === 'http:')
    return 'A page that was loaded over https cannot connect without encryption. The other host needs TLS, too.';
  const id = `${protocol}//${url.host}`;
  if (id === page.origin) return 'That is the host that serves this page.';
  const token = typed.token.trim() || tokenInLink(url.hash || url.search) || '';
  if (!token) return 'The token is missing. It is in the link that the other host printed.';
  if (!/^[\w.~+/=-]+$/.test(token)) return 'That is not a token.';
  if (hosts.length >= MAX_HOSTS && !hosts.some((host) => host.id === id))
    return `At most ${MAX_HOSTS} hosts can be added.`;
  return { id, token, name: typed.name.trim().slice(0, MAX_NAME) || url.host };
}

const PROTOCOLS: Readonly<Record<string, 'http:' | 'https:'>> = {
  'http:': 'http:',
  'https:': 'https:',
  'ws:': 'http:',
  'wss:': 'https:',
};

function isEntry(value: unknown): value is HostEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, token } = value as Record<string, unknown>;
  return (
    typeof id === 'string' && /^https?:\/\/[^/]+$/.test(id) && typeof name === 'string' && typeof token === 'string'
  );
}
