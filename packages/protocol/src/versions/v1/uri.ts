import { ROOT_URI } from '../../channels/root/uri.js';
import { parseSessionUri, sessionUri } from '../../channels/session/uri.js';
import type { URI } from '../../common/uri.js';
import type { Directory } from '../dialect.js';

const V1_ROOT = 'agenthost:/root';

/** Version 1 has another root, and the scheme of a session is its provider. */
export function shownUri(uri: URI, directory: Pick<Directory, 'providerOf'>): URI {
  if (uri === ROOT_URI) return V1_ROOT;
  const id = sessionUri.parse(uri);
  const provider = id === undefined ? undefined : directory.providerOf(uri);
  return provider === undefined ? uri : `${provider}:/${id}`;
}

/** The same for any member that may hold the URI of a session. */
export function shownMember(value: unknown, directory: Directory): unknown {
  return typeof value === 'string' ? shownUri(value, directory) : value;
}

/** The scheme and the rest of a session URI that names its provider; undefined for one of ours. */
export function providerUri(uri: URI): { provider: string; id: string } | undefined {
  const { scheme: provider, id } = parseSessionUri(uri) ?? {};
  return provider === undefined || id === undefined || provider.startsWith('ahp-') ? undefined : { provider, id };
}
