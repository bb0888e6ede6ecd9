import { reservedNumbers } from '@moorage/protocol/versions';
import { nodeClock } from '../adapters/clock-node/index.js';
import { nodeFiles } from '../adapters/files-node/index.js';
import { nodeIds } from '../adapters/ids-node/index.js';
import { Door } from '../core/door.js';
import { type Authorize, type Clock, NO_TELEMETRY, silentLog, type Telemetry } from '../ports/index.js';
import { AgentRegistry } from '../services/agents.js';
import { redactingLog } from '../services/auth/redacting-log.js';
import { TokenVault } from '../services/auth/token-vault.js';
import { OperationJournal } from '../services/changesets/journal.js';
import type { HostContext } from '../services/context.js';
import { authorizePeople } from '../services/people/authorize-people.js';
import { channelFacts } from '../services/people/channel-facts.js';
import { telemetryLog } from '../services/telemetry/telemetry-log.js';
import { timedCommits } from '../services/telemetry/timed-commits.js';
import type { HostOptions } from './options.js';

/** What services are made of: the context with their part of the door, store and log; telemetry; the vault of tokens. */
export interface Foundation {
  readonly context: HostContext;
  readonly telemetry: Telemetry;
  readonly authorize: Authorize;
  readonly vault: TokenVault;
  /** The whole door, for the server and for what composes the host. */
  readonly door: Door;
  readonly journal: OperationJournal;
}

export function createFoundation(options: HostOptions): Foundation {
  const { folders, store, ids = nodeIds, files = nodeFiles() } = options;
  const vault = new TokenVault();
  const telemetry: Telemetry = options.telemetry ?? NO_TELEMETRY;
  const log = redactingLog(telemetryLog(options.log ?? silentLog, telemetry), vault);
  const onEffectError = (error: unknown) =>
    log.write('error', 'effect.failed', 'an effect of an action failed', { error: describe(error) });
  const clock = guardedClock(options.clock ?? nodeClock, onEffectError);
  const onStoreError = (error: unknown) =>
    log.write('error', 'store.commit-failed', 'writing to the store failed; what was not stored has been undone', {
      error: String(error),
    });
  let isScheduled = false;
  const flush = () => {
    isScheduled = false;
    try {
      door.flush();
    } catch (error) {
      onStoreError(error);
    }
  };
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    clock.defer(flush);
  };
  const door: Door = new Door({
    store,
    timed: timedCommits(store, telemetry),
    clock,
    numbersFor: reservedNumbers,
    schedule,
    onEffectError,
    onStoreError,
    onDropped: (channel, action) =>
      log.write('warn', 'channel.action-dropped', 'an action was dropped because its channel had left memory', {
        channel,
        action,
      }),
  });
  const agents = new AgentRegistry(options.agents);
  const journal = new OperationJournal(door);
  const authorize = authorizePeople({
    people: options.people?.people,
    channels: channelFacts(door.channels),
    also: options.authorize,
    log,
  });
  return {
    context: { door, store, clock, ids, log, folders, files, agents },
    telemetry,
    authorize,
    vault,
    door,
    journal,
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * A clock whose callbacks report errors to `onError`: an error thrown from a timer would end the process, and every
 * session with it.
 */
function guardedClock(clock: Clock, onError: (error: unknown) => void): Clock {
  const guarded = (run: () => void) => () => {
    try {
      run();
    } catch (error) {
      onError(error);
    }
  };
  return {
    now: () => clock.now(),
    setTimeout: (run, milliseconds) => clock.setTimeout(guarded(run), milliseconds),
    clearTimeout: (handle) => clock.clearTimeout(handle),
    defer: (run) => clock.defer(guarded(run)),
  };
}
