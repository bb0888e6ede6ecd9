interface Address {
  readonly url: string;
  readonly token: string;
}

type Json = { readonly [member: string]: unknown };

export class Wire {
  /** `version` is that of the protocol, by default 0.4.0. */
  static connect(host: Address, clientId: string, version?: string): Promise<Wire>;
  static open(host: Address, clientId: string): Promise<Wire>;
  request<R = Json>(method: string, params: object): Promise<R>;
  subscribe<S = Json>(channel: string): Promise<S>;
  act(channel: string, action: object): Promise<void>;
  action(channel: string, type: string, fits?: (action: Json) => boolean): Promise<Json>;
  shown<S, T>(channel: string, pick: (state: S) => T | undefined): Promise<T>;
  close(): void;
}
