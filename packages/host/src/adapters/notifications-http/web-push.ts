import type { PushSubscription } from '@moorage/protocol';
import type { PushSender, UserNotification } from '../../ports/notifications.js';
import { isPrivateAddress, literalAddress, lookupPublic } from '../shared/private-addresses.js';
import { post } from './post.js';
import { isKey, PUBLIC_BYTES, readOrMakeKeys, type VapidKeys } from './vapid-keys.js';

export interface WebPushOptions {
  /** Where the host's keys are kept; made with the first subscription. */
  readonly keyFile: string;
  /** How a push service can reach whoever runs this host: `mailto:` or `https:`. */
  readonly contact?: string | undefined;
  /** Origins of push services that may be used although they are not https or not public, such as one's own. */
  readonly allowedServices?: readonly string[] | undefined;
}

/** Sends Web Push messages (RFC 8030, 8291 and 8292), encrypted for the browser. */
export function webPush({ keyFile, contact = CONTACT, allowedServices = [] }: WebPushOptions): PushSender {
  const allowed = new Set(allowedServices.map((origin) => new URL(origin).origin));
  let keys: VapidKeys | undefined;
  const load = async () => {
    const library = (await import('web-push')).default; // with the first message: most hosts never send one
    keys ??= readOrMakeKeys(keyFile, () => library.generateVAPIDKeys());
    return { library, keys };
  };

  const problemWith = ({ endpoint, keys: { p256dh, auth } }: PushSubscription) => {
    if (!isKey(p256dh, PUBLIC_BYTES) || !isKey(auth, AUTH_BYTES))
      return 'the keys of a browser, p256dh and auth, in base64url';
    const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
    if (!url || url.username || url.password) return 'the https address of a push service';
    if (allowed.has(url.origin)) return undefined;
    if (url.protocol !== 'https:') return 'the https address of a push service';
    const address = literalAddress(url);
    return address !== undefined && isPrivateAddress(address)
      ? 'a push service with a public address, or one that the host allows (notifications.pushServices)'
      : undefined;
  };

  return {
    publicKey: async () => (await load()).keys.publicKey,
    problemWith,
    async send(subscription, notification, signal) {
      // Again, because the subscription may be older than the configuration.
      if (problemWith(subscription) !== undefined) return { kind: 'gone' };
      const { library, keys: vapid } = await load();
      const url = new URL(subscription.endpoint);
      const details = library.generateRequestDetails(subscription, payloadOf(notification), {
        vapidDetails: { subject: contact, ...vapid },
        TTL: KEPT_SECONDS,
        urgency: notification.topic === 'needsYou' ? 'high' : 'normal',
      });
      const headers = details.headers as Record<string, string | number>;
      const lookup = allowed.has(url.origin) ? undefined : lookupPublic;
      return post({ url, headers, body: details.body, signal, lookup });
    },
  };
}

/** Push services want an address; some refuse those of this machine. */
const CONTACT = 'mailto:moorage@moorage.example';

/** The secret of a browser, as RFC 8291 has it. */
const AUTH_BYTES = 16;

/** Seconds that a push service keeps a message for a browser that is away: a day. */
const KEPT_SECONDS = 24 * 60 * 60;

function payloadOf({ topic, title, body, session, chat }: UserNotification): string {
  return JSON.stringify({ topic, title, body, session, chat });
}
