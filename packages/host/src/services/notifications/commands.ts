import type { Handler, Handlers } from '../../core/handler.js';
import type { NotificationService } from './notification-service.js';

/** Requests of our own, with which a browser asks to be notified while no page is open. */
export function notificationCommands(notifications: NotificationService) {
  const getPushKey: Handler<'moorage/getPushKey'> = async () => ({ publicKey: await notifications.publicKey() });

  const subscribePush: Handler<'moorage/subscribePush'> = (params, client) => {
    notifications.subscribe(params, client);
    return null;
  };

  const unsubscribePush: Handler<'moorage/unsubscribePush'> = ({ endpoint }, client) => {
    notifications.unsubscribe(endpoint, client);
    return null;
  };

  return {
    'moorage/getPushKey': getPushKey,
    'moorage/subscribePush': subscribePush,
    'moorage/unsubscribePush': unsubscribePush,
  } satisfies Handlers;
}
