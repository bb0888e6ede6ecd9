import { readFileSync } from 'node:fs';
import type { AgentEvent, AgentTurn, TurnOutcome } from '@moorage/host';
import { Approvals } from '../../packages/agents/src/acp/chat/approvals.js';
import { EditedFiles } from '../../packages/agents/src/acp/chat/edited-files.js';
import { elicitationAnswer, inputRequest } from '../../packages/agents/src/acp/mapping/elicitation.js';
import { outcomeOf, stopNotice } from '../../packages/agents/src/acp/mapping/outcome.js';
import { TurnMapper } from '../../packages/agents/src/acp/mapping/turn-mapper.js';
import { stopped } from './test-agent.js';

/** A line of a recorded turn: what the agent sent, and what it was told. */
type Entry =
  | { readonly prompt: unknown }
  | { readonly update: unknown }
  | {
      readonly request: string;
      readonly id: number | string;
      readonly params: unknown;
    }
  | { readonly answer: number | string; readonly result: unknown }
  | { readonly cancel: true }
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly exit: true };

/** What the user of the recording did, done again by a client of the host. */
export interface ReplayUser {
  decide(toolCallId: string, outcome: unknown): void;
  answer(requestId: string, result: unknown): void;
  cancel(): void;
}

/** Plays a recorded turn of a real agent to the host, as its adapter would, and checks what the agent would be told. */
export async function replay(file: string, turn: AgentTurn, user: ReplayUser): Promise<TurnOutcome> {
  const mapper = new TurnMapper({
    // The content itself, so that the expected actions show it.
    storeContent: (content) => ({ uri: `data:,${encodeURIComponent(Buffer.from(content).toString())}` }),
    terminal: () => undefined,
    mcp: { servers: [{ id: 'mcp:everything', name: 'everything' }], tools: [{ server: 'everything', name: 'echo' }] },
    workingDirectory: '/workspace',
  });
  const emit = (events: readonly AgentEvent[]) => {
    for (const event of events) turn.emit(event);
  };
  const files = new EditedFiles({ read });
  let asked = '';
  const approvals = new Approvals({
    turn: {
      confirm: (request, withdrawn) => {
        asked = request.toolCallId;
        return turn.confirm(request, withdrawn);
      },
    },
    mapper,
    files,
    emit,
  });
  const open = new Map<number | string, (result: unknown) => Promise<unknown>>();
  let cancelled = false;
  for (const entry of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const line = JSON.parse(entry) as Entry;
    if ('update' in line) {
      const update = line.update as { toolCallId?: string };
      emit(mapper.update((await files.complete(update, mapper.contentOf(update.toolCallId))) ?? update));
      approvals.recheck();
    } else if ('request' in line && line.request === 'session/request_permission') {
      const answered = approvals.ask(line.params as Parameters<Approvals['ask']>[0], new AbortController().signal);
      await new Promise(setImmediate); // a file may have to be read first
      const toolCallId = asked;
      open.set(line.id, (result) => {
        user.decide(toolCallId, result);
        return answered;
      });
    } else if ('request' in line) {
      const request = inputRequest(`question-${line.id}`, line.params);
      if (!request) throw new Error(`nothing to ask in ${entry}`);
      const answers = turn.ask(request);
      open.set(line.id, async (result) => {
        user.answer(request.id, result);
        return elicitationAnswer(await answers);
      });
    } else if ('answer' in line) {
      const told = await open.get(line.answer)?.(line.result);
      if (!cancelled) expectSame(told, line.result);
    } else if ('cancel' in line) {
      cancelled = true;
      user.cancel();
      await stopped(turn); // as when the adapter tells the agent
    } else if ('result' in line) {
      emit(mapper.end(cancelled ? 'cancelled' : 'complete', line.result));
      emit(stopNotice(line.result));
      return outcomeOf(line.result, cancelled, mapper.failure);
    } else if ('error' in line) {
      emit(mapper.end('failed'));
      return { kind: 'error', error: { errorType: 'agentFailed', message: line.error.message } };
    } else if ('exit' in line) {
      emit(mapper.end('failed'));
      return { kind: 'error', error: { errorType: 'agentExited', message: 'The agent ended by itself.' } };
    }
  }
  throw new Error(`${file} has no end`);
}

/** The folder of the recordings: all of them began with this one file. */
async function read(path: string) {
  const isThere = path === '/workspace/README.md';
  const content = { bytes: Buffer.from('# Title\nold line\nend\n'), version: '1' };
  return { uri: `file://${path}`, shown: path, isLink: false, ...(isThere && { content }) };
}

function expectSame(told: unknown, recorded: unknown): void {
  const one = JSON.stringify(told);
  const other = JSON.stringify(recorded);
  // The recorded user answered a form with more than was asked.
  const isForm = other.startsWith('{"action"');
  if (isForm ? !one.startsWith('{"action":"accept"') : one !== other) throw new Error(`told ${one}, not ${other}`);
}
