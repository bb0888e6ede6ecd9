import {
  type AgentSelection,
  AgentSelectionSchema,
  lenient,
  type Message,
  type ModelSelection,
  ModelSelectionSchema,
} from '@moorage/protocol';

/** The model and agent that a message itself names, as it does in protocol version 0.5. */
export function messageSelection(message: Message): { model?: ModelSelection; agent?: AgentSelection } {
  const { model, agent } = message as { model?: unknown; agent?: unknown };
  return {
    ...(lenient(ModelSelectionSchema).check(model) && { model }),
    ...(lenient(AgentSelectionSchema).check(agent) && { agent }),
  };
}
