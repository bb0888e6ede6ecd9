import { type Clock, nodeClock, type Workspace, type Workspaces } from '@moorage/host';
import { workspacesIn } from './workspaces.js';

/** Looks at folders that last until the test lets them end. The host's clock says that each has taken long already. */
export class HeldLook {
  #ahead = 0;
  #end: () => void = () => {};
  readonly #ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  readonly clock: Clock = { ...nodeClock, now: () => nodeClock.now() + this.#ahead };

  readonly workspaces = (folder: string): Workspaces => {
    const real = workspacesIn(folder);
    const held = new Map<Workspace, Workspace>(); // the same one for the same folder
    return instead(real, {
      open: (of) => {
        const workspace = real.open(of);
        const known = held.get(workspace) ?? this.#hold(workspace);
        held.set(workspace, known);
        return known;
      },
    });
  };

  /** Lets this look end, and those that come. */
  release(): void {
    this.#end();
  }

  #hold(workspace: Workspace): Workspace {
    return instead(workspace, {
      checkpoint: async (options) => {
        this.#ahead += 10_000;
        options.onProgress?.(120, 300);
        await this.#ended;
        return workspace.checkpoint(options);
      },
    });
  }
}

/** The same object but for some methods: it may have private members, which a copy has not. */
export function instead<T extends object>(real: T, methods: Partial<T>): T {
  return new Proxy(real, {
    get: (_, name) => {
      const value = Reflect.get(name in methods ? methods : real, name);
      return typeof value === 'function' ? value.bind(real) : value;
    },
  });
}
