// An MCP server whose tools say different things of themselves; what each does is the same.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const TOOLS = {
  peek: { readOnlyHint: true },
  waver: { readOnlyHint: true, destructiveHint: true },
  deny: { readOnlyHint: false },
  silent: undefined,
};

const server = new McpServer({ name: 'hinting', version: '1' });
for (const [name, annotations] of Object.entries(TOOLS)) {
  server.registerTool(name, { description: name, ...(annotations && { annotations }) }, () => ({
    content: [{ type: 'text', text: `${name} done` }],
  }));
}
await server.connect(new StdioServerTransport());
