/** A configuration file that changes nothing: each setting is there as an example, in a comment. */
export const DEFAULT_CONFIG = `// Settings of moorage: of the hosts on this machine, and of the commands that talk to hosts.
// Remove the "//" before a setting to use it. A host reads this file when it starts.
{
  // Folders that sessions may use, unless --root is given.
  // "roots": ["~/src"],

  // Folders whose git repositories may run the programs that they configure, such as filters.
  // "trust": ["~/src/ours"],

  // Agents, by the name that sessions give them: programs that speak ACP, and models for the built-in agent.
  // Known agents need no entry. "moorage agents add" writes them.
  // "agents": {
  //   "mine": { "type": "acp", "command": "my-agent", "args": ["--acp"], "passEnv": ["MY_AGENT_KEY"] },
  //   "local": { "type": "model", "api": "openai", "baseURL": "http://127.0.0.1:11434/v1" },
  //   "hosted": {
  //     "type": "model", "api": "anthropic", "baseURL": "https://api.anthropic.com/v1", "apiKeyEnv": "ANTHROPIC_API_KEY"
  //   }
  // },

  // MCP servers that every session may use. "moorage mcp add" writes them.
  // "mcpServers": {
  //   "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] },
  //   "issues": { "url": "https://mcp.example/mcp", "enabled": false }
  // },

  // Folders of plugins for every session, relative to this file.
  // "plugins": ["plugins/house-rules"],

  // How the programs of agents are confined, unless a session says otherwise: "off", "network", "listed" or "offline".
  // "hostTools": "offered", // lets agents work with your other sessions: "off", "offered" or "on"
  // "sandbox": { "default": "network", "hosts": ["api.example"], "readable": ["~/.config/tool"] },

  // Who is told, besides the browsers that asked for it, when a session needs somebody or is done.
  // "notifications": {
  //   "page": "https://agents.example.org/",
  //   "webhooks": [{ "url": "https://ntfy.sh/my-secret-topic", "format": "ntfy", "topics": ["needsYou"] }]
  // },

  // Web pages, besides the host's own, that may connect to a host of this machine.
  // "allowedOrigins": ["https://agents.example.org"],

  // Other hosts that the page of this one may connect to.
  // "otherHosts": ["https://build.example:7433"],

  // Hosts that commands can be sent to by name, with --host NAME. "moorage host add" writes them.
  // "hosts": {
  //   "work": { "url": "wss://work.example:7433/", "tokenFile": "~/.config/moorage/work.token" }
  // },

  // The one of them that commands use without --host.
  // "default": "work",

  // Where tokens come from that agents need, by host and resource. "moorage auth add" writes them.
  // "tokens": {
  //   "work": { "https://models.example/": { "env": "MODELS_TOKEN" } }
  // }
}
`;
