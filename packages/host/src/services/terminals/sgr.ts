/** The character attributes after `CSI parameters m`: what is set, and the parameters that set it. */
export function applySgr(before: ReadonlyMap<string, string>, parameters: string): ReadonlyMap<string, string> {
  const attributes = new Map(before);
  const list = parameters.split(';');
  for (let index = 0; index < list.length; index++) {
    const parameter = list[index] ?? '';
    const number = Number.parseInt(parameter || '0', 10);
    const colour = COLOURS[number];
    if (number === 0) attributes.clear();
    else if (colour !== undefined) {
      const taken = parameter.includes(':') ? 0 : colourParameters(list[index + 1]);
      attributes.set(colour, list.slice(index, index + 1 + taken).join(';'));
      index += taken;
    } else set(attributes, number, parameter);
  }
  return attributes;
}

/** The sequence that sets exactly these attributes. */
export function sgrText(attributes: ReadonlyMap<string, string>): string {
  return `\x1b[${['0', ...attributes.values()].join(';')}m`;
}

/** Attributes whose colour follows in further parameters. */
const COLOURS: Readonly<Record<number, string>> = { 38: 'foreground', 48: 'background', 58: 'underline colour' };

function colourParameters(kind: string | undefined): number {
  if (kind === '5') return 2;
  return kind === '2' ? 4 : 0;
}

function set(attributes: Map<string, string>, number: number, parameter: string): void {
  const off = OFF[number];
  if (off) for (const name of off) attributes.delete(name);
  else if (parameter === '4:0') attributes.delete('underline');
  else if (isBetween(number, 30, 37) || isBetween(number, 90, 97)) attributes.set('foreground', parameter);
  else if (isBetween(number, 40, 47) || isBetween(number, 100, 107)) attributes.set('background', parameter);
  else {
    const name = ON[number];
    if (name !== undefined) attributes.set(name, parameter);
  }
}

function isBetween(number: number, first: number, last: number): boolean {
  return number >= first && number <= last;
}

const ON: Readonly<Record<number, string>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  5: 'blink',
  6: 'blink',
  7: 'inverse',
  8: 'hidden',
  9: 'struck',
  21: 'underline',
  53: 'overline',
};

const OFF: Readonly<Record<number, readonly string[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  25: ['blink'],
  27: ['inverse'],
  28: ['hidden'],
  29: ['struck'],
  39: ['foreground'],
  49: ['background'],
  55: ['overline'],
  59: ['underline colour'],
};
