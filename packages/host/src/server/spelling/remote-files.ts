import type { URI } from '@moorage/protocol';

/** A file as VS Code in a browser names it: on the machine of its own server. */
interface RemoteFile {
  /** The address of that server, or what else VS Code calls the machine. */
  readonly authority: string;
  readonly uri: URI;
}

const SCHEME = 'vscode-remote://';

/** Takes `vscode-remote://AUTHORITY/path` apart, with the same path as a `file:` URI; undefined for any other. */
export function parseRemoteFile(uri: URI): RemoteFile | undefined {
  const [, authority, path] = /^vscode-remote:\/\/([^/?#\s]+)(\/.*)$/i.exec(uri) ?? [];
  return authority === undefined || path === undefined ? undefined : { authority, uri: `file://${path}` };
}

/** The name of a `file:` URI on that machine. */
export function remoteFileUri(authority: string, uri: URI): URI {
  return uri.startsWith('file:///') ? SCHEME + authority + uri.slice('file://'.length) : uri;
}

/**
 * Whether an authority names the machine of a host that was reached under a name. VS Code's server is another program with a
 * port of its own, so ports do not count. `ssh-remote+box` and the like are no addresses: those machines are other ones.
 */
export function isThisMachine(authority: string, reachedAs: string | undefined): boolean {
  const name = hostName(authority);
  if (name === undefined || reachedAs === undefined) return false;
  return name === reachedAs || (isLoopback(name) && isLoopback(reachedAs));
}

function hostName(authority: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/.exec(authority.toLowerCase())?.[1];
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(name);
}
