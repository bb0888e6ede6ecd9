import type { ToolCallState } from '@ahpd/protocol';
import { serversOf } from '../surroundings/entries.js';
import { visible } from '../ui/visible.js';
import { useChat } from './context.js';

/** Whose tool it is, where it is not the agent's own: an MCP server's, or that of a client. */
export function Contributor({ call: { contributor } }: { readonly call: ToolCallState }) {
  const { session } = useChat();
  if (!contributor) return null;
  if (contributor.kind === 'client')
    return (
      <span className="tag contributor" title="A tool of a client of this session">
        client
      </span>
    );
  const server = serversOf(session).find(({ id }) => id === contributor.customizationId);
  return (
    <span className="tag contributor" title="A tool of an MCP server">
      <bdi>{server ? visible(server.name) : 'MCP server'}</bdi>
    </span>
  );
}
