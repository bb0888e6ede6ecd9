import { ExtensionMeta, type SessionSummary } from '@moorage/protocol';

/** Where the gateway of a fleet serves one of its hosts. Nothing else is followed: the address comes over the network. */
const HOST_ADDRESS = /^\/hosts\/[\w-]{1,64}\/$/;

/** What this page connects to: the host that serves it or, under such an address, that host of the gateway. */
export function ownAddress(): string {
  return HOST_ADDRESS.test(location.pathname) ? location.pathname : '/';
}

/** The address of the host that a session is at, if the page shows the list of a gateway. */
export function addressOfSession(summary: SessionSummary | undefined): string | undefined {
  const host = summary?._meta?.[ExtensionMeta.host] as { address?: unknown } | undefined;
  const { address } = host ?? {};
  return ownAddress() === '/' && typeof address === 'string' && HOST_ADDRESS.test(address) ? address : undefined;
}

/** Where the gateway serves a host of its fleet. */
export function addressOfHost(id: string): string {
  return `/hosts/${encodeURIComponent(id)}/`;
}
