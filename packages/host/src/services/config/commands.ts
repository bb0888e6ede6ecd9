import type { Handler, Handlers } from '../../core/handler.js';
import type { ConfigService } from './config-service.js';

/** The commands that tell which settings a new session has. */
export function configCommands(config: ConfigService) {
  const resolveSessionConfig: Handler<'resolveSessionConfig'> = (params, { locale }) => config.resolve(params, locale);

  const sessionConfigCompletions: Handler<'sessionConfigCompletions'> = async (params, { locale }) => ({
    items: await config.completions(params, locale),
  });

  return { resolveSessionConfig, sessionConfigCompletions } satisfies Handlers;
}
