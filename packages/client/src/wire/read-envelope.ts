import { type ActionEnvelope, ActionEnvelopeSchema, isObject, lenient, type Validator } from '@moorage/protocol';
import { stripNulls } from '@moorage/protocol/internal';
import { read } from './read.js';

let validator: Validator<ActionEnvelope> | undefined;

/** An envelope from the host; throws a ProtocolError when it is none. This runs for every action that arrives. */
export function readEnvelope(value: unknown): ActionEnvelope {
  validator ??= lenient(ActionEnvelopeSchema);
  if (validator.check(value)) return value;
  const clean = withoutNulls(value);
  read('action', ActionEnvelopeSchema, withoutClearedChanges(clean));
  return clean as ActionEnvelope;
}

/** Some hosts write `null` for what they mean to leave out (OQ-24). */
function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  const envelope = stripNulls(value);
  const { action } = envelope;
  return isObject(action) ? { ...envelope, action: stripNulls(action) } : envelope;
}

/** In a change list `null` means "clear" (OQ-25): the reducer knows, the schema does not. */
function withoutClearedChanges(envelope: unknown): unknown {
  if (!isObject(envelope) || !isObject(envelope.action) || !isObject(envelope.action.changes)) return envelope;
  const given = Object.entries(envelope.action.changes).filter(([, member]) => member !== null);
  return { ...envelope, action: { ...envelope.action, changes: Object.fromEntries(given) } };
}
