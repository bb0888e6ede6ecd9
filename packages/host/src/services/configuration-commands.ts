import { invalidParams } from '../core/errors.js';
import type { Handler, Handlers } from '../core/handler.js';
import { type Configuration, ConfigurationError } from '../ports/configuration.js';

/** Whoever may run programs on this machine anyway may also say which agents and MCP servers there are. */
export function configurationCommands(configuration: Configuration) {
  const addToConfiguration: Handler<'moorage/addToConfiguration'> = ({ section, name, entry }) => {
    try {
      return { ...configuration.add(section, name, entry) };
    } catch (error) {
      throw error instanceof ConfigurationError ? invalidParams(error.message) : error;
    }
  };
  return { 'moorage/addToConfiguration': addToConfiguration } satisfies Handlers;
}
