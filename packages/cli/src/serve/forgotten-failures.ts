import type { Log } from '@moorage/host';

/** A rejected promise that nobody awaits is a bug in one place; by default Node would end everybody's turns for it. */
export function surviveForgottenFailures(log: Log): void {
  process.on('unhandledRejection', (reason) => {
    const error = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
    log.write('error', 'host.unexpected-error', 'an error was thrown outside of any request', { error });
  });
}
