import type { ChannelKind } from '../../../channels/kind.js';
import { chatForm, onEach } from './conversation.js';
import { type Form, type Forms, inTurn } from './forms.js';
import { rootForm, sessionForm, terminalForm } from './session.js';

export type StateForms = { readonly [K in ChannelKind]: Form | undefined };

/** What the state of each kind of channel is in the next version. */
export function stateForms(forms: Forms): StateForms {
  return {
    root: rootForm(forms),
    session: sessionForm(forms),
    chat: chatForm(forms),
    terminal: terminalForm(forms),
    changeset: inTurn(forms.changeset, onEach('files', forms.changedFile)),
    annotations: onEach('annotations', forms.annotation),
    resourceWatch: undefined,
    automation: onEach('entries', forms.automation),
    automationRun: undefined,
  };
}
