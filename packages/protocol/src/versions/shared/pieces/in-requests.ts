import { messageForm, on, onEach, turnForm } from './conversation.js';
import type { Form, Forms } from './forms.js';
import { activeClientForm, listForm, schemaForm } from './session.js';

/** The forms of parameters of requests, which have pieces of states and actions in them. */
export function requestForms(forms: Forms): ReadonlyMap<string, Form> {
  const table: { readonly [method: string]: Form | undefined } = {
    createSession: on('activeClient', activeClientForm(forms)),
    createChat: on('initialMessage', messageForm(forms)),
    createTerminal: on('claim', forms.claim),
  };
  return new Map(Object.entries(table).flatMap(([method, form]) => (form ? [[method, form] as const] : [])));
}

/** The forms of results of requests. */
export function resultForms(forms: Forms): ReadonlyMap<string, Form> {
  const { attachment } = forms;
  const list = listForm(forms);
  const table: { readonly [method: string]: Form | undefined } = {
    listSessions: list,
    listDisposedSessions: list,
    fetchTurns: onEach('turns', turnForm(forms)),
    completions: onEach('items', on('attachment', attachment)),
    resolveSessionConfig: on('schema', schemaForm(forms)),
  };
  return new Map(Object.entries(table).flatMap(([method, form]) => (form ? [[method, form] as const] : [])));
}
