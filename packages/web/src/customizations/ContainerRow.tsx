import type { ChildCustomization } from '@moorage/protocol';
import { pathOf, plural } from '../ui/format.js';
import { visible } from '../ui/visible.js';
import { type Container, isEnabled, KIND_LABELS, type Toggle } from './entries.js';
import { ServerRow } from './ServerRow.js';
import { Switch } from './Switch.js';

interface Props {
  readonly entry: Container;
  readonly onToggle: Toggle;
}

/** A plugin or a folder: what it contains, whether it could be loaded, and whether it is enabled. */
export function ContainerRow({ entry, onToggle }: Props) {
  const { name, uri, load, children = [] } = entry;
  const things = children.filter((child) => child.type !== 'mcpServer');
  const servers = children.filter((child) => child.type === 'mcpServer');
  const path = visible(pathOf(uri));
  return (
    <li className="customization">
      <div className="customization-row">
        <bdi className="customization-name" title={path}>
          {visible(name)}
        </bdi>
        {entry.type === 'plugin' && (
          <span className="tag">{entry.clientId === undefined ? 'plugin' : 'from a client'}</span>
        )}
        <span className="quiet">{load?.kind === 'loading' ? 'Loading…' : contentsOf(children)}</span>
        <span className="spring" />
        <Switch on={isEnabled(entry)} label={`${visible(name)}, ${path}`} onChange={(on) => onToggle(entry, on)} />
      </div>
      {(load?.kind === 'error' || load?.kind === 'degraded') && <p className="problem">{visible(load.message)}</p>}
      {things.length > 0 && (
        <details>
          <summary>{path}</summary>
          <ul className="customization-children">
            {things.map((child) => (
              <li key={child.id}>
                <bdi className="customization-name">{visible(child.name)}</bdi>{' '}
                <span className="quiet">{visible(aboutOf(child))}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {servers.length > 0 && (
        <ul className="customization-children">
          {servers.map((server) => (
            <ServerRow key={server.id} server={server} onToggle={onToggle} />
          ))}
        </ul>
      )}
    </li>
  );
}

function contentsOf(children: readonly ChildCustomization[]): string {
  const counts = new Map<ChildCustomization['type'], number>();
  for (const { type } of children) counts.set(type, (counts.get(type) ?? 0) + 1);
  const parts = [...counts].map(([type, count]) =>
    plural(count, KIND_LABELS[type] ?? 'entry', `${KIND_LABELS[type] ?? 'entrie'}s`),
  );
  return parts.join(', ') || 'empty';
}

function aboutOf(child: ChildCustomization): string {
  if (child.type === 'rule')
    return child.description ?? (child.alwaysApply ? 'for every message' : (child.globs?.join(', ') ?? ''));
  return ('description' in child && child.description) || '';
}
