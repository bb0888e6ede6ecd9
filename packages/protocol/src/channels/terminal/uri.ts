import { simpleUri } from '../simple-uri.js';

export const terminalUri = simpleUri('ahp-terminal');
