import type { WebhookFormat } from '@moorage/host';
import type { NotificationTopic } from '@moorage/protocol';
import { type Check, expecting, isText, isWebUrl, list, object, VARIABLES } from './config-check.js';

/** How users are notified who are not looking. */
export interface NotificationConfig {
  /** Where the page is reached, for links in webhooks; by default where the host listens. */
  readonly page?: string;
  /** For push services, to reach whoever runs this host. */
  readonly contact?: string;
  /** Push services that may be used although they are not https or have a private address. */
  readonly pushServices?: readonly string[];
  readonly webhooks?: readonly WebhookConfig[];
}

interface WebhookConfig {
  readonly url: string;
  readonly format?: WebhookFormat;
  readonly topics?: readonly NotificationTopic[];
  readonly headers?: Readonly<Record<string, string>>;
}

const FORMATS: readonly unknown[] = ['json', 'ntfy', 'slack'] satisfies WebhookFormat[];
const TOPICS: readonly unknown[] = ['needsYou', 'done'] satisfies NotificationTopic[];
const WEB_ADDRESS = expecting('an http or https address', isWebUrl);
const TOPIC = expecting('"needsYou" or "done"', (value) => TOPICS.includes(value));

const HOOK = object(
  {
    url: WEB_ADDRESS,
    format: expecting('"json", "ntfy" or "slack"', (value) => FORMATS.includes(value)),
    topics: list('a list of "needsYou" and "done"', TOPIC),
    headers: VARIABLES,
  },
  ['url'],
);

export const NOTIFICATIONS: Check = object({
  page: WEB_ADDRESS,
  contact: expecting(
    'an address such as "mailto:me@example.org"',
    (value) => isText(value) && /^(mailto|https):./.test(value),
  ),
  pushServices: list('a list of addresses', WEB_ADDRESS),
  webhooks: list('a list of webhooks', HOOK),
});
