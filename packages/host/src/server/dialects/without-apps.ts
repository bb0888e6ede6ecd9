import { type ActionEnvelope, isObject, type URI } from '@ahpd/protocol';
import type { Change, WireObject } from '@ahpd/protocol/versions';
import { Delivery, type OutgoingMessage } from '../../core/subscriber.js';
import type { Missed } from '../replay.js';
import type { ClientView } from './view.js';

/** What a client sees that cannot show MCP Apps: neither what servers offer to Apps nor where Apps reach them (OQ-72). */
export class WithoutAppsView implements ClientView {
  readonly #view: ClientView;

  constructor(view: ClientView) {
    this.#view = view;
  }

  attach(uri: URI): string | undefined {
    const snapshot = this.#view.attach(uri);
    return snapshot === undefined ? undefined : without(snapshot);
  }

  detach(uri: URI): void {
    this.#view.detach(uri);
  }

  resume(uris: readonly URI[], lastSeen: number): Missed | undefined {
    const missed = this.#view.resume(uris, lastSeen);
    return missed && { ...missed, envelopes: without(`[${missed.envelopes}]`).slice(1, -1) };
  }

  translate(delivery: Delivery): Delivery | undefined {
    const told = this.#view.translate(delivery);
    return told && mayTell(delivery) ? stripped(told) : told;
  }

  encode(envelope: ActionEnvelope, change: Change | undefined): string {
    return this.#view.encode(envelope, change);
  }
}

const TELLING: ReadonlySet<string> = new Set([
  'session/customizationsChanged',
  'session/customizationUpdated',
  'session/mcpServerStateChanged',
]);

/** What is asked for one client after the other is found out once. */
let lastAsked: { readonly delivery: Delivery; readonly tells: boolean } | undefined;

function mayTell(delivery: Delivery): boolean {
  if (lastAsked?.delivery !== delivery) lastAsked = { delivery, tells: delivery.messages.some(isTelling) };
  return lastAsked.tells;
}

function isTelling({ envelope }: OutgoingMessage): boolean {
  return envelope !== undefined && TELLING.has(envelope.action.type);
}

/** The same object for all who get the same messages. */
const known = new WeakMap<Delivery, Delivery>();

function stripped(delivery: Delivery): Delivery {
  const made = known.get(delivery) ?? new Delivery(delivery.messages.map(strippedMessage));
  known.set(delivery, made);
  return made;
}

/** Without its envelope, of which a client that cannot keep up would get the frame made anew, with all that is in it. */
function strippedMessage(message: OutgoingMessage): OutgoingMessage {
  const frame = without(message.frame);
  return frame === message.frame ? message : { frame };
}

/** Inside of a string a quote has a backslash before it, so these are found only where they are meant. */
function without(json: string): string {
  if (!json.includes('"mcpServer"') && !json.includes('"session/mcpServerStateChanged"')) return json;
  return JSON.stringify(clean(JSON.parse(json)));
}

/** A snapshot, an envelope, a notification with an envelope, or a list of these. */
function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clean);
  if (!isObject(value)) return value;
  const { state, params, action } = value as WireObject;
  return {
    ...value,
    ...(isObject(state) && { state: withCleanList(state as WireObject) }),
    ...(isObject(params) && { params: clean(params) }),
    ...(isObject(action) && { action: cleanAction(action as WireObject) }),
  };
}

function cleanAction(action: WireObject): WireObject {
  if (action.type === 'session/mcpServerStateChanged') return { ...action, channel: undefined };
  const { customization } = action;
  return withCleanList(customization === undefined ? action : { ...action, customization: cleanEntry(customization) });
}

function withCleanList(holder: WireObject): WireObject {
  const { customizations } = holder;
  return Array.isArray(customizations) ? { ...holder, customizations: customizations.map(cleanEntry) } : holder;
}

function cleanEntry(entry: unknown): unknown {
  if (!isObject(entry)) return entry;
  const { type, children } = entry as WireObject;
  if (type === 'mcpServer') return { ...entry, channel: undefined, mcpApp: undefined };
  return Array.isArray(children) ? { ...entry, children: children.map(cleanEntry) } : entry;
}
