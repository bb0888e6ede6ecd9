import { createHash } from 'node:crypto';
import type { ChildCustomization, DirectoryCustomization, PluginCustomization } from '@ahpd/protocol';
import type { CustomizationOrigin } from '../../ports/customizations.js';
import type { McpLaunch } from '../../ports/mcp.js';
import type { Tree } from './tree.js';

/** A child of a container: what clients see of it, and what only the host knows. */
export interface Found {
  readonly child: ChildCustomization;
  /** Where its text is. */
  readonly file?: { readonly tree: Tree; readonly path: string };
  /** The tools that a custom agent is to use. */
  readonly tools?: readonly string[] | undefined;
  readonly launch?: McpLaunch;
  /** The server was brought along by a plugin that nobody put on this machine on purpose. */
  readonly isGuarded?: boolean;
}

export type Container = DirectoryCustomization | PluginCustomization;

/** A top-level entry as it was found; whether users have switched it off is known elsewhere. */
export interface LoadedContainer {
  readonly entry: Container;
  readonly found: readonly Found[];
  readonly origin: CustomizationOrigin;
}

/** The same for the same thing, also after a restart: users' choices are remembered by it. */
export function idOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
