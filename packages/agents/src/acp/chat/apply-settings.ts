import type { AgentTurn } from '@moorage/host/ports';
import { fields } from '../../shared/untrusted.js';
import { readOptions, type Setting } from '../settings.js';
import type { LiveAgent } from './live-agent.js';

/** Sets what the user chose for the session, as far as it is not set yet. Returns the settings as they are then. */
export async function applySettings(
  live: LiveAgent,
  sessionId: string,
  settings: readonly Setting[],
  turn: Pick<AgentTurn, 'model' | 'config'>,
  timeoutMs: number,
): Promise<readonly Setting[]> {
  let current = settings;
  for (const { id } of settings) {
    const setting = current.find((candidate) => candidate.id === id); // one choice may remove others
    const wanted = setting && wish(setting, turn);
    if (!setting || wanted === undefined || wanted === setting.value || !isOffered(setting, wanted)) continue;
    const answer = await live.request(...request(sessionId, setting, wanted), timeoutMs);
    const reported = readOptions(fields(answer).configOptions);
    const changed = current.map((other) => (other.id === id ? { ...other, value: wanted } : other));
    current = reported.length > 0 ? reported : changed;
  }
  return current;
}

function wish(setting: Setting, { model, config = {} }: Pick<AgentTurn, 'model' | 'config'>): unknown {
  return setting.category === 'model' ? model?.id : config[setting.id];
}

function isOffered({ choices }: Setting, wanted: unknown): wanted is string | boolean {
  return choices ? choices.some(({ id }) => id === wanted) : typeof wanted === 'boolean';
}

function request(sessionId: string, { id, via }: Setting, value: string | boolean): [string, object] {
  if (via === 'mode') return ['session/set_mode', { sessionId, modeId: value }];
  if (via === 'model') return ['session/set_model', { sessionId, modelId: value }];
  const type = typeof value === 'boolean' ? { type: 'boolean' } : {};
  return ['session/set_config_option', { sessionId, configId: id, value, ...type }];
}
