import type { Client } from '@moorage/client';
import { type NotificationTopic, ROOT_URI } from '@moorage/protocol';
import { rememberToken } from './token.js';

/** What this browser wants to be notified of while no page is open. */
export type PushChoice = 'nothing' | 'needsYou' | 'all';

const KEY = 'moorage.push';
const TOPICS: Readonly<Record<Exclude<PushChoice, 'nothing'>, NotificationTopic[]>> = {
  needsYou: ['needsYou'],
  all: ['needsYou', 'done'],
};

/** Whether this browser can be notified at all: not on pages without TLS, except those of this machine. */
export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;
}

export function pushChoice(): PushChoice {
  const kept = localStorage.getItem(KEY);
  return kept === 'needsYou' || kept === 'all' ? kept : 'nothing';
}

/** Changes what this browser is notified of. While it is, it stays signed in: a notification must be able to open its session. */
export async function choosePush(client: Client, choice: PushChoice): Promise<void> {
  await (choice === 'nothing' ? leave(client) : join(client, TOPICS[choice]));
  if (choice === 'nothing') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  rememberToken(choice !== 'nothing');
}

/** Brings the page to the session of a notification that was clicked. Called once. */
export function listenForOpenedNotifications(): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    if (data?.type === 'open' && typeof data.route === 'string') location.hash = data.route;
  });
}

async function join(client: Client, topics: NotificationTopic[]): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('The browser does not allow notifications of this page. Allow them in its settings.');
  await navigator.serviceWorker.register('/service-worker.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const { publicKey } = await client.request('moorage/getPushKey', { channel: ROOT_URI });
  const subscription = await subscribed(pushManager, publicKey);
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  await client.request('moorage/subscribePush', {
    channel: ROOT_URI,
    subscription: { endpoint, keys: { p256dh, auth } },
    topics,
  });
}

/** A subscription belongs to the key that it was made with; after a change of the host's key it is made anew. */
async function subscribed(pushManager: PushManager, applicationServerKey: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error;
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  }
}

async function leave(client: Client): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  const subscription = await registration?.pushManager.getSubscription();
  if (!subscription) return;
  await subscription.unsubscribe();
  await client.request('moorage/unsubscribePush', { channel: ROOT_URI, endpoint: subscription.endpoint });
}
