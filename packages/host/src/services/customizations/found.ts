import { createHash } from 'node:crypto';
import type { ChildCustomization, DirectoryCustomization, PluginCustomization } from '@moorage/protocol';
import type { CustomizationOrigin } from '../../ports/customizations.js';
import type { McpLaunch } from '../../ports/mcp.js';
import type { Tree } from './tree.js';

/** A child of a container: what clients see of it, and what only the host knows. */
export interface FoundCustomization {
  readonly child: ChildCustomization;
  /** The file with its text. */
  readonly file?: { readonly tree: Tree; readonly path: string };
  /** The tools of a custom agent. */
  readonly tools?: readonly string[] | undefined;
  readonly launch?: McpLaunch;
  /** Whether the server comes from a plugin that was not put on this machine on purpose. */
  readonly isGuarded?: boolean;
}

export type Container = DirectoryCustomization | PluginCustomization;

/** A top-level entry as it was found, without users' choices. */
export interface LoadedContainer {
  readonly entry: Container;
  readonly found: readonly FoundCustomization[];
  readonly origin: CustomizationOrigin;
  /** The folder that it is about, if it was found in one of the session's. */
  readonly workspace?: string;
}

/** A stable id, also across restarts: users' choices are stored under it. */
export function idOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
