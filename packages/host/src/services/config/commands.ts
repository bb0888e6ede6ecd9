import type { Handler, Handlers } from '../../core/handler.js';
import type { ConfigService } from './config-service.js';

/** Commands that describe the settings of a new session. */
export function configCommands(config: ConfigService) {
  const resolveSessionConfig: Handler<'resolveSessionConfig'> = (params, client) => config.resolve(params, client);

  const sessionConfigCompletions: Handler<'sessionConfigCompletions'> = async (params, client) => ({
    items: await config.completions(params, client),
  });

  return { resolveSessionConfig, sessionConfigCompletions } satisfies Handlers;
}
