/** Milliseconds that a request may wait before the user is notified: what a client approves by itself needs nobody. */
export const ANSWERED_AT_ONCE_MS = 1_500;

/** Milliseconds before a delivery that failed is tried again, and again. */
export const RETRY_AFTER_MS: readonly number[] = [5_000, 30_000, 120_000];

/** Deliveries under way or waiting to be tried again. A push service that is down must not fill the memory. */
export const MAX_DELIVERIES = 200;

/** Browsers of one credential: more than anybody has; each costs a request per message. */
export const MAX_SUBSCRIPTIONS = 50;

/** Characters of an endpoint. Real ones have some 200 to 400. */
export const MAX_ENDPOINT_CHARS = 2_048;

/** Characters of a title and of a text: together in UTF-8 below the 4 KB that push services take. */
export const MAX_TITLE_CHARS = 120;
export const MAX_BODY_CHARS = 240;
