import { mapObject, type WireObject, without } from '../shared/wire.js';
import type { Step, StepActions } from '../step.js';

/** From 1.0 to 0.9: chats and automations have less around them, and nothing is computed anew. */
export const step09: Step = {
  name: '0.9',
  version: '0.9.0',
  down: {
    forms: {
      chat: (chat) => without(chat, 'changesets', 'backgroundWork'),
      chatEntry: (entry) => without(entry, 'changes', 'movable'),
      summary: (summary) => without(summary, 'chats', 'defaultChat'),
      mcpState: (state) => without(state, 'blocking'),
      model: (model) => without(model, 'vendor'),
      property: (property) => without(property, 'minItems', 'maxItems'),
      changeset: withKnownStatus,
      part: (part) => (part.kind === 'inputRequest' ? without(part, '_meta') : part),
      automation: (entry) =>
        mapObject(without(entry, 'runCount', 'customizations'), 'definition', (definition) =>
          without(definition, 'disableConditions'),
        ),
    },
    actions: {
      'chat/inputCompleted': (action) => without(action, '_meta'), // ours, which only our own reducer keeps
      'chat/backgroundWorkSet': 'absent',
      'chat/backgroundWorkRemoved': 'absent',
      'chat/movableChanged': 'absent',
      'chat/changesetsChanged': 'absent',
      'chat/isReadChanged': 'absent',
      'chat/isArchivedChanged': 'absent',
      // The order is that of the next snapshot.
      'session/chatsReordered': 'absent',
      'session/mcpServerBackgroundRequested': 'absent',
    } satisfies StepActions<'native', '0.9.0'>,
    result: (method, result) => (method === 'initialize' ? without(result, 'environment') : result),
  },
  // VS Code of September 2026 says 0.9 and sends some of what was released as 1.0.
  up: { forms: {}, actions: {}, acceptsLaterActions: true },
};

/** Of a changeset, or of an action that changes its status. */
function withKnownStatus(changeset: WireObject): WireObject {
  return changeset.status === 'recomputing' ? { ...changeset, status: 'computing' } : changeset;
}
