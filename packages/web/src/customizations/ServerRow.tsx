import type { McpServerCustomization } from '@moorage/protocol';
import { visible } from '../ui/visible.js';
import { SERVER_LABELS } from './entries.js';
import { Switch } from './Switch.js';
import { TokenForm } from './TokenForm.js';

interface Props {
  readonly server: McpServerCustomization;
  readonly onToggle: (id: string, enabled: boolean) => void;
}

/** An MCP server with its state, its error, and a form for the token that it needs. */
export function ServerRow({ server: { id, name, enabled, state }, onToggle }: Props) {
  return (
    <li className="customization">
      <div className="customization-row">
        <span className="dot" data-mood={MOODS[state.kind]} />
        <bdi className="customization-name">{visible(name)}</bdi>
        <span className="quiet">{enabled ? SERVER_LABELS[state.kind] : 'Switched off'}</span>
        <span className="spring" />
        <Switch on={enabled} label={`MCP server ${visible(name)}`} onChange={(on) => onToggle(id, on)} />
      </div>
      {enabled && state.kind === 'error' && <p className="problem">{visible(state.error.message)}</p>}
      {enabled && state.kind === 'authRequired' && (
        <>
          {state.reason !== 'required' && (
            <p className="quiet">
              {state.reason === 'expired' ? 'The token has expired.' : 'The token does not have enough permissions.'}
            </p>
          )}
          {state.description && <p className="quiet">{visible(state.description)}</p>}
          <TokenForm resource={state.resource} scopes={state.requiredScopes} />
        </>
      )}
    </li>
  );
}

const MOODS = {
  starting: 'working',
  ready: 'ready',
  authRequired: 'needs-you',
  error: 'error',
  stopped: 'idle',
} as const;
