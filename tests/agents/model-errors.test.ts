import { describe, expect } from 'vitest';
import { CHOSEN_AGENTS, scenario, useRealAgent, VERY_PATIENT } from '../support/acp/real-agent-rig.js';
import { startTurn, textOf, turn, turnEnd } from '../support/actions.js';

/** `ends`: the turn fails at once. `is silent`: it ends as if nothing had happened, so the host says something. `retries`: the agent asks again and again without a word, so the host says something. */
const BEHAVIOUR: Readonly<Record<string, Readonly<Record<number, 'ends' | 'retries' | 'is silent'>>>> = {
  codex: { 400: 'ends', 401: 'ends', 429: 'ends', 500: 'ends' },
  claude: { 400: 'ends', 401: 'retries', 429: 'retries', 500: 'retries' },
  'claude-newest': { 400: 'ends', 401: 'retries', 429: 'retries', 500: 'retries' },
  copilot: { 400: 'ends', 401: 'ends', 429: 'retries', 500: 'retries' },
  qwen: { 400: 'ends', 401: 'ends', 429: 'retries', 500: 'retries' },
  gemini: { 400: 'ends', 401: 'ends', 429: 'retries', 500: 'retries' },
  kimi: { 400: 'is silent', 401: 'ends', 429: 'retries', 500: 'retries' },
  opencode: { 400: 'ends', 401: 'ends', 429: 'retries', 500: 'retries' },
};

describe.each(CHOSEN_AGENTS)('$id whose model fails', (agent) => {
  const rig = useRealAgent(agent);

  const worksAgain = async () => {
    await turn(rig.client, rig.chat, 'script:hello');
    const turns = await rig.userTurns();
    expect(turns.at(-1)).toMatchObject({ state: 'complete' });
    expect(textOf(turns.at(-1))).toContain('Hello from the model.');
    return turns;
  };

  for (const status of [400, 401, 429, 500] as const) {
    scenario(agent, `error ${status}`, async () => {
      const turnId = startTurn(rig.client, rig.chat, `script:error${status}`);
      const behaviour = BEHAVIOUR[agent.id]?.[status];
      if (behaviour === 'ends') await saysSo(turnId);
      else if (behaviour === 'is silent') await isNotedAsSilent(turnId);
      else await isSeenToRetry(turnId);
    });
  }

  async function saysSo(turnId: string): Promise<void> {
    const end = await turnEnd(rig.client, rig.chat, turnId);
    expect(end).toMatchObject({
      type: 'chat/error',
      part: { error: { message: expect.stringMatching(/\w+ .*\w+/) } },
    });
    expect(JSON.stringify(end)).toMatch(/refuses|not logged in|authentication failed|high demand|exceeded|limit/i);
    const turns = await worksAgain();
    expect(turns.map(({ state }) => state)).toEqual(['error', 'complete']);
  }

  async function isNotedAsSilent(turnId: string): Promise<void> {
    expect(await turnEnd(rig.client, rig.chat, turnId)).toMatchObject({ type: 'chat/turnComplete' });
    expect(JSON.stringify((await rig.seen()).turns)).toContain('ended its turn without a word');
    await worksAgain();
  }

  async function isSeenToRetry(turnId: string): Promise<void> {
    const quiet = await rig.other.envelope(
      ({ channel, action }) =>
        channel === rig.chat &&
        action.type === 'chat/responsePart' &&
        action.part.kind === 'systemNotification' &&
        JSON.stringify(action.part.content).includes('has said nothing'),
    );
    expect(JSON.stringify(quiet.action)).toContain('Cancel the turn');
    await expect.poll(() => rig.model.refusals(), VERY_PATIENT).toBeGreaterThan(1);
    await rig.cancel(turnId);
    const turns = await worksAgain();
    expect(turns.map(({ state }) => state)).toEqual(['cancelled', 'complete']);
  }

  scenario(agent, 'error that passes', async () => {
    const turnId = startTurn(rig.client, rig.chat, 'script:hiccup');
    expect(await turnEnd(rig.client, rig.chat, turnId)).toMatchObject({ type: 'chat/turnComplete' });
    expect(rig.model.refusals()).toBe(1);
    expect(textOf((await rig.seen()).turns[0])).toContain('Hello after all.');
  });
});
