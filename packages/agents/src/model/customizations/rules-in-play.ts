import { AgentError, type AgentRule, type AgentTree } from '@moorage/host/ports';
import { MAX_INSTRUCTION_CHARS } from '../limits.js';
import { cutMiddle } from '../tools/cut.js';
import { MAX_RULES_CHARS } from './limits.js';

/** The rules that apply in a turn: those for every message, and those for the files used so far. */
export class RulesInPlay {
  /** Name by text, because some workspaces have the same text under several names. */
  readonly #texts = new Map<string, string>();
  readonly #waiting: Set<AgentRule>;
  #chars = 0;
  #isFull = false;

  private constructor(rules: readonly AgentRule[]) {
    this.#waiting = new Set(rules.filter(({ alwaysApply, hasGlobs }) => !alwaysApply && hasGlobs));
  }

  static async load(rules: readonly AgentRule[]): Promise<RulesInPlay> {
    const inPlay = new RulesInPlay(rules);
    for (const rule of rules) if (rule.alwaysApply) await inPlay.#add(rule);
    return inPlay;
  }

  /** What the model is told. */
  get sections(): string[] {
    const sections = [...this.#texts].map(([text, name]) => `<instructions from="${name}">\n${text}\n</instructions>`);
    return this.#isFull ? [...sections, '[There are more instructions than fit; the others are left out.]'] : sections;
  }

  /** A file of the workspace is used: the rules for it are part of the next request. */
  async touch(path: string): Promise<void> {
    for (const rule of [...this.#waiting]) {
      if (!rule.appliesTo(path)) continue;
      this.#waiting.delete(rule);
      await this.#add(rule);
    }
  }

  /** The same files, but reading one counts as using it. */
  watching(files: AgentTree): AgentTree {
    return {
      read: async (path, maxBytes) => {
        const file = await files.read(path, maxBytes);
        await this.touch(file.shown);
        return file;
      },
      write: (path, content, expected) => files.write(path, content, expected),
      delete: (path, expected) => files.delete(path, expected),
      rename: (from, to, expected) => files.rename(from, to, expected),
      locateFolder: (path) => files.locateFolder(path),
      list: (path) => files.list(path),
      find: (request) => files.find(request),
    };
  }

  async #add(rule: AgentRule): Promise<void> {
    const text = await rule.text().catch(unreadable);
    const shown = text && cutMiddle(text, MAX_INSTRUCTION_CHARS);
    if (!shown || this.#texts.has(shown)) return;
    this.#isFull ||= this.#chars + shown.length > MAX_RULES_CHARS;
    if (this.#isFull) return;
    this.#chars += shown.length;
    this.#texts.set(shown, rule.plugin === undefined ? rule.name : `${rule.plugin}: ${rule.name}`);
  }
}

/** A rule that has disappeared meanwhile does not apply. */
function unreadable(error: unknown): undefined {
  if (!(error instanceof AgentError)) throw error;
}
