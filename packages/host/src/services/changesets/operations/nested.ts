import type { TreeStep } from '../../../ports/work-tree.js';

/** The mode of a repository inside the folder: its content is a commit of that repository. */
export const SUBMODULE = '160000';

/** Nested repositories are moved by git, files by the host. */
export function partition(steps: readonly TreeStep[]): { nested: TreeStep[]; files: TreeStep[] } {
  const isNested = ({ from, to }: TreeStep) => from?.mode === SUBMODULE && to?.mode === SUBMODULE;
  return { nested: steps.filter(isNested), files: steps.filter((step) => !isNested(step)) };
}
