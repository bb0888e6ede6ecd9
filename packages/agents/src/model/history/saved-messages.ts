import { strict } from '@moorage/protocol';
import { Type } from '@moorage/protocol/internal';
import type { ModelMessage } from 'ai';

/** What a signed part needs to be sent back, by the endpoint's protocol. */
const options = Type.Optional(Type.Record(Type.Record(Type.Unknown())));

const text = Type.Object({ type: Type.Literal('text'), text: Type.String(), providerOptions: options });
const reasoning = Type.Object({ type: Type.Literal('reasoning'), text: Type.String(), providerOptions: options });
const call = Type.Object({
  type: Type.Literal('tool-call'),
  toolCallId: Type.String(),
  toolName: Type.String(),
  input: Type.Unknown(),
  providerOptions: options,
});
const output = Type.Object({
  type: Type.Union([Type.Literal('text'), Type.Literal('error-text')]),
  value: Type.String(),
});
const result = Type.Object({
  type: Type.Literal('tool-result'),
  toolCallId: Type.String(),
  toolName: Type.String(),
  output,
});

const validator = strict(
  Type.Array(
    Type.Union([
      Type.Object({ role: Type.Literal('user'), content: Type.Union([Type.String(), Type.Array(text)]) }),
      Type.Object({
        role: Type.Literal('assistant'),
        content: Type.Union([Type.String(), Type.Array(Type.Union([text, reasoning, call]))]),
      }),
      Type.Object({ role: Type.Literal('tool'), content: Type.Array(result) }),
    ]),
  ),
);

/** Whether these are messages as `savableMessages` writes them: some of all that the SDK's format has. */
export function areSavedMessages(messages: unknown): messages is ModelMessage[] {
  return validator.check(messages);
}
