import type { Rules } from './rules.js';
import { changeFirst, list, object, removeFirst, upsert, type Wire } from './wire.js';

export function reduceCustomizations(rules: Rules, session: Wire, action: Wire): Wire {
  const known = session.customizations as Wire[] | undefined;
  const isIt = ({ id }: Wire) => id === action.id;
  switch (action.type) {
    case 'session/customizationsChanged':
      return { ...session, customizations: action.customizations };
    case 'session/customizationUpdated': {
      const entry = object(action.customization);
      return { ...session, customizations: upsert(known ?? [], entry, ({ id }) => id === entry.id) };
    }
    case 'session/customizationToggled':
      return known ? { ...session, customizations: toggle(rules, known, action) } : session;
    case 'session/customizationRemoved': {
      if (!known) return session;
      const customizations = known.some(isIt)
        ? removeFirst(known, isIt)
        : known.map((entry) =>
            has(entry, isIt) ? { ...entry, children: removeFirst(list(entry.children), isIt) } : entry,
          );
      return { ...session, customizations };
    }
    case 'session/mcpServerStateChanged':
      return changeServer(session, action.id, { state: action.state, channel: action.channel });
    case 'session/mcpServerStartRequested':
      if (!rules.recordsAnswers) return session;
      return changeServer(session, action.id, { state: { kind: 'starting' }, channel: undefined });
    case 'session/mcpServerStopRequested':
      if (!rules.recordsAnswers) return session;
      return changeServer(session, action.id, { state: { kind: 'stopped' }, channel: undefined });
    default:
      return session;
  }
}

function toggle(rules: Rules, known: readonly Wire[], action: Wire): readonly Wire[] {
  const isIt = ({ id }: Wire) => id === action.id;
  const switched = (entry: Wire) => withDecision(rules, entry, action);
  if (known.some(isIt)) return changeFirst(known, isIt, switched);
  if (!rules.recordsAnswers) return known;
  return changeFirst(
    known,
    (entry) => has(entry, isIt),
    (entry) => ({ ...entry, children: changeFirst(list(entry.children), isIt, switched) }),
  );
}

function withDecision(rules: Rules, entry: Wire, action: Wire): Wire {
  if (!rules.hasErrorParts) return { ...entry, enabled: action.enabled };
  const enablement = list(action.enablement);
  if (entry.type !== 'plugin' && entry.type !== 'mcpServer') {
    return { ...entry, enabled: enablement[0]?.enabled ?? true };
  }
  return { ...entry, enablement: enablement.length ? enablement : undefined };
}

function has(entry: Wire, isIt: (child: Wire) => boolean): boolean {
  return entry.type !== 'mcpServer' && list(entry.children).some(isIt);
}

function changeServer(session: Wire, id: unknown, changes: Wire): Wire {
  const known = session.customizations as Wire[] | undefined;
  const isIt = (entry: Wire) => entry.id === id;
  const change = (entry: Wire) => (entry.type === 'mcpServer' ? { ...entry, ...changes } : entry);
  if (!known) return session;
  if (known.some(isIt)) return { ...session, customizations: changeFirst(known, isIt, change) };
  const customizations = known.map((entry) =>
    has(entry, isIt) ? { ...entry, children: changeFirst(list(entry.children), isIt, change) } : entry,
  );
  return { ...session, customizations };
}
