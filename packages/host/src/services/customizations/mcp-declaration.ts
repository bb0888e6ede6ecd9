import type { URI } from '@ahpd/protocol';

/** How an MCP server that a plugin contributes is reached. Clients never see it (B-235). */
export type McpLaunch =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string | undefined;
    }
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

export interface McpDeclaration {
  /** The id of its child in the container. */
  readonly id: string;
  readonly name: string;
  readonly uri: URI;
  /** Whether both the server and its container are switched on. */
  readonly enabled: boolean;
  readonly launch: McpLaunch;
}

/** Hands over the servers of one container of a session: all of them, whenever one changes; none when it is gone. */
export type DeclareMcpServers = (session: URI, containerId: string, servers: readonly McpDeclaration[]) => void;
