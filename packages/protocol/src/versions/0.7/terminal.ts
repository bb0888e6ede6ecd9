import { isObject } from '../../common/is-object.js';
import { asObject, type WireObject, without } from '../shared/wire.js';
import type { About } from '../step.js';

/** What 0.7 says of a program that ended nobody knows how: a number that no program ends with, because it needs one. */
const UNKNOWN_EXIT_CODE = -1;

/** 0.7 knows that a program has ended by its exit code. */
export function withExitCode(later: WireObject): WireObject {
  const { lifecycle, ...others } = later;
  const { status, exitCode } = asObject(lifecycle);
  return status === 'exited' ? { ...others, exitCode: exitCode ?? UNKNOWN_EXIT_CODE } : others;
}

export function withLifecycle(earlier: WireObject): WireObject {
  const { exitCode, ...others } = earlier;
  if (isObject(others.lifecycle)) return earlier;
  const isRunning = exitCode === undefined || exitCode === null;
  const known = exitCode === UNKNOWN_EXIT_CODE ? {} : { exitCode };
  return { ...others, lifecycle: isRunning ? { status: 'running' } : { status: 'exited', ...known } };
}

export function exitedDown(action: WireObject): WireObject {
  return { ...action, exitCode: action.exitCode ?? UNKNOWN_EXIT_CODE };
}

export function claimDown(later: WireObject): WireObject {
  return without(later, 'chat');
}

/** A session holds a terminal for one of its chats: for the default one, when nobody says for which. */
export function claimUp(earlier: WireObject, { directory }: About): WireObject {
  if (earlier.kind !== 'session' || earlier.chat !== undefined) return earlier;
  const chat = directory.session(String(earlier.session))?.defaultChat;
  return { ...earlier, chat: chat ?? String(earlier.session) };
}
