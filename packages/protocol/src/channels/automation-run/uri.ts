import { simpleUri } from '../simple-uri.js';

/** `ahp-automation-run:/<id>`: one run of an automation. */
export const automationRunUri = simpleUri('ahp-automation-run');
