import {
  type AgentChat,
  type AgentChatOptions,
  AgentError,
  type AgentTurn,
  type TurnOutcome,
} from '@moorage/host/ports';
import type { Message, Turn } from '@moorage/protocol';
import type { Lock } from '../../shared/lock.js';
import { fields, text } from '../../shared/untrusted.js';
import { type AcpAgentOptions, nameOf } from '../config.js';
import type { Tokens } from '../mapping/usage.js';
import { readSettings } from '../settings.js';
import type { AcpTimeouts } from '../timeouts.js';
import { ActiveTurn } from './active-turn.js';
import type { LateReport } from './after-cancel.js';
import { applySettings } from './apply-settings.js';
import { ChatRequests } from './chat-requests.js';
import { findTitle } from './find-title.js';
import { FolderTrust } from './folder-trust.js';
import { LateWords } from './late-words.js';
import type { Learnt } from './learn-settings.js';
import { LiveAgent } from './live-agent.js';
import { openSession } from './open-session.js';
import { promptContent } from './prompt-content.js';
import { rulesForAgent } from './rules.js';
import { type RunResult, runTurn } from './run-turn.js';
import { SessionUpdates } from './session-updates.js';
import { Transcript } from './transcript.js';

export interface AcpChatOptions {
  readonly agent: AcpAgentOptions;
  readonly chat: AgentChatOptions;
  readonly cwd: string;
  readonly timeouts: AcpTimeouts;
  /** One start at a time, because agents that share a home folder disturb each other while they set it up. */
  readonly starts: Lock;
  /** The agent has said what it can do, and named its models and settings. */
  onLearnt(learnt: Learnt): void;
}

interface Open {
  readonly live: LiveAgent;
  /** The token that its process was started with. */
  readonly token: string | undefined;
  readonly sessionId: string;
}

/** One chat with an agent, in a process of its own that is started for a prompt, and again whenever it is gone. */
export class AcpChat implements AgentChat {
  readonly #options: AcpChatOptions;
  readonly #requests: ChatRequests;
  readonly #lateWords: LateWords;
  readonly #updates: SessionUpdates;
  readonly #trust: FolderTrust;
  readonly #stopping = new Set<Promise<unknown>>();
  #transcript: Transcript;
  /** The agent's own id of the conversation. */
  #sessionId: string | undefined;
  #opening: Promise<Open> | undefined;
  /** Whether the agent must be told the earlier turns with the next prompt. */
  #owesHistory = false;
  /** The rules that the agent has been told in this session. */
  #rules = '';
  /** The tokens that the process has counted so far, if it counts them over its whole session. */
  #used: Tokens | undefined;
  /** MCP servers that the agent does not take; undefined until it was started, and empty once the user was told. */
  #leftOut: readonly string[] | undefined;
  /** What came after a cancel and could not be said yet. */
  #unsaid: LateReport | undefined;
  #idle: NodeJS.Timeout | undefined;
  #disposed = false;
  #isPaused = false;
  /** Aborts the search for a title. */
  #naming = new AbortController();
  /** Aborts a start that is under way. */
  #giveUp: AbortController | undefined;

  constructor(options: AcpChatOptions) {
    this.#options = options;
    const { history, resumeState, host, files } = options.chat;
    this.#sessionId = text(fields(resumeState).sessionId);
    this.#transcript = new Transcript(history);
    this.#lateWords = new LateWords((words) => void host.say(words));
    this.#updates = new SessionUpdates(host);
    this.#trust = new FolderTrust(options.agent, options.chat);
    this.#requests = new ChatRequests({
      files,
      onSessionUpdate: (update) => this.#updates.take(fields(update), this.#requests.isReplaying),
      onLateWords: (words) => this.#lateWords.add(words),
    });
  }

  async prompt(turn: AgentTurn): Promise<TurnOutcome> {
    try {
      const outcome = await this.#prompt(turn);
      if (outcome.kind === 'error') this.#giveBackRefused(turn, outcome.error.errorType);
      return outcome;
    } catch (error) {
      if (error instanceof AgentError) this.#giveBackRefused(turn, error.errorType);
      throw error;
    }
  }

  /** When the agent refuses the token, its client is asked for another. */
  #giveBackRefused(turn: AgentTurn, errorType: string): void {
    const { auth } = this.#options.agent;
    if (auth && errorType === 'authRequired') turn.tokens.refused(auth.resource);
  }

  async #prompt(turn: AgentTurn): Promise<TurnOutcome> {
    clearTimeout(this.#idle);
    this.#naming.abort();
    this.#lateWords.flush();
    const cancelled = new Promise<undefined>((resolve) => {
      turn.signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    const open = await Promise.race([this.#openFor(turn), cancelled]);
    if (!open || turn.signal.aborted) return { kind: 'cancelled' };
    await Promise.race([turn.goAhead(), cancelled]); // starting it may have taken long
    if (turn.signal.aborted) return { kind: 'cancelled' };
    const outcome = await this.#run(open, turn);
    if (!this.#disposed) this.#afterTurn(open);
    return outcome;
  }

  /** No agent can forget a part of its session, so it gets a new one with what is left. */
  async rewind(history: readonly Turn[]): Promise<void> {
    await this.#close();
    this.#sessionId = undefined;
    this.#transcript = new Transcript(history);
    this.#options.chat.host.saveResumeState({});
  }

  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#opening?.then(({ live }) => live.pause(this.#isPaused)).catch(() => {}); // it could not be started
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    clearTimeout(this.#idle);
    this.#giveUp?.abort();
    this.#lateWords.drop();
    await this.#close();
    await Promise.all(this.#stopping);
  }

  /** Runs the message, and then what the user said meanwhile to steer: no ACP agent takes a message while it works. */
  async #run(open: Open, turn: AgentTurn): Promise<TurnOutcome> {
    const { cwd: workingDirectory, chat } = this.#options;
    const active = new ActiveTurn(turn, { workingDirectory, servers: chat.mcpServers, files: chat.files });
    active.mapper.usedBefore = this.#used;
    if (this.#leftOut && this.#leftOut.length > 0) {
      const text = `${nameOf(this.#options.agent)} works without MCP servers of this kind: ${this.#leftOut.join(', ')}.`;
      turn.emit({ kind: 'notice', text });
      this.#leftOut = [];
    }
    if (this.#unsaid) {
      turn.emit({ kind: 'notice', text: this.#unsaid.text });
      if (this.#unsaid.usage) active.mapper.usedEarlier(this.#unsaid.usage);
      this.#unsaid = undefined;
    }
    this.#requests.active = active;
    try {
      await this.#set(open, turn);
      let result = await this.#send(open, active, turn.message);
      while (result.isUsable && result.outcome.kind === 'complete') {
        const steering = turn.takeSteering();
        if (!steering) break;
        active.mapper.nextPrompt();
        result = await this.#send(open, active, steering);
      }
      if (!result.isUsable) await this.#close(true);
      if (result.outcome.kind === 'cancelled') this.#reportLate(active.afterCancel.report(nameOf(this.#options.agent)));
      return result.outcome;
    } finally {
      this.#requests.active = undefined;
      this.#used = active.mapper.usedBefore;
    }
  }

  /** As a turn of its own, or, if the next one has begun already, at the start of that. */
  #reportLate(report: LateReport | undefined): void {
    if (report && !this.#options.chat.host.say(report.text, report.usage)) this.#unsaid = report;
  }

  async #send({ live, sessionId }: Open, active: ActiveTurn, message: Message): Promise<RunResult> {
    const { agent, timeouts } = this.#options;
    const prompt = promptContent(message, live.capabilities);
    if (this.#owesHistory) {
      const text = `${nameOf(agent)} could not take up its earlier session. ${GIVEN_AGAIN}`;
      active.turn.emit({ kind: 'notice', text });
      prompt.unshift({ type: 'text', text: this.#transcript.toString() });
      this.#owesHistory = false;
    }
    const rules = await rulesForAgent(active.turn);
    if (rules !== this.#rules && rules !== '') prompt.unshift({ type: 'text', text: rules });
    this.#rules = rules;
    const saidBefore = active.mapper.said.length;
    const result = await runTurn({ config: agent, live, sessionId, active, prompt, timeouts });
    this.#transcript.add(message.text, active.mapper.said.slice(saidBefore));
    return result;
  }

  async #set({ live, sessionId }: Open, turn: AgentTurn): Promise<void> {
    const { timeouts, agent } = this.#options;
    this.#updates.isSetting = true;
    try {
      this.#updates.settings = await applySettings(live, sessionId, this.#updates.settings, turn, timeouts.sessionMs);
    } catch (error) {
      const why = live.explain(error);
      turn.emit({ kind: 'notice', text: `${nameOf(agent)} did not take a setting: ${why}` });
    } finally {
      this.#updates.isSetting = false;
    }
  }

  /**
   * A process with the token of this turn. One with another token is somebody else's, or out of date. Undefined if the turn
   * is cancelled before the agent is started for it.
   */
  async #openFor(turn: AgentTurn): Promise<Open | undefined> {
    await this.#trust.ask(turn);
    if (turn.signal.aborted) return undefined;
    const { auth } = this.#options.agent;
    const token = auth && turn.tokens.get(auth.resource);
    const opening = this.#opening;
    const running = await opening?.catch(() => undefined);
    if (running && running.token !== token && this.#opening === opening) await this.#close();
    return this.#open(token);
  }

  #open(token: string | undefined): Promise<Open> {
    if (this.#opening) return this.#opening;
    const opening = this.#options.starts.run(() => this.#start(token));
    this.#opening = opening;
    opening.catch(() => this.#forget(opening));
    return opening;
  }

  async #start(token: string | undefined): Promise<Open> {
    const { agent, cwd, timeouts, chat, onLearnt } = this.#options;
    await Promise.all(this.#stopping); // two processes on one session would disturb each other
    if (this.#disposed) throw new AgentError('agentDisposed', 'This chat was closed.');
    const giveUp = new AbortController();
    this.#giveUp = giveUp;
    this.#requests.isReplaying = true;
    let live: LiveAgent | undefined;
    try {
      const secretEnv = agent.auth && token !== undefined ? { [agent.auth.tokenEnv]: token } : {};
      const env = { ...agent.env, ...this.#trust.env };
      const program = { ...agent, env, secretEnv };
      live = await LiveAgent.start(program, cwd, this.#requests, timeouts, giveUp.signal, chat.confine);
      this.#watch(live);
      this.#used = live.countsWholeSession ? {} : undefined;
      const { additionalDirectories = [], mcpServers } = chat;
      const opened = await openSession(live, {
        config: agent,
        cwd,
        additionalDirectories,
        mcpServers,
        sessionId: this.#sessionId,
        timeouts,
      });
      if (this.#disposed) throw new AgentError('agentDisposed', 'This chat was closed.');
      this.#owesHistory = !opened.isResumed && !this.#transcript.isEmpty;
      this.#sessionId = opened.sessionId;
      if (!opened.isResumed) this.#rules = '';
      this.#requests.sessionId = opened.sessionId;
      chat.host.saveResumeState({ sessionId: opened.sessionId });
      this.#updates.settings = readSettings(opened.answer);
      this.#leftOut = this.#leftOut === undefined ? opened.leftOut : [];
      onLearnt({ settings: this.#updates.settings, takesSeveralFolders: live.takesSeveralFolders });
      return { live, token, sessionId: opened.sessionId };
    } catch (error) {
      await live?.kill();
      throw error;
    } finally {
      this.#giveUp = undefined;
      this.#requests.isReplaying = false;
    }
  }

  /** Ends the process; with `now`, without asking it first. */
  async #close(now = false): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    this.#naming.abort();
    if (!opening) return;
    const stopped = opening.then(({ live }) => (now ? live.kill() : live.stop())).catch(() => {});
    this.#stopping.add(stopped);
    await stopped;
    this.#stopping.delete(stopped);
  }

  #forget(opening: Promise<Open>): void {
    if (this.#opening === opening) this.#opening = undefined;
  }

  #watch(live: LiveAgent): void {
    void live.ended.then((how) => this.#onEnded(live, how));
  }

  async #onEnded(live: LiveAgent, how: string): Promise<void> {
    const opening = this.#opening;
    const open = await opening?.catch(() => undefined);
    if (!opening || open?.live !== live) return;
    this.#forget(opening);
    const { agent, chat } = this.#options;
    agent.log?.write('warn', 'agent.ended', 'an ACP agent ended by itself', {
      agent: agent.id,
      chat: chat.chat,
      how,
      stderr: live.stderr,
    });
  }

  #afterTurn(open: Open): void {
    this.#sleepLater(open);
    const { cwd, timeouts } = this.#options;
    this.#naming = new AbortController();
    const { signal } = this.#naming;
    const search = { ...open, cwd, updates: this.#updates, timeoutMs: timeouts.sessionMs, signal };
    if (!this.#updates.isNamed) findTitle(search).catch(() => {}); // an agent that has no list, or is gone, has no title
  }

  /** Starting again costs less than the memory of many idle agents, if they can resume their sessions. */
  #sleepLater({ live }: Open): void {
    if (!live.canLoad && !live.canResume) return;
    this.#idle = setTimeout(() => void this.#close(), this.#options.timeouts.idleMs);
    this.#idle.unref();
  }
}

const GIVEN_AGAIN = 'It was given the conversation so far as text.';
