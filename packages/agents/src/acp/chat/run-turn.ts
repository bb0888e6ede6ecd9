import type { ContentBlock } from '@agentclientprotocol/sdk';
import { RequestError } from '@agentclientprotocol/sdk';
import type { TurnOutcome } from '@moorage/host/ports';
import { type AcpAgentConfig, nameOf } from '../config.js';
import { outcomeOf, stopNotice } from '../mapping/outcome.js';
import type { AcpTimeouts } from '../timeouts.js';
import type { ActiveTurn } from './active-turn.js';
import { Ended, type LiveAgent } from './live-agent.js';
import { AUTH_REQUIRED, loginNeeded } from './open-session.js';
import { Silence } from './silence.js';

export interface RunOptions {
  readonly config: AcpAgentConfig;
  readonly live: LiveAgent;
  readonly sessionId: string;
  readonly active: ActiveTurn;
  readonly prompt: ContentBlock[];
  readonly timeouts: AcpTimeouts;
}

export interface RunResult {
  readonly outcome: TurnOutcome;
  /** Whether the agent can take the next prompt; otherwise it must be started again. */
  readonly isUsable: boolean;
}

/** Sends a prompt and sees it through to its end, whatever the agent does. */
export async function runTurn(options: RunOptions): Promise<RunResult> {
  const { config, live, sessionId, active, prompt, timeouts } = options;
  const silence = new Silence(timeouts, nameOf(config), {
    isExcused: () => active.isWaiting || live.isPaused,
    say: (text) => active.turn.emit({ kind: 'notice', text }),
  });
  active.onLife = () => silence.heard();
  const { signal } = active.turn;
  let lastResort: NodeJS.Timeout | undefined;
  const cancel = () => {
    live.notify('session/cancel', { sessionId });
    lastResort = setTimeout(() => void live.kill(), timeouts.cancelMs); // for an agent that does not listen
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answer = live.request('session/prompt', { sessionId, prompt });
    if (signal.aborted) cancel();
    const result = await Promise.race([answer, silence.tooLong]);
    active.showCommands();
    // Some agents report a turn as cancelled while its command goes on. Only ending their process group surely stops it.
    const isUsable = !(signal.aborted && active.mapper.hasRunningCall);
    active.emit(active.mapper.end(signal.aborted ? 'cancelled' : 'complete', result));
    active.emit(stopNotice(result));
    if (!active.hasOutput && !signal.aborted)
      active.emit([{ kind: 'notice', text: `${nameOf(config)} ${NOT_A_WORD}` }]);
    const { failure } = active.mapper;
    const reported =
      failure === undefined ? undefined : `${nameOf(config)} reported: ${live.explain(new Error(failure))}`;
    return { outcome: outcomeOf(result, signal.aborted, reported), isUsable };
  } catch (error) {
    active.showCommands();
    active.emit(active.mapper.end(signal.aborted ? 'cancelled' : 'failed'));
    if (signal.aborted) return { outcome: { kind: 'cancelled' }, isUsable: false };
    return { outcome: failed(options, error), isUsable: false };
  } finally {
    signal.removeEventListener('abort', cancel);
    clearTimeout(lastResort);
    silence.stop();
  }
}

/** Some agents do not say that their model refused. */
const NOT_A_WORD = 'ended its turn without a word. Its model may have refused the request.';

function failed({ config, live }: RunOptions, error: unknown): TurnOutcome {
  const name = nameOf(config);
  if (error instanceof RequestError) {
    if (error.code === AUTH_REQUIRED) {
      const { errorType, message } = loginNeeded(config, live);
      return { kind: 'error', error: { errorType, message } };
    }
    return { kind: 'error', error: { errorType: 'agentFailed', message: `${name} reported: ${live.explain(error)}` } };
  }
  if (!(error instanceof Ended)) throw error;
  const message = `${name} ended by itself (${error.message})${live.lastWords}. Send another message to start it again.`;
  return { kind: 'error', error: { errorType: 'agentExited', message } };
}
