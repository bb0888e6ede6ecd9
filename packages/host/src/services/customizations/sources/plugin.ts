import { type CustomizationLoadState, isObject } from '@moorage/protocol';
import { findHooks, findMarkdown, findSkills, type SourceFolder } from '../find-children.js';
import { Finding } from '../finding.js';
import type { FoundCustomization } from '../found.js';
import { agentOf, type Build, promptOf, ruleOf } from '../parse/children.js';
import { nameField } from '../parse/fields.js';
import { hookChildren } from '../parse/hooks.js';
import { type JsonObject, rangesIn, readJson } from '../parse/json.js';
import { mcpServersOf } from '../parse/mcp-servers.js';
import { pathWithin, type Tree } from '../tree.js';

export interface LoadedPlugin {
  readonly name: string | undefined;
  readonly load: CustomizationLoadState;
  readonly found: readonly FoundCustomization[];
}

/** The places of a manifest in the tools that share this format; the open format's own place comes first. */
const MANIFESTS = ['plugin.json', '.plugin/plugin.json', '.claude-plugin/plugin.json', '.cursor-plugin/plugin.json'];

/** Reads a plugin in the Open Plugins format: a manifest, and folders with its contents. */
export async function loadPlugin(tree: Tree, container: string): Promise<LoadedPlugin> {
  const into = new Finding();
  const manifest = await readManifest(tree, into);
  const plugin: Plugin = {
    tree,
    container,
    manifest: manifest?.fields ?? {},
    manifestPath: manifest?.path ?? '',
    into,
  };
  await Promise.all([
    folders(plugin, 'skills', ['skills'], (place) => findSkills(place, into)),
    folders(plugin, 'commands', ['commands', 'prompts'], markdown(into, ['.prompt.md', '.md'], promptOf)),
    folders(plugin, 'agents', ['agents'], markdown(into, ['.agent.md', '.md'], agentOf)),
    folders(plugin, 'rules', ['rules'], markdown(into, ['.instructions.md', '.mdc', '.md'], ruleOf)),
    hooks(plugin),
    mcpServers(plugin),
  ]);
  const name = nameField(plugin.manifest, 'name');
  if (!manifest && into.isEmpty)
    return { name, found: [], load: { kind: 'error', message: 'there is no plugin here' } };
  return { name, found: into.found, load: into.load };
}

interface Plugin {
  readonly tree: Tree;
  readonly container: string;
  readonly manifest: JsonObject;
  readonly manifestPath: string;
  readonly into: Finding;
}

async function readManifest(tree: Tree, into: Finding): Promise<{ path: string; fields: JsonObject } | undefined> {
  for (const path of MANIFESTS) {
    const text = await into.attempt(path, () => tree.read(path));
    if (text === undefined) continue;
    const fields = await into.attempt(path, async () => readJson(text));
    return { path, fields: fields ?? {} };
  }
  return undefined;
}

function markdown(into: Finding, suffixes: readonly string[], build: Build) {
  return (place: SourceFolder) => findMarkdown(place, suffixes, build, into);
}

/** The usual folders, and further ones that the manifest names. */
async function folders(
  plugin: Plugin,
  member: string,
  usual: readonly string[],
  find: (place: SourceFolder) => Promise<boolean>,
): Promise<void> {
  const { tree, container, into } = plugin;
  const named = pathsOf(plugin, member);
  for (const path of new Set([...usual, ...named])) {
    const exists = await find({ tree, path, container });
    if (!exists && named.includes(path)) into.problem(`${member}: there is no folder ${path}`);
  }
}

/** The relative paths in a member of the manifest; an inline object has none. */
function pathsOf({ manifest, into }: Plugin, member: string): string[] {
  const value = Object.hasOwn(manifest, member) ? manifest[member] : undefined;
  if (value === undefined || isObject(value)) return [];
  return (Array.isArray(value) ? value : [value]).slice(0, MAX_PATHS).flatMap((item) => {
    const path = typeof item === 'string' ? pathWithin('', item) : undefined;
    if (path === undefined) into.problem(`${member}: expected paths within the plugin`);
    return path === undefined ? [] : [path];
  });
}

/** Folders or files of one kind that a manifest may name. */
const MAX_PATHS = 50;

async function hooks(plugin: Plugin): Promise<void> {
  const { tree, container, manifest, manifestPath, into } = plugin;
  await findHooks({ tree, container, path: '' }, ['hooks/hooks.json', ...pathsOf(plugin, 'hooks')], into);
  if (!isObject(manifest.hooks)) return;
  const inline = isObject(manifest.hooks.hooks) ? manifest.hooks.hooks : manifest.hooks;
  into.add(...hookChildren({ tree, container, path: manifestPath }, inline, () => undefined, []));
}

async function mcpServers(plugin: Plugin): Promise<void> {
  const { tree, container, manifest, manifestPath, into } = plugin;
  for (const path of new Set(['.mcp.json', 'mcp.json', ...pathsOf(plugin, 'mcpServers')])) {
    await into.attempt(path, async () => {
      const text = await tree.read(path);
      if (text === undefined) return;
      const fields = readJson(text);
      const isWrapped = isObject(fields.mcpServers);
      const plain = Object.entries(fields).filter(([, server]) => isObject(server));
      const servers = isObject(fields.mcpServers) ? fields.mcpServers : Object.fromEntries(plain);
      add(
        into,
        mcpServersOf({ tree, container, path }, servers, await rangesIn(text), isWrapped ? ['mcpServers'] : []),
      );
    });
  }
  if (!isObject(manifest.mcpServers)) return;
  add(
    into,
    mcpServersOf({ tree, container, path: manifestPath }, manifest.mcpServers, () => undefined, []),
  );
}

function add(into: Finding, { found, problems }: ReturnType<typeof mcpServersOf>): void {
  into.add(...found);
  for (const problem of problems) into.problem(problem);
}
