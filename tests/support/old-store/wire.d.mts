interface Address {
  readonly url: string;
  readonly token: string;
}

type Json = { readonly [member: string]: unknown };

export class Wire {
  static connect(host: Address, clientId: string): Promise<Wire>;
  static open(host: Address, clientId: string): Promise<Wire>;
  request(method: string, params: object): Promise<Json>;
  subscribe<S = Json>(channel: string): Promise<S>;
  act(channel: string, action: object): Promise<void>;
  action(channel: string, type: string, fits?: (action: Json) => boolean): Promise<Json>;
  shown<S, T>(channel: string, pick: (state: S) => T | undefined): Promise<T>;
  close(): void;
}
