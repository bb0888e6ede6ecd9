import { SUBMODULE } from '../../../ports/file-modes.js';
import type { EditStep } from '../../../ports/folder-editor.js';

/** Separates steps that move a nested repository to another commit, which git does, from those that the host does. */
export function partition(steps: readonly EditStep[]): { nested: EditStep[]; files: EditStep[] } {
  const isNested = ({ from, to }: EditStep) => from?.mode === SUBMODULE && to?.mode === SUBMODULE;
  return { nested: steps.filter(isNested), files: steps.filter((step) => !isNested(step)) };
}
