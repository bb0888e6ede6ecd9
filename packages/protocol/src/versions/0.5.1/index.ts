import { without } from '../shared/wire.js';
import type { Step, StepActions } from '../step.js';
import { knownCustomization, startRequestedDown, stopRequestedDown, toggledDown, toggledUp } from './customization.js';

/** From 0.5.2 to 0.5.1: answered questions are forgotten, files are not reviewed, servers not started by clients. */
export const step051: Step = {
  name: '0.5.1',
  version: '0.5.1',
  down: {
    forms: {
      part: (part) => (part.kind === 'inputRequest' ? undefined : part),
      toolContent: (entries) => entries.filter(({ type }) => type !== 'terminalComplete'),
      customization: knownCustomization,
      changedFile: (file) => without(file, 'reviewed'),
    },
    actions: {
      'session/mcpServerStartRequested': startRequestedDown,
      'session/mcpServerStopRequested': stopRequestedDown,
      'session/customizationToggled': toggledDown,
      'changeset/filesReviewedChanged': 'absent',
    } satisfies StepActions<'0.5.2', '0.5.1'>,
    result: (method, result) =>
      method === 'initialize' ? without(result, 'serverInfo', 'terminalCommandPrefix') : result,
  },
  up: { forms: {}, actions: { 'session/customizationToggled': toggledUp } },
};
