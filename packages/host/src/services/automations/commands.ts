import type { Handler, Handlers } from '../../core/handler.js';
import type { AutomationService } from './automation-service.js';
import { SESSION_EVENTS } from './events.js';

export function automationCommands(automations: AutomationService) {
  const listAutomationTriggerDefinitions: Handler<'listAutomationTriggerDefinitions'> = () => ({
    items: [SESSION_EVENTS],
  });

  const runAutomation: Handler<'runAutomation'> = (params) => ({ resource: automations.run(params) });

  const fetchAutomationRuns: Handler<'fetchAutomationRuns'> = (params, client) => {
    automations.fetchRuns(params, client);
    return {};
  };

  return { listAutomationTriggerDefinitions, runAutomation, fetchAutomationRuns } satisfies Handlers;
}
