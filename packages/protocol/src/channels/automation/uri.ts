/** The channel of a host's automations: there is exactly one. */
export const AUTOMATIONS_URI = 'ahp-automations://';
