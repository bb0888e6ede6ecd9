interface ConfigChange {
  config: Record<string, unknown>;
  replace?: boolean | undefined;
}

/** Changes the values of a configuration: key by key, or all of them with `replace`. The schema stays. */
export function mergeConfig<C extends { values: Record<string, unknown> }>(current: C, change: ConfigChange): C {
  return { ...current, values: change.replace ? { ...change.config } : { ...current.values, ...change.config } };
}
