import { join } from 'node:path';
import { type HostOptions, httpWebhook, webPush } from '@moorage/host';
import type { NotificationConfig } from '../config/notification-config.js';

/** Push messages for browsers, with keys in the data folder, and the webhooks of the configuration. */
export function notificationsOf(
  { contact, pushServices, webhooks = [], page }: NotificationConfig,
  dataDir: string,
  ownPage: () => string | undefined,
): NonNullable<HostOptions['notifications']> {
  return {
    push: webPush({ keyFile: join(dataDir, 'push-keys.json'), contact, allowedServices: pushServices }),
    webhooks: webhooks.map((webhook) => httpWebhook({ ...webhook, page: () => page ?? ownPage() })),
  };
}
