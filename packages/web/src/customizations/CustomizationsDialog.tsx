import type { Mirror } from '@moorage/client';
import { primaryDirectory, type SessionState } from '@moorage/protocol';
import { useRights } from '../connection/rights.js';
import { Dialog } from '../ui/Dialog.js';
import { showFailure } from '../ui/toasts.js';
import { AddCustomization } from './AddCustomization.js';
import { ContainerRow } from './ContainerRow.js';
import { containersOf, type Toggle, toggled } from './entries.js';
import { ServerRow } from './ServerRow.js';

interface Props {
  readonly mirror: Mirror<'session'>;
  readonly state: SessionState;
  readonly onClose: () => void;
}

/** The customizations of a session: MCP servers, plugins, and folders with rules, skills, prompts and agents. */
export function CustomizationsDialog({ mirror, state, onClose }: Props) {
  const toggle: Toggle = (entry, enabled) =>
    showFailure(
      mirror.dispatch({ type: 'session/customizationToggled', id: entry.id, enablement: toggled(entry, enabled) }),
    );
  const { may, lacks } = useRights();
  const servers = (state.customizations ?? []).filter((entry) => entry.type === 'mcpServer');
  const containers = containersOf(state);
  const plugins = containers.filter(({ type }) => type === 'plugin');
  const folders = containers.filter(({ type }) => type === 'directory');
  return (
    <Dialog title="Tools and rules" className="customizations" onClose={onClose}>
      {servers.length + containers.length === 0 && (
        <p className="quiet">
          Nothing here yet. Rules and skills are files in the session's folder; MCP servers and plugins are in the
          host's configuration.
        </p>
      )}
      {servers.length > 0 && (
        <section>
          <h3>MCP servers</h3>
          <ul className="customization-list">
            {servers.map((server) => (
              <ServerRow key={server.id} server={server} onToggle={toggle} />
            ))}
          </ul>
        </section>
      )}
      {plugins.length > 0 && (
        <section>
          <h3>Plugins</h3>
          <ul className="customization-list">
            {plugins.map((entry) => (
              <ContainerRow key={entry.id} entry={entry} onToggle={toggle} />
            ))}
          </ul>
        </section>
      )}
      {folders.length > 0 && (
        <section>
          <h3>Rules, skills and prompts</h3>
          <ul className="customization-list">
            {folders.map((entry) => (
              <ContainerRow key={entry.id} entry={entry} onToggle={toggle} />
            ))}
          </ul>
        </section>
      )}
      {may('steer') ? (
        <AddCustomization folder={primaryDirectory(state)} />
      ) : (
        <p className="quiet">{lacks('steer')?.replace('This', 'Changing them')}</p>
      )}
    </Dialog>
  );
}
