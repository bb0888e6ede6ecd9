import type { AgentChatHost } from '@moorage/host/ports';
import { type Fields, fields, label, text } from '../../shared/untrusted.js';
import { readCommands } from '../mapping/commands.js';
import { readOptions, type Setting } from '../settings.js';

/** UTF-16 units of a session's title. */
const MAX_TITLE_CHARS = 200;

/** How agents call a session that they have not named yet. */
const NOT_A_TITLE = /^new session\b/i;

/** Takes what an agent says about its session rather than about a turn: its title, settings and commands. */
export class SessionUpdates {
  /** The settings as the agent last reported them. */
  settings: readonly Setting[] = [];
  /** We are changing settings ourselves, so what the agent reports about them is no news. */
  isSetting = false;
  readonly #host: Pick<AgentChatHost, 'setTitle' | 'setConfig' | 'setCommands'>;
  #title: string | undefined;

  constructor(host: Pick<AgentChatHost, 'setTitle' | 'setConfig' | 'setCommands'>) {
    this.#host = host;
  }

  /** Whether the agent has named the session. */
  get isNamed(): boolean {
    return this.#title !== undefined;
  }

  /** `isReplayed`: the agent is only repeating what was said before. */
  take(update: Fields, isReplayed: boolean): void {
    switch (update.sessionUpdate) {
      case 'available_commands_update':
        this.#host.setCommands(readCommands(update.availableCommands));
        break;
      case 'session_info_update':
        this.name(update.title, isReplayed);
        break;
      case 'current_mode_update':
        this.#changed(this.#withMode(text(update.currentModeId) ?? ''), isReplayed);
        break;
      case 'config_option_update':
        this.#changed(readOptions(update.configOptions), isReplayed);
        break;
      default:
    }
  }

  /** Takes a title, however the agent gave it. */
  name(title: unknown, isReplayed = false): void {
    const name = titleOf(title);
    if (name === undefined || name === this.#title) return;
    this.#title = name;
    if (!isReplayed) this.#host.setTitle(name);
  }

  #withMode(mode: string): Setting[] {
    return this.settings.map((setting) => {
      const isMode = setting.via === 'mode' || setting.category === 'mode';
      return isMode && setting.choices?.some(({ id }) => id === mode) ? { ...setting, value: mode } : setting;
    });
  }

  #changed(settings: readonly Setting[], isReplayed: boolean): void {
    if (settings.length === 0) return;
    const before = new Map(this.settings.map(({ id, value }) => [id, value]));
    this.settings = settings;
    // Only what changed: the user may have chosen other values meanwhile, which the agent has not been told yet.
    const changed = settings.filter(({ id, value }) => before.has(id) && before.get(id) !== value);
    if (isReplayed || this.isSetting || changed.length === 0) return;
    this.#host.setConfig(Object.fromEntries(changed.map(({ id, value }) => [id, value])));
  }
}

/** A title as an agent gave it; undefined if it has not named the session yet. */
export function titleOf(title: unknown): string | undefined {
  const name = label(title, MAX_TITLE_CHARS);
  return name === undefined || NOT_A_TITLE.test(name) ? undefined : name;
}

/** The title of a session in an agent's list of sessions; undefined when it is not there. */
export function titleInList(answer: unknown, sessionId: string): string | undefined {
  const { sessions } = fields(answer);
  const entries = Array.isArray(sessions) ? sessions.map(fields) : [];
  return text(entries.find((entry) => entry.sessionId === sessionId)?.title);
}
