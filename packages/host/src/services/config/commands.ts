import type { Handler, Handlers } from '../../core/handler.js';
import type { ConfigService } from './config-service.js';

/** Commands that describe the settings of a new session. */
export function configCommands(config: ConfigService) {
  const resolveSessionConfig: Handler<'resolveSessionConfig'> = (params, { locale }) => config.resolve(params, locale);

  const sessionConfigCompletions: Handler<'sessionConfigCompletions'> = async (params, { locale }) => ({
    items: await config.completions(params, locale),
  });

  return { resolveSessionConfig, sessionConfigCompletions } satisfies Handlers;
}
