import { expect, it } from 'vitest';
import { apiReference } from '../../scripts/api-report.mjs';

/** A field whose type is one literal is a tag: it says itself what it is. */
const TAG = /^(?:readonly )?\w+: (?:'[^']*'|true|false|typeof \w+\.\w+);$/;

/** Not yet `agents`: the options of some agents have fields without one. */
it.each(['protocol', 'client', 'host'])('every field of the interfaces of %s has a comment', (name) => {
  const bare: string[] = [];
  const [promised = ''] = apiReference(name).split('Stability: **internal**');
  for (const [, title = '', body = ''] of promised.matchAll(/export interface (\w+)[^{}]*\{\n((?:(?!\}).*\n)*)\}/g)) {
    const lines = body.split('\n');
    lines.forEach((line, index) => {
      const field = /^ {4}(?! )((?:readonly )?[\w$]+\??[:(<].*)$/.exec(line)?.[1];
      if (field === undefined || TAG.test(field) || lines[index - 1]?.trim().endsWith('*/')) return;
      bare.push(`${title}.${field}`);
    });
  }
  expect(bare).toEqual([]);
});
