/** What a peer would read, where a member that is null or undefined counts as absent. */
export function bare<T>(value: T): T {
  const text = JSON.stringify(value, (_, member) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).filter(([, inner]) => inner !== null));
  });
  return JSON.parse(text);
}
