import { simpleUri } from '../simple-uri.js';

export const chatUri = simpleUri('ahp-chat');
