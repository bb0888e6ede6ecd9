import { simpleUri } from '../simple-uri.js';

export const sessionUri = simpleUri('ahp-session');
