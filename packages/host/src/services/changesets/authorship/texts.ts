import { bytesOf, linesOf } from '../../../lines/line-hunks.js';
import type { FileVersion, Workspace, Workspaces } from '../../../ports/workspace.js';
import type { Texts } from './fold.js';

/** Bytes of a text whose lines have authors; a larger file has one author as a whole. */
const MAX_AUTHORED_BYTES = 4 * 1024 * 1024;

/** Like git, takes content for binary if there is a zero among its first bytes. */
const TEXT_PROBE_BYTES = 8_000;

/** The contents that a workspace keeps, as lines. Reads each once. */
export function textsOf(workspaces: Workspaces, workspace: Workspace): Texts {
  const known = new Map<string, Promise<string[] | undefined>>();
  const read = async ({ contentId }: FileVersion) => {
    const content = await workspaces.read(workspace.id, contentId);
    if (!(content instanceof Uint8Array) || content.length > MAX_AUTHORED_BYTES) return undefined;
    return content.subarray(0, TEXT_PROBE_BYTES).includes(0) ? undefined : linesOf(content);
  };
  return {
    read: async (version) => {
      if (!version.mode.startsWith('100') || version.notKept) return undefined;
      const reading = known.get(version.contentId) ?? read(version);
      known.set(version.contentId, reading);
      return reading;
    },
    write: async (lines) => {
      const content = bytesOf(lines);
      return { contentId: await workspace.add(content), size: content.length };
    },
  };
}
