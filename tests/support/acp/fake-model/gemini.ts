import { type Answer, type Dialect, inPieces, newId, plain } from './dialect.js';

interface Content {
  readonly role?: string;
  readonly parts?: readonly { readonly text?: string; readonly functionCall?: object }[];
}

interface Tools {
  readonly functionDeclarations?: readonly { readonly name: string }[];
}

/** Google's generateContent, as Gemini CLI speaks it; the ones that are not streamed choose a model. */
export const gemini: Dialect = {
  path: /:(?:stream)?[gG]enerateContent$/,
  read(body) {
    const { contents = [], tools = [] } = body as { contents?: Content[]; tools?: Tools[] };
    return {
      turns: contents.map(({ role, parts = [] }) => ({
        role: role === 'model' ? 'assistant' : parts.some(({ text }) => text) ? 'user' : 'other',
        text: plain([...parts]),
        hasCalls: parts.some(({ functionCall }) => functionCall !== undefined),
      })),
      tools: tools.flatMap(({ functionDeclarations = [] }) =>
        functionDeclarations.map(({ name }) => ({ name, type: 'function' })),
      ),
    };
  },
  async write(answer, model, send) {
    const responseId = newId('gemini');
    const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 };
    const tell = (parts: object[], finishReason?: string) => {
      const candidate = { index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) };
      return send({ candidates: [candidate], usageMetadata, modelVersion: model, responseId });
    };
    await inPieces(answer, (text) => tell([{ text }]));
    const calls = callsOf(answer);
    if (calls.length > 0) await tell(calls);
    await tell([{ text: '' }], 'STOP');
  },
  whole: (_answer, model) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: CHOICE }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: model,
  }),
};

/** What it asks a small model before each turn: how hard the task is, and which model is to do it. */
const CHOICE = JSON.stringify({
  complexity_reasoning: 'It is simple.',
  complexity_score: 10,
  reasoning: 'It is simple.',
  model_choice: 'flash',
  next_speaker: 'user',
});

function callsOf({ uses }: Answer): object[] {
  return uses.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }));
}
