import { isObject } from '../../../common/is-object.js';
import { mapMember, mapObject, type WireObject, without } from '../wire.js';
import { callForm, on, onEach, onEachShown } from './conversation.js';
import { type About, type Form, type Forms, type HidingForm, inTurn } from './forms.js';

/** A customization with what is inside it. */
export function customizationForm({ customization, mcpState }: Forms): Form | undefined {
  const one = inTurn(customization, on('state', mcpState));
  return inTurn(one, onEach('children', one));
}

/** A client that offers tools and customizations to a session. */
export function activeClientForm(forms: Forms): Form | undefined {
  return onEach('customizations', customizationForm(forms));
}

export function inputNeededForm(forms: Forms): HidingForm | undefined {
  const { inputNeeded } = forms;
  const call = on('toolCall', callForm(forms));
  if (!inputNeeded || !call) return inputNeeded ?? call;
  return (piece, about) => {
    const own = inputNeeded(piece, about);
    return own && call(own, about);
  };
}

/** A settings schema with all its properties. */
export function schemaForm({ property }: Forms): Form | undefined {
  if (!property) return undefined;
  const all = (schema: WireObject, about: About): WireObject => {
    const inside = mapObject(schema, 'properties', (properties) =>
      mapValues(properties, (each) => nested(each, about)),
    );
    const items = mapObject(inside, 'items', (each) => nested(each, about));
    return mapObject(items, 'additionalProperties', (each) => nested(each, about));
  };
  const nested = (schema: WireObject, about: About) => all(property(schema, about), about);
  return all;
}

/** Settings with their schema. */
function configForm(forms: Forms): Form | undefined {
  return on('schema', schemaForm(forms));
}

/** Everything in the state of a session. */
export function sessionForm(forms: Forms): Form | undefined {
  return inTurn(
    forms.session,
    onEach('chats', forms.chatEntry),
    onEach('customizations', customizationForm(forms)),
    onEach('activeClients', activeClientForm(forms)),
    withoutEmptyList('inputNeeded', onEachShown('inputNeeded', inputNeededForm(forms))),
    onEach('changesets', forms.changesetEntry),
    on('config', configForm(forms)),
  );
}

/** An agent that sessions can be created with. */
export function agentForm(forms: Forms): Form | undefined {
  const model = inTurn(forms.model, on('configSchema', schemaForm(forms)));
  return inTurn(forms.agent, onEach('models', model), onEach('customizations', customizationForm(forms)));
}

/** A terminal, or its entry in the root. */
export function terminalForm({ terminal, claim }: Forms): Form | undefined {
  return inTurn(terminal, on('claim', claim));
}

/** Everything in the state of the root. */
export function rootForm(forms: Forms): Form | undefined {
  return inTurn(
    onEach('agents', agentForm(forms)),
    onEach('terminals', terminalForm(forms)),
    on('config', configForm(forms)),
  );
}

/** A list that is empty when nothing is left to show is not there at all. */
function withoutEmptyList(name: string, form: Form | undefined): Form | undefined {
  if (!form) return undefined;
  return (piece, about) => {
    const shown = form(piece, about);
    const list = shown[name];
    return Array.isArray(list) && list.length === 0 ? without(shown, name) : shown;
  };
}

function mapValues(object: WireObject, change: (value: WireObject) => WireObject): WireObject {
  let changed = false;
  const entries = Object.entries(object).map(([name, value]) => {
    const next = isObject(value) ? change(value) : value;
    changed ||= next !== value;
    return [name, next] as const;
  });
  return changed ? Object.fromEntries(entries) : object;
}

/** Lists of sessions, and of sessions that have ended. */
export function listForm(forms: Forms): Form | undefined {
  const { summary } = forms;
  if (!summary) return undefined;
  const item: Form = (piece, about) =>
    isObject(piece.summary)
      ? mapMember(piece, 'summary', () => summary(piece.summary as WireObject, about))
      : summary(piece, about);
  return onEach('items', item);
}
