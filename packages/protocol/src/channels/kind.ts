/** The kinds of channel that carry state; each has one reducer. */
export const channelKinds = [
  'root',
  'session',
  'chat',
  'terminal',
  'changeset',
  'annotations',
  'resourceWatch',
  'automation',
  'automationRun',
] as const;
/** A kind of channel with state. */
export type ChannelKind = (typeof channelKinds)[number];

/** Kinds without state: subscribing gives no snapshot, nothing is replayed (B-52). */
export const statelessChannelKinds = ['telemetry', 'mcp'] as const;
/** A kind of channel without state. */
export type StatelessChannelKind = (typeof statelessChannelKinds)[number];
