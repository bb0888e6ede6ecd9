import { on } from './conversation.js';
import type { Forms, HidingForm } from './forms.js';
import { onSome } from './in-actions.js';

/** The forms of the parameters of notifications. Undefined: nothing is left to say. */
export function noticeForms({ summary }: Forms): ReadonlyMap<string, HidingForm> {
  const added = on('summary', summary);
  if (!summary || !added) return new Map();
  return new Map([
    ['root/sessionAdded', added],
    ['root/sessionSummaryChanged', onSome('changes', summary)],
  ]);
}
