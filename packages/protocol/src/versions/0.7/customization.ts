import { isEnabledBy } from '../../channels/session/customization-enablement.js';
import { asList, type WireObject, without } from '../shared/wire.js';
import type { About, UpActionStep } from '../step.js';

/** 0.7 has one decision on each plugin and server, and none on the things inside a client's plugin. */
export function withEnabled(later: WireObject): WireObject {
  if (!hasScopes(later)) return later;
  const { enablement, childEnablement: _, ...others } = later;
  return { ...others, enabled: isEnabledBy(enablement as never) };
}

/** A decision of 0.7 counts for the session. To be enabled needs no decision. */
export function withEnablement(earlier: WireObject): WireObject {
  if (!hasScopes(earlier) || typeof earlier.enabled !== 'boolean') return earlier;
  const { enabled, ...others } = earlier;
  return enabled ? others : { ...others, enablement: [{ kind: 'session', enabled }] };
}

export function toggledDown(action: WireObject): WireObject {
  return { ...without(action, 'enablement'), enabled: isEnabledBy(action.enablement as never) };
}

/** The decision for the session changes, those with a wider scope stay. */
export const toggledUp: UpActionStep = (action, about) => {
  if (typeof action.enabled !== 'boolean') return action;
  const { enabled, ...others } = action;
  const wider = enablementOf(String(action.id), about).filter(({ kind }) => kind !== 'session');
  return { ...others, enablement: [{ kind: 'session', enabled }, ...wider] };
};

function enablementOf(id: string, { channel, directory }: About): readonly WireObject[] {
  const list = asList(directory.session(channel)?.customizations);
  const entry = [...list, ...list.flatMap(({ children }) => asList(children))].find((each) => each.id === id);
  return asList(entry?.enablement);
}

function hasScopes({ type }: WireObject): boolean {
  return type === 'plugin' || type === 'mcpServer';
}
