import type { McpElicitation, McpElicitationAnswer, McpHandlers, McpSample, McpSampling } from '../../ports/mcp.js';
import { MAX_SAMPLES } from './limits.js';

/** The caller of a tool, who answers the server's questions meanwhile. */
export interface Caller {
  elicit(request: McpElicitation, signal: AbortSignal): Promise<McpElicitationAnswer>;
}

export type Sample = (request: McpSampling, signal: AbortSignal) => Promise<McpSample>;

/** The running tool calls of a server. What the server requests is attributed to one of them. */
export class RunningCalls {
  readonly #calls: { readonly caller: Caller; samples: number }[] = [];

  async during<T>(caller: Caller, call: () => Promise<T>): Promise<T> {
    const running = { caller, samples: 0 };
    this.#calls.push(running);
    try {
      return await call();
    } finally {
      this.#calls.splice(this.#calls.indexOf(running), 1);
    }
  }

  /** `sample` is undefined if the server may not use a model. */
  handlers(sample: Sample | undefined): Pick<McpHandlers, 'elicit' | 'sample'> {
    return {
      elicit: (request, signal) => this.#last('ask').caller.elicit(request, signal),
      ...(sample && {
        sample: async (request, signal) => {
          const call = this.#last('use the model');
          if (++call.samples > MAX_SAMPLES) throw new Error('the model was asked too often in one call');
          return sample(request, signal);
        },
      }),
    };
  }

  /** A server cannot say which call a request belongs to; the newest is the likeliest. */
  #last(what: string): { readonly caller: Caller; samples: number } {
    const call = this.#calls.at(-1);
    if (!call) throw new Error(`a server may ${what} only while one of its tools is running`);
    return call;
  }
}
