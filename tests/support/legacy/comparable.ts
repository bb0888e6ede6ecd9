import type { ChannelKind } from '@moorage/protocol';
import type { DialectName } from '@moorage/protocol/versions';

/**
 * What replicas of a version must agree on: not the clock, nor what no action of that version carries. `_meta` of a
 * tool call after its start was ignored by all reducers before 0.4.
 */
export function comparableLegacy(dialect: DialectName, kind: ChannelKind, state: object): unknown {
  const before04 = !['0.4', '0.5'].includes(dialect);
  const plain = JSON.parse(JSON.stringify(state), (key, value) =>
    before04 && key === 'toolCall' ? { ...value, _meta: undefined } : value,
  );
  if (kind === 'chat') for (const key of ['modifiedAt', 'title', 'model', 'agent']) delete plain[key];
  if (kind !== 'session') return plain;
  const summary = dialect === '0.5' ? plain : plain.summary;
  for (const key of ['modifiedAt', 'changes', 'annotations', 'workingDirectory']) delete summary[key];
  if (before04) summary.status &= 127;
  else {
    summary.status &= ~31; // the activity of chats reaches these versions in notifications
    delete summary.activity;
    for (const chat of plain.chats) delete chat.modifiedAt;
  }
  return JSON.parse(JSON.stringify(plain));
}
