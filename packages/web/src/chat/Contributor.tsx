import type { ToolCallState } from '@moorage/protocol';
import { serversOf } from '../customizations/entries.js';
import { visible } from '../ui/visible.js';
import { useChat } from './context.js';

/** Names the provider of a tool that is not the agent's own: an MCP server or a client. */
export function Contributor({ call: { contributor } }: { readonly call: ToolCallState }) {
  const { session } = useChat();
  if (!contributor) return null;
  if (contributor.kind === 'client')
    return (
      <span className="tag contributor" title="A tool that a client of this session provides">
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
