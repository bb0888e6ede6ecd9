import { isListedHost, type SandboxMode } from '@moorage/host';
import { type Check, expecting, isText, list, object, TEXTS } from './config-check.js';

/** How the programs of sessions are confined. */
export interface SandboxConfig {
  /** What sessions get that do not choose. */
  readonly default?: SandboxMode;
  /** What the mode "listed" may reach. */
  readonly hosts?: readonly string[];
  /** Folders, usually in the user's home, that sandboxed programs may read. */
  readonly readable?: readonly string[];
}

const MODES: readonly unknown[] = ['off', 'network', 'listed', 'offline'] satisfies SandboxMode[];

export const SANDBOX: Check = object({
  default: expecting('"off", "network", "listed" or "offline"', (value) => MODES.includes(value)),
  hosts: list(
    'a list of hosts',
    expecting(
      'a host such as "api.example", "*.example" or "api.example:8443"',
      (value) => isText(value) && isListedHost(value),
    ),
  ),
  readable: TEXTS,
});
