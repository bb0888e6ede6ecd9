import type { Log } from '../../ports/log.js';
import type { TokenVault } from './token-vault.js';
import { HIDDEN_TOKEN } from './turn-tokens.js';

/** Replaces clients' tokens in everything that is logged, including error messages and stacks. */
export function redactingLog(log: Log, vault: TokenVault): Log {
  return {
    write(level, event, message, fields) {
      const tokens = [...vault].map(({ value }) => value);
      if (tokens.length === 0) {
        log.write(level, event, message, fields);
        return;
      }
      const redact = (text: string) => tokens.reduce((rest, token) => rest.replaceAll(token, HIDDEN_TOKEN), text);
      log.write(level, event, redact(message), fields && JSON.parse(redact(JSON.stringify(fields))));
    },
  };
}
