type Method = (...args: unknown[]) => Promise<unknown>;

/** These methods of an object, each call of them run by `run`. */
export function eachMethod<T extends object, K extends keyof T>(
  target: T,
  names: readonly K[],
  run: <R>(work: () => Promise<R>) => Promise<R>,
): Pick<T, K> {
  const methods = names.map((name) => {
    const method = target[name] as Method;
    return [name, (...args: unknown[]) => run(async () => method.apply(target, args))];
  });
  return Object.fromEntries(methods) as Pick<T, K>;
}
