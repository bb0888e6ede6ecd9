import { type ActionEnvelope, isObject, kindOfUri, type SubscribeView, type URI } from '@moorage/protocol';
import type { Change, WireObject } from '@moorage/protocol/versions';
import { Delivery, type OutgoingMessage } from '../../core/delivery.js';
import type { Missed } from '../replay.js';
import type { ClientView } from './view.js';

/** The view of a client that cannot show MCP Apps: it sees neither what servers offer to Apps nor the Apps' channels (OQ-72). */
export class WithoutAppsView implements ClientView {
  readonly #view: ClientView;

  constructor(view: ClientView) {
    this.#view = view;
  }

  attach(uri: URI, view?: SubscribeView): string | undefined {
    const snapshot = this.#view.attach(uri, view);
    if (snapshot === undefined || kindOfUri(uri) === 'chat') return snapshot; // no servers there, and often much text
    return stripText(snapshot);
  }

  detach(uri: URI): void {
    this.#view.detach(uri);
  }

  resume(uris: readonly URI[], lastSeen: number): Missed | undefined {
    const missed = this.#view.resume(uris, lastSeen);
    return missed && { ...missed, envelopes: stripText(`[${missed.envelopes}]`).slice(1, -1) };
  }

  translate(delivery: Delivery): Delivery | undefined {
    const translated = this.#view.translate ? this.#view.translate(delivery) : delivery;
    return translated && mentionsServers(delivery) ? stripDelivery(translated) : translated;
  }

  encode(envelope: ActionEnvelope, change: Change | undefined): string {
    return this.#view.encode(envelope, change);
  }
}

/** The actions that can carry entries of MCP servers. */
const SERVER_ACTIONS: ReadonlySet<string> = new Set([
  'session/customizationsChanged',
  'session/customizationUpdated',
  'session/mcpServerStateChanged',
]);

/** A delivery is checked for all its subscribers in a row, so remembering the last result checks each delivery once. */
let lastChecked: { readonly delivery: Delivery; readonly mentionsServers: boolean } | undefined;

function mentionsServers(delivery: Delivery): boolean {
  if (lastChecked?.delivery !== delivery) {
    lastChecked = { delivery, mentionsServers: delivery.messages.some(isServerAction) };
  }
  return lastChecked.mentionsServers;
}

/** Whether such a client may see a message differently. */
export function isServerAction({ envelope }: OutgoingMessage): boolean {
  return envelope !== undefined && SERVER_ACTIONS.has(envelope.action.type);
}

/** One object per delivery, so that it is turned into bytes once. */
const strippedDeliveries = new WeakMap<Delivery, Delivery>();

function stripDelivery(delivery: Delivery): Delivery {
  const stripped = strippedDeliveries.get(delivery) ?? new Delivery(delivery.messages.map(stripMessage));
  strippedDeliveries.set(delivery, stripped);
  return stripped;
}

/** Drops the envelope of a stripped message: the outbox would encode the frame from it again, with everything in it. */
export function stripMessage(message: OutgoingMessage): OutgoingMessage {
  const frame = stripText(message.frame);
  return frame === message.frame ? message : { frame };
}

/** The search finds no text that users wrote: inside a JSON string the quotes would be escaped. */
function stripText(json: string): string {
  if (!json.includes('"mcpServer"') && !json.includes('"session/mcpServerStateChanged"')) return json;
  return JSON.stringify(strip(JSON.parse(json)));
}

/** Takes a snapshot, an envelope, a notification with an envelope, or a list of these. */
function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (!isObject(value)) return value;
  const { state, params, action } = value as WireObject;
  return {
    ...value,
    ...(isObject(state) && { state: stripList(state as WireObject) }),
    ...(isObject(params) && { params: strip(params) }),
    ...(isObject(action) && { action: stripAction(action as WireObject) }),
  };
}

function stripAction(action: WireObject): WireObject {
  if (action.type === 'session/mcpServerStateChanged') return { ...action, channel: undefined };
  const { customization } = action;
  return stripList(customization === undefined ? action : { ...action, customization: stripEntry(customization) });
}

function stripList(holder: WireObject): WireObject {
  const { customizations } = holder;
  return Array.isArray(customizations) ? { ...holder, customizations: customizations.map(stripEntry) } : holder;
}

function stripEntry(entry: unknown): unknown {
  if (!isObject(entry)) return entry;
  const { type, children } = entry as WireObject;
  if (type === 'mcpServer') return { ...entry, channel: undefined, mcpApp: undefined };
  return Array.isArray(children) ? { ...entry, children: children.map(stripEntry) } : entry;
}
