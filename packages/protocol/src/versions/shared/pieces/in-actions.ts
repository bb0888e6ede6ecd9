import { isObject } from '../../../common/is-object.js';
import type { WireObject } from '../wire.js';
import { callForm, contentForm, messageForm, on, onEach, partForm, turnForm } from './conversation.js';
import type { Form, Forms, HidingForm } from './forms.js';
import { activeClientForm, agentForm, customizationForm, inputNeededForm, terminalForm } from './session.js';

/** What becomes of the pieces in an action; without a form they are the same. Undefined: nothing is left to say. */
export type ActionForms = ReadonlyMap<string, HidingForm>;

export function actionForms(forms: Forms): ActionForms {
  const { toolCall, chatEntry, annotation, changeset, changedFile, changesetEntry, claim, mcpState, automation } =
    forms;
  const message = messageForm(forms);
  const customization = customizationForm(forms);
  const table: { readonly [type: string]: HidingForm | undefined } = {
    'root/agentsChanged': onEach('agents', agentForm(forms)),
    'root/terminalsChanged': onEach('terminals', terminalForm(forms)),
    'session/chatAdded': on('summary', chatEntry),
    'session/chatUpdated': chatEntry && onSome('changes', chatEntry),
    'session/customizationsChanged': onEach('customizations', customization),
    'session/customizationUpdated': on('customization', customization),
    'session/mcpServerStateChanged': on('state', mcpState),
    'session/activeClientSet': on('activeClient', activeClientForm(forms)),
    'session/inputNeededSet': onShown('request', inputNeededForm(forms)),
    'session/changesetsChanged': onEach('changesets', changesetEntry),
    'chat/turnStarted': on('message', message),
    'chat/pendingMessageSet': on('message', message),
    'chat/draftChanged': on('draft', message),
    'chat/turnsLoaded': onEach('turns', turnForm(forms)),
    'chat/responsePart': onShown('part', partForm(forms)),
    'chat/toolCallStart': toolCall,
    'chat/toolCallReady': callForm(forms),
    'chat/toolCallConfirmed': on('userSuggestion', message),
    'chat/toolCallComplete': on('result', contentForm(forms)),
    'chat/toolCallContentChanged': contentForm(forms),
    'terminal/claimed': on('claim', claim),
    'annotations/set': on('annotation', annotation),
    'changeset/statusChanged': changeset,
    'changeset/fileSet': on('file', changedFile),
    'changeset/contentChanged': onEach('files', changedFile),
    'automation/set': on('automation', automation),
  };
  return new Map(Object.entries(table).flatMap(([type, form]) => (form ? [[type, form] as const] : [])));
}

function onShown(name: string, form: HidingForm | undefined): HidingForm | undefined {
  if (!form) return undefined;
  return (action, about) => {
    const piece = action[name];
    if (!isObject(piece)) return action;
    const shown = form(piece, about);
    return shown && (shown === piece ? action : { ...action, [name]: shown });
  };
}

/** A list of changed members: when none is left, there is nothing to say. */
export function onSome(name: string, form: Form): HidingForm {
  return (action, about) => {
    const some = action[name];
    if (!isObject(some)) return action;
    const changed = form(some, about);
    if (changed === some) return action;
    return isEmpty(changed) ? undefined : { ...action, [name]: changed };
  };
}

function isEmpty(object: WireObject): boolean {
  return Object.keys(object).length === 0;
}
