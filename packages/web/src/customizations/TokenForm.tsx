import type { ProtectedResourceMetadata } from '@moorage/protocol';
import { useId, useState } from 'react';
import { useClient } from '../connection/context.js';
import { giveToken } from '../connection/resource-tokens.js';
import { safeLink } from '../markdown/safe-url.js';
import { sentenceOf } from '../ui/sentence.js';
import { visible } from '../ui/visible.js';

interface Props {
  readonly resource: ProtectedResourceMetadata;
  readonly scopes?: readonly string[] | undefined;
  /** The host has accepted the token. Whether the server does shows in its state. */
  readonly onGiven?: () => void;
}

/** Asks the user for a token for an agent or a server. It is sent only to this host. */
export function TokenForm({ resource, scopes = resource.scopes_supported, onGiven }: Props) {
  const client = useClient();
  const id = useId();
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const give = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await giveToken(client, resource.resource, token.trim());
      setToken('');
      onGiven?.();
    } catch (error) {
      setProblem(sentenceOf(error));
    }
    setBusy(false);
  };
  const name = visible(resource.resource_name ?? resource.resource);
  return (
    <div className="token-form">
      <label htmlFor={id}>
        Token for <bdi>{name}</bdi>
      </label>
      {resource.resource_name !== undefined && <bdi className="quiet token-about">{visible(resource.resource)}</bdi>}
      {resource.authorization_servers?.map((server) => {
        const link = safeLink(server);
        return (
          <span key={server} className="quiet token-about">
            Tokens come from{' '}
            {link ? (
              <a href={link} target="_blank" rel="noopener noreferrer nofollow">
                {visible(server)}
              </a>
            ) : (
              <bdi>{visible(server)}</bdi>
            )}
          </span>
        );
      })}
      {scopes && scopes.length > 0 && (
        <span className="quiet token-about">
          It must allow <bdi>{visible(scopes.join(', '))}</bdi>
        </span>
      )}
      <div className="token-row">
        <input
          id={id}
          type="password"
          autoComplete="off"
          value={token}
          onChange={(event) => setToken(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !token.trim()) return;
            event.preventDefault();
            void give();
          }}
        />
        <button type="button" className="button" disabled={busy || !token.trim()} onClick={() => void give()}>
          Give token
        </button>
      </div>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
