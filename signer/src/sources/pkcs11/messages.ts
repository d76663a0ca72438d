export interface TokenSettings {
  readonly module: string;
  readonly token: string;
  readonly pin: string;
}

/** Without a digest: the public key. */
export type TokenRequest = { readonly label: string } & (
  | { readonly digest: null }
  | { readonly digest: Buffer; readonly publicKey: Buffer }
);

/** What the signer and the process of a token say to each other, with the number of a request. */
export type ToToken = { readonly settings: TokenSettings } | { readonly id: number; readonly request: TokenRequest };
export type FromToken = { readonly id: number } & (
  | { readonly bytes: Uint8Array }
  | { readonly error: string; readonly refusesPin: boolean }
);
