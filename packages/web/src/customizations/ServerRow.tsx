import type { McpServerCustomization } from '@moorage/protocol';
import { visible } from '../ui/visible.js';
import { isEnabled, SERVER_LABELS, type Toggle } from './entries.js';
import { Switch } from './Switch.js';
import { TokenRequest } from './TokenRequest.js';

interface Props {
  readonly server: McpServerCustomization;
  readonly onToggle: Toggle;
}

/** An MCP server with its state, its error, and a form for the token that it needs. */
export function ServerRow({ server, onToggle }: Props) {
  const { name, state } = server;
  const enabled = isEnabled(server);
  return (
    <li className="customization">
      <div className="customization-row">
        <span className="dot" data-mood={MOODS[state.kind]} />
        <bdi className="customization-name">{visible(name)}</bdi>
        <span className="quiet">{enabled ? SERVER_LABELS[state.kind] : 'Switched off'}</span>
        <span className="spring" />
        <Switch on={enabled} label={`MCP server ${visible(name)}`} onChange={(on) => onToggle(server, on)} />
      </div>
      {enabled && state.kind === 'error' && <p className="problem">{visible(state.error.message)}</p>}
      {enabled && state.kind === 'authRequired' && <TokenRequest need={state} />}
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
