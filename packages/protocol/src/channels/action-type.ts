import { actionTable } from './action-table.js';

/** Every action type by name, with the value that travels: `RootAgentsChanged` is `root/agentsChanged`. */
export const ActionType = Object.fromEntries(
  Object.keys(actionTable).map((type) => [type.split('/').map(capitalized).join(''), type]),
) as { readonly [T in ActionType as NameOf<T>]: T };

export type ActionType = keyof typeof actionTable;

type NameOf<T extends string> = T extends `${infer Kind}/${infer Name}`
  ? `${Capitalize<Kind>}${Capitalize<Name>}`
  : never;

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
