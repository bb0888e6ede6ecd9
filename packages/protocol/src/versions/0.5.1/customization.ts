import type { AddressedAction } from '../dialect.js';
import { asList, type WireAction, type WireObject, without } from '../shared/wire.js';
import { type About, type Around, Refusal } from '../step.js';

/** 0.5.1 knows nothing of versions, and cannot tell which things inside a container are used. */
export function knownCustomization(later: WireObject): WireObject {
  switch (later.type) {
    case 'plugin':
      return without(later, '_meta', 'version');
    case 'directory':
    case 'mcpServer':
      return without(later, '_meta');
    case 'agent':
      return without(later, 'enabled', 'disableModelInvocation', 'disableUserInvocation');
    default:
      return without(later, '_meta', 'enabled', 'disableUserInvocation');
  }
}

/** 0.5.1 switches only what is at the top; of what is inside, only servers show whether they are used. */
export function toggledDown(action: WireAction, around: Around): WireObject | readonly AddressedAction[] {
  const list = asList((around.after ?? around.session)?.customizations);
  if (list.some(({ id }) => id === action.id)) return action;
  const isServer = ({ id, type }: WireObject) => id === action.id && type === 'mcpServer';
  const container = list.find(({ children }) => asList(children).some(isServer));
  if (!container) return [];
  return [{ channel: around.channel, action: { type: 'session/customizationUpdated', customization: container } }];
}

export function toggledUp(action: WireAction, { channel, directory }: About): WireObject | Refusal {
  const list = directory.session(channel)?.customizations ?? [];
  const isKnown = list.length === 0 || list.some(({ id }) => id === action.id);
  return isKnown ? action : new Refusal(`there is no customization "${String(action.id)}" at the top`);
}

export function startRequestedDown({ id }: WireAction, { channel }: Around): readonly AddressedAction[] {
  return [{ channel, action: { type: 'session/mcpServerStateChanged', id, state: { kind: 'starting' } } }];
}

export function stopRequestedDown({ id }: WireAction, { channel }: Around): readonly AddressedAction[] {
  return [{ channel, action: { type: 'session/mcpServerStateChanged', id, state: { kind: 'stopped' } } }];
}
