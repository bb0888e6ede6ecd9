import { simpleUri } from '../simple-uri.js';

export const resourceWatchUri = simpleUri('ahp-resource-watch');
