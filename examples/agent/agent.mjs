// An agent in 60 lines: it answers, asks, gets leave before it does something, hands work to another chat, and can be cancelled.
// Replace `work` with your own; docs/BUILD-AN-AGENT.md explains the rest.

/** @returns {import('@moorage/host').AgentProvider} */
export function helper() {
  return {
    info: { provider: 'helper', displayName: 'Helper', description: 'Shows how an agent is made', models: [] },
    resumesTurns: true, // it can be called again for a turn that waited for the user when the host stopped
    async openChat() {
      return {
        async prompt(turn) {
          await work(turn);
          return { kind: turn.signal.aborted ? 'cancelled' : 'complete' };
        },
        async rewind() {}, // it remembers nothing, so there is nothing to forget
        async dispose() {},
      };
    },
    async dispose() {},
  };
}

async function work(turn) {
  const [verb, ...rest] = turn.message.text.split(' ');
  const text = rest.join(' ');
  if (verb === 'ask') return say(turn, await ask(turn, text));
  if (verb === 'do') return say(turn, (await act(turn, text)) ? 'Done.' : 'Not done.');
  if (verb === 'delegate') {
    const start = { kind: 'toolCallStart', toolCallId: 'other', toolName: 'delegate', displayName: 'Delegate' };
    turn.emit(start);
    const other = await turn.spawn({ toolCallId: 'other', title: text, message: text });
    turn.emit({ kind: 'toolCallDone', toolCallId: 'other', result: { success: true, pastTenseMessage: 'Delegated' } });
    return say(turn, `The other said: ${other.text}`);
  }
  if (verb !== 'wait') return say(turn, `You said: ${turn.message.text}`);
  say(turn, 'Waiting.');
  await new Promise((resolve) => turn.signal.addEventListener('abort', resolve, { once: true }));
}

function say(turn, text) {
  if (!turn.signal.aborted) turn.emit({ kind: 'text', text });
}

// Ids are the same when the turn is resumed: then an answer that was given meanwhile comes at once.
async function ask(turn, message) {
  const outcome = await turn.ask({ id: 'q', message, questions: [{ id: 'a', kind: 'text', message, required: true }] });
  if (outcome.response !== 'accept') return 'You did not answer.';
  return `You answered: ${outcome.answers.a?.value?.value}`;
}

async function act(turn, what) {
  const identity = { toolCallId: 'call', toolName: 'act', displayName: 'Act' };
  const { approved } = await turn.confirm({ toolCallId: 'call', identity, invocationMessage: what, toolInput: what });
  if (!approved) return false; // the call has ended with the answer
  turn.emit({ kind: 'toolCallDone', toolCallId: 'call', result: { success: true, pastTenseMessage: `Did ${what}` } });
  return true;
}
