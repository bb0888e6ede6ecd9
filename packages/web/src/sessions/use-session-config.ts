import { type Client, RpcError } from '@ahpd/client';
import { JsonRpcErrorCodes, type SessionConfigSchema } from '@ahpd/protocol';
import { useEffect, useState } from 'react';
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

/** After the last key: a path is typed letter by letter, and the host looks into the folder each time. */
const PAUSE_MS = 150;

/** Undefined where the host has no settings for new sessions. */
export async function resolveConfig(client: Client, context: ConfigContext): Promise<ResolvedConfig | undefined> {
  try {
    return (await client.request('resolveSessionConfig', configParams(context))) as ResolvedConfig;
  } catch (error) {
    if (error instanceof RpcError && error.code === JsonRpcErrorCodes.MethodNotFound) return undefined;
    throw error;
  }
}

/** What the host offers for a property of these settings, for what was typed. */
export function suggestIn(client: Client, context: ConfigContext): (property: string) => Suggest {
  return (property) => async (query) => {
    const params = { ...configParams(context), property, ...(query && { query }) };
    return (await client.request('sessionConfigCompletions', params)).items;
  };
}

function configParams({ provider, workingDirectory, config }: ConfigContext) {
  return { ...(provider && { provider }), config: { ...config }, ...(workingDirectory && { workingDirectory }) };
}

/** What can be set for a new session, asked for again whenever it may be something else. */
export function useSessionConfig({ provider, workingDirectory, config }: ConfigContext): ResolvedConfig | undefined {
  const client = useClient();
  const [resolved, setResolved] = useState<ResolvedConfig>();
  useEffect(() => {
    let ended = false;
    const timer = setTimeout(async () => {
      try {
        const found = await resolveConfig(client, { provider, workingDirectory, config });
        if (!ended) setResolved(found);
      } catch {
        // Such as a path that is half typed. What is wrong is said when the session is to be started.
      }
    }, PAUSE_MS);
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [client, provider, workingDirectory, config]);
  return resolved;
}
