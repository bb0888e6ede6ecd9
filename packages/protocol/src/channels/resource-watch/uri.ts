import { simpleUri } from '../simple-uri.js';

/** `ahp-resource-watch:/<id>` */
export const resourceWatchUri = simpleUri('ahp-resource-watch');
