import { type Fields, fields, list } from '../../shared/untrusted.js';
import type { AnswerPart } from './answer.js';

interface StreamedCall {
  /** Ours: those of models may be missing or repeated. */
  readonly id: string;
  readonly name: string;
  readonly theirs: unknown;
  input: string;
}

/**
 * The tool calls of one answer, in pieces or whole. Servers leave out numbers and ids, repeat them for another call, or send
 * arguments as an object.
 */
export class StreamedCalls {
  readonly #calls: StreamedCall[] = [];
  readonly #byNumber = new Map<number, StreamedCall>();

  add(pieces: unknown): AnswerPart[] {
    return list(pieces).flatMap((piece) => this.#add(fields(piece)));
  }

  /** All calls, complete. */
  end(): AnswerPart[] {
    return this.#calls.map(({ id, name, input }) => {
      return { type: 'tool-call', toolCallId: id, toolName: name, input: argumentsIn(input), dynamic: true };
    });
  }

  #add(piece: Fields): AnswerPart[] {
    const { name, arguments: given } = fields(piece.function);
    const text = typeof given === 'string' ? given : given == null ? '' : JSON.stringify(given);
    const isNamed = typeof name === 'string' && name.trim() !== '';
    const known = this.#known(piece, isNamed);
    const call = known ?? this.#start(piece, isNamed ? name : undefined);
    call.input += text;
    return [
      ...(known ? [] : [{ type: 'tool-input-start', id: call.id, toolName: call.name } as const]),
      ...(text === '' ? [] : [{ type: 'tool-input-delta', id: call.id, delta: text } as const]),
    ];
  }

  /** The call that a piece continues. */
  #known({ index, id }: Fields, isNamed: boolean): StreamedCall | undefined {
    if (typeof index !== 'number') return isNamed ? undefined : this.#calls.at(-1);
    const call = this.#byNumber.get(index);
    if (!call || !isNamed) return call;
    const isAnother = isId(id) && isId(call.theirs) ? id !== call.theirs : isObject(call.input);
    return isAnother ? undefined : call;
  }

  #start({ index, id }: Fields, name: string | undefined): StreamedCall {
    if (name === undefined) throw new Error('it began a tool call without a name');
    const call = { id: `call_${this.#calls.length}`, name, theirs: id, input: '' };
    this.#calls.push(call);
    if (typeof index === 'number') this.#byNumber.set(index, call);
    return call;
  }
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== '';
}

/** Undefined when it is no JSON; nothing at all are no arguments. */
function argumentsIn(input: string): unknown {
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}

/** Whether the arguments are complete. */
function isObject(input: string): boolean {
  return input.trim() !== '' && typeof argumentsIn(input) === 'object';
}
