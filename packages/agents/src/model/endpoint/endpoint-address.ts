import type { ModelEndpoint } from '../options.js';

export function urlAt({ baseURL }: ModelEndpoint, path: string): string {
  return `${baseURL.replace(/\/+$/, '')}/${path}`;
}

/** The headers that say who asks; none without a key, because some servers refuse an empty one. */
export function keyHeaders({ api, apiKey, token }: ModelEndpoint): Record<string, string> {
  const bearer = token ?? (api === 'anthropic' ? undefined : apiKey);
  if (bearer) return { authorization: `Bearer ${bearer}` };
  return apiKey ? { 'x-api-key': apiKey } : {};
}
