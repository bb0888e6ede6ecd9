import type { Channel } from '../../core/channel.js';
import type { StateId, Workspace } from '../../ports/workspace.js';
import { activityTeller } from '../activity.js';
import type { HostContext } from '../context.js';

/** Milliseconds before the reading of a folder shows as activity: most folders are read by then. */
const READING_QUIET_MS = 1_000;

/** Shows progress, because the first checkpoint of a large folder takes a while and the agent waits for it. */
export async function checkpointWithActivity(
  context: HostContext,
  session: Channel<'session'>,
  workspace: Workspace,
): Promise<StateId> {
  const activity = activityTeller(context, session, { quietMs: READING_QUIET_MS });
  const onProgress = (files: number, of: number) => activity.say(`Reading the folder: ${files} of ${of} files`);
  try {
    return await workspace.checkpoint({ freshness: 'exact', onProgress });
  } finally {
    activity.end();
  }
}
