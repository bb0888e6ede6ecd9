import { networkInterfaces } from 'node:os';
import { isLoopback } from './checked-options.js';

export interface Listening {
  /** The address that the host listens on. */
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** Where the configuration says that the page is reached. */
  readonly page?: string | undefined;
}

/** Where another device finds the page; undefined if it cannot. */
export function reachablePage({ host, port, tls, page }: Listening): string | undefined {
  if (page !== undefined) return new URL('/', page).href;
  if (isLoopback(host)) return undefined;
  const name = host === '0.0.0.0' || host === '::' ? ownAddress() : host;
  if (name === undefined) return undefined;
  return `${tls ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}/`;
}

/** An address of this machine in its network. */
function ownAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}
