import { type Client, RpcError } from '@moorage/client';
import {
  type AddToConfigurationResult,
  type ConfigurationSection,
  JsonRpcErrorCodes,
  ROOT_URI,
} from '@moorage/protocol';

/** Adds an agent or an MCP server to the host's configuration. */
export async function addToConfiguration(
  client: Client,
  section: ConfigurationSection,
  name: string,
  entry: Record<string, unknown>,
): Promise<AddToConfigurationResult> {
  try {
    return await client.request('moorage/addToConfiguration', { channel: ROOT_URI, section, name, entry });
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== JsonRpcErrorCodes.MethodNotFound) throw error;
    throw new Error("This host's configuration can only be changed on its machine");
  }
}
