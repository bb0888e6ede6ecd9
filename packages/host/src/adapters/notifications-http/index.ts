export { type WebPushOptions, webPush } from './web-push.js';
export { httpWebhook, type WebhookFormat, type WebhookOptions } from './webhook.js';
