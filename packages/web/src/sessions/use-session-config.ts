import { type Client, RpcError } from '@moorage/client';
import { JsonRpcErrorCodes, type SessionConfigSchema } from '@moorage/protocol';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../connection/context.js';
import type { Suggest } from './ConfigCombobox.js';

export interface ResolvedConfig {
  readonly schema: SessionConfigSchema;
  readonly values: Readonly<Record<string, unknown>>;
}

/** What the settings of a new session depend on. */
export interface ConfigContext {
  readonly provider: string;
  readonly workingDirectory: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Pause after the last key, so that the host does not inspect a folder for every letter of its path. */
const PAUSE_MS = 150;

/** Undefined if the host has no settings for sessions. */
export async function resolveConfig(client: Client, context: ConfigContext): Promise<ResolvedConfig | undefined> {
  try {
    return (await client.request('resolveSessionConfig', configParams(context))) as ResolvedConfig;
  } catch (error) {
    if (error instanceof RpcError && error.code === JsonRpcErrorCodes.MethodNotFound) return undefined;
    throw error;
  }
}

/** Asks the host for values of a property that match the typed text. */
export function suggestIn(client: Client, context: ConfigContext): (property: string) => Suggest {
  return (property) => async (query) => {
    const params = { ...configParams(context), property, ...(query && { query }) };
    return (await client.request('sessionConfigCompletions', params)).items;
  };
}

function configParams({ provider, workingDirectory, config }: ConfigContext) {
  return { ...(provider && { provider }), config: { ...config }, ...(workingDirectory && { workingDirectory }) };
}

/** The settings for a new session, resolved again whenever something that they depend on changes. */
export function useSessionConfig({ provider, workingDirectory, config }: ConfigContext): ResolvedConfig | undefined {
  const client = useClient();
  const [resolved, setResolved] = useState<ResolvedConfig>();
  const isFirst = useRef(true); // nobody has typed yet, and a form that grows late moves its buttons from under the pointer
  useEffect(() => {
    let ended = false;
    const pause = isFirst.current ? 0 : PAUSE_MS;
    isFirst.current = false;
    const timer = setTimeout(async () => {
      try {
        const found = await resolveConfig(client, { provider, workingDirectory, config });
        if (!ended) setResolved(found);
      } catch {
        // Such as for a half-typed path. Starting the session reports the problem.
      }
    }, pause);
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [client, provider, workingDirectory, config]);
  return resolved;
}
