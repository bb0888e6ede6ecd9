import type { NotificationTopic } from '@moorage/protocol';
import type { UserNotification, Webhook } from '../../ports/notifications.js';
import { post } from './post.js';

export interface WebhookOptions {
  /** Where to send. */
  readonly url: string;
  /** `json`: our own members. `ntfy`: a topic of an ntfy server. `slack`: an incoming webhook of Slack. Default: `json`. */
  readonly format?: WebhookFormat | undefined;
  /** Default: all. */
  readonly topics?: readonly NotificationTopic[] | undefined;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Where the host's page is, for links; asked with each message. */
  readonly page?: (() => string | undefined) | undefined;
}

export type WebhookFormat = 'json' | 'ntfy' | 'slack';

/** Sends notifications to an address that the user configured, wherever it is: it may well be in a private network. */
export function httpWebhook({ url, format = 'json', topics, headers, page }: WebhookOptions): Webhook {
  const address = new URL(url);
  return {
    name: address.origin, // the path of a webhook is often its only secret
    topics: topics ?? ['needsYou', 'done'],
    async send(notification, signal) {
      const { target, body } = FORMATS[format](address, notification, linkTo(page?.(), notification));
      const outcome = await post({
        url: target,
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal,
      });
      return outcome.kind === 'gone'
        ? { kind: 'failed', reason: 'there is nothing at this address', mayRetry: false }
        : outcome;
    },
  };
}

/** Where the page shows a session. */
function linkTo(page: string | undefined, { session, chat }: UserNotification): string | undefined {
  if (page === undefined) return undefined;
  const link = new URL('/', page);
  link.hash = String(new URLSearchParams({ session, chat, pane: 'chat' }));
  return link.href;
}

type Format = (address: URL, notification: UserNotification, link: string | undefined) => { target: URL; body: object };

const FORMATS: Readonly<Record<WebhookFormat, Format>> = {
  json: (target, { topic, title, body, session, chat }, link) => ({
    target,
    body: { topic, title, body, session, chat, ...(link && { link }) },
  }),
  // As JSON at the server's root: a header could not have all characters.
  ntfy: (address, { topic, title, body }, link) => {
    const path = address.pathname.replace(/\/+$/, '');
    const at = path.lastIndexOf('/');
    const target = new URL(path.slice(0, at + 1) || '/', address);
    const name = decodeURIComponent(path.slice(at + 1));
    const priority = topic === 'needsYou' ? 4 : 3;
    return { target, body: { topic: name, title, message: body || title, priority, ...(link && { click: link }) } };
  },
  slack: (target, { title, body }, link) => {
    const lines = [`*${escaped(title)}*`, escaped(body), link && `<${link}|Open the session>`];
    return { target, body: { text: lines.filter(Boolean).join('\n') } };
  },
};

/** What Slack would take for a link or a mention. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
