import { simpleUri } from '../simple-uri.js';

/** `ahp-terminal:/<id>` */
export const terminalUri = simpleUri('ahp-terminal');
