import { JsonRpcErrorCodes, RpcError, type SessionConfigSchema } from '@ahpd/protocol';
import { useEffect, useState } from 'react';
import { useClient } from '../connection/context.js';

export interface ResolvedConfig {
  readonly schema: SessionConfigSchema;
  readonly values: Readonly<Record<string, unknown>>;
}

/** What can be set for a new session; undefined where the host offers nothing. */
export function useSessionConfig(
  provider: string,
  workingDirectory: string,
  config: Readonly<Record<string, unknown>>,
): ResolvedConfig | undefined {
  const client = useClient();
  const [resolved, setResolved] = useState<ResolvedConfig>();
  useEffect(() => {
    let ended = false;
    const params = { provider, config: { ...config }, ...(workingDirectory && { workingDirectory }) };
    client.request('resolveSessionConfig', params).then(
      (result) => !ended && setResolved(result as ResolvedConfig),
      (error: unknown) => {
        // A value that is still being typed may be wrong; creating the session says so. A host need not have settings.
        const isWrongValue = error instanceof RpcError && error.code === JsonRpcErrorCodes.InvalidParams;
        if (!ended && !isWrongValue) setResolved(undefined);
      },
    );
    return () => {
      ended = true;
    };
  }, [client, provider, workingDirectory, config]);
  return resolved;
}
