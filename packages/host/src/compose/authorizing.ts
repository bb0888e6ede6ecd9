import type { Authorize } from '../ports/authorize.js';
import type { Log } from '../ports/log.js';

/** Refuses what could not be decided: an error in the hook must not open the host. */
export function failingClosed(authorize: Authorize, log: Log): Authorize {
  return ({ credential, clientId, program, vouched }, attempt) => {
    try {
      return authorize({ credential, clientId, program, vouched }, attempt);
    } catch (error) {
      const what = attempt.kind === 'action' ? attempt.action.type : attempt.method;
      log.write('error', 'authorize.failed', 'deciding whether somebody may do something failed', {
        what,
        error: String(error),
      });
      return 'the host could not decide whether this is allowed';
    }
  };
}
