import { object } from '../../common/schema.js';
import { Type } from '../../common/type.js';

/** The parts of a host's configuration that clients may add to. */
export type ConfigurationSection = 'agents' | 'mcpServers';

/** Our extension: adds an agent or an MCP server to the configuration of the host. */
export interface AddToConfigurationParams {
  channel: 'ahp-root://';
  /** Whether it is an agent or an MCP server. */
  section: ConfigurationSection;
  /** What the entry is called; one of that name is replaced. */
  name: string;
  /** The entry as the configuration file has it. */
  entry: Record<string, unknown>;
}

export const AddToConfigurationParamsSchema = object<AddToConfigurationParams>('AddToConfigurationParams', {
  channel: Type.Literal('ahp-root://'),
  section: Type.Enum(['agents', 'mcpServers']),
  name: Type.String(),
  entry: Type.Record(Type.Unknown()),
});

export interface AddToConfigurationResult {
  /** The path of the file on the host's machine. */
  file: string;
  /** There was an entry of that name before. */
  replaced: boolean;
  /** The host takes the entry up when it is started again. */
  needsRestart: boolean;
}

export const AddToConfigurationResultSchema = object<AddToConfigurationResult>('AddToConfigurationResult', {
  file: Type.String(),
  replaced: Type.Boolean(),
  needsRestart: Type.Boolean(),
});
