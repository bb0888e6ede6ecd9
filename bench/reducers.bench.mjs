import { changesetCases } from './reducers/changeset.mjs';
import { chatCases } from './reducers/chat.mjs';
import { frameCases } from './reducers/frames.mjs';
import { terminalCases } from './reducers/terminal.mjs';

/** What every host and every client does for every action. Goals are from GOALS.md, section "Reducers". */
export function* cases(options) {
  for (const group of [chatCases, terminalCases, changesetCases, frameCases]) {
    for (const oneCase of group(options)) yield { ...oneCase, processorTime: true };
  }
}
