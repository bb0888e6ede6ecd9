import { simpleUri } from '../simple-uri.js';

/** `ahp-chat:/<id>` */
export const chatUri = simpleUri('ahp-chat');
