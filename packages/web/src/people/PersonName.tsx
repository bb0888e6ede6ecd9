import { ExtensionMeta, type Message } from '@moorage/protocol';
import { visible } from '../ui/visible.js';

/** Who sent a message, where the host says so. */
export function personIn({ _meta }: Message): string | undefined {
  return nameIn(_meta, ExtensionMeta.person);
}

/** A name in `_meta`. */
export function nameIn(meta: Readonly<Record<string, unknown>> | undefined, member: string): string | undefined {
  const name = meta?.[member];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** The name of somebody who did something; nothing for the owner, who has none. */
export function PersonName({ name }: { readonly name: string | undefined }) {
  return name === undefined ? null : <bdi className="person-name">{visible(name)}</bdi>;
}
