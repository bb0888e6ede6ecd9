import type { Mirror } from '@moorage/client';
import { type ActionOf, primaryDirectory, type SessionState } from '@moorage/protocol';
import { useClient } from '../connection/context.js';
import { useRights } from '../connection/rights.js';
import { Dialog } from '../ui/Dialog.js';
import { showFailure } from '../ui/toasts.js';
import { ConfigFields } from './ConfigFields.js';
import { suggestIn } from './use-session-config.js';

interface Props {
  readonly mirror: Mirror<'session'>;
  readonly state: SessionState;
  readonly onClose: () => void;
}

export function hasSettings({ config }: SessionState): boolean {
  return config !== undefined && Object.keys(config.schema.properties).length > 0;
}

/** The settings of a session. Those that may change later can be changed here, for everyone. */
export function SessionSettings({ mirror, state, onClose }: Props) {
  const { config, provider } = state;
  const client = useClient();
  const lacking = useRights().lacks('steer');
  if (!config) return null;
  const context = { provider, workingDirectory: primaryDirectory(state) ?? '', config: config.values };
  return (
    <Dialog title="Session settings" onClose={onClose}>
      <div className="form">
        {lacking && <p className="quiet">{lacking.replace('This', 'Changing them')}</p>}
        <ConfigFields
          schema={config.schema}
          values={config.values}
          isFixed={({ readOnly, sessionMutable }) =>
            lacking !== undefined || readOnly === true || sessionMutable !== true
          }
          suggest={suggestIn(client, context)}
          onChange={(key, value) => showFailure(mirror.dispatch(settingChanged(key, value, config.values)))}
        />
      </div>
    </Dialog>
  );
}

/** A setting without a value goes back to its default, which only replacing all of them can say. */
function settingChanged(
  key: string,
  value: unknown,
  { [key]: _before, ...others }: Readonly<Record<string, unknown>>,
): ActionOf<'session'> {
  if (value !== undefined) return { type: 'session/configChanged', config: { [key]: value } };
  return { type: 'session/configChanged', config: others, replace: true };
}
