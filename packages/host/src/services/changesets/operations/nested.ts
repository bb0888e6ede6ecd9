import { SUBMODULE } from '../../../ports/file-modes.js';
import type { TreeStep } from '../../../ports/work-tree.js';

/** Nested repositories are moved by git, files by the host. */
export function partition(steps: readonly TreeStep[]): { nested: TreeStep[]; files: TreeStep[] } {
  const isNested = ({ from, to }: TreeStep) => from?.mode === SUBMODULE && to?.mode === SUBMODULE;
  return { nested: steps.filter(isNested), files: steps.filter((step) => !isNested(step)) };
}
