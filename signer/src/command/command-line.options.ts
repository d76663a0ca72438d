import { parseArgs } from 'node:util';

export class UsageError extends Error {}

export const HELP = `Holds the keys of TRON pool wallets, and signs what its configuration allows and nothing else.

npm run signer -- --config FILE --socket PATH
npm run signer -- --config FILE --listen HOST:PORT --tls-cert FILE --tls-key FILE --client-ca FILE
energy-signer …, with the same options, where the package is installed

  --config FILE       keys, what each may sign, and the state file (JSON)
  --socket PATH       listens on a Unix socket that its owner alone may use
  --listen HOST:PORT  listens with TLS 1.3, for clients with a certificate of --client-ca alone
  --tls-cert FILE     its certificate, with what lies between it and its authority (PEM)
  --tls-key FILE      the certificate's private key (PEM), which no other user may read
  --client-ca FILE    the authority of its clients (PEM)
  --help              this

It tries each key, prints what each of them signs, and then where it listens. README.md of the package has the configuration.
`;

export interface TlsOptions {
  readonly cert: string;
  readonly key: string;
  readonly clientCa: string;
}
export type Listening =
  | { readonly socket: string }
  | { readonly host: string; readonly port: number; readonly tls: TlsOptions };

export interface Options {
  readonly config: string;
  readonly listening: Listening;
}

const TEXT = { type: 'string' } as const;

/** Undefined: the help was asked for. @throws UsageError */
export function parseCommandLine(args: readonly string[]): Options | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  if (values.config === undefined) throw new UsageError('--config FILE is missing');
  return { config: values.config, listening: readListening(values) };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        config: TEXT,
        socket: TEXT,
        listen: TEXT,
        'tls-cert': TEXT,
        'tls-key': TEXT,
        'client-ca': TEXT,
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

function readListening(values: ReturnType<typeof parse>): Listening {
  const { socket, listen, 'tls-cert': cert, 'tls-key': key, 'client-ca': clientCa } = values;
  if ((socket === undefined) === (listen === undefined))
    throw new UsageError('give one of --socket PATH and --listen HOST:PORT');
  if (socket !== undefined) {
    if ([cert, key, clientCa].some((file) => file !== undefined))
      throw new UsageError('--tls-cert, --tls-key and --client-ca belong to --listen');
    return { socket };
  }
  if (cert === undefined || key === undefined || clientCa === undefined)
    throw new UsageError('--listen needs --tls-cert, --tls-key and --client-ca: it speaks TLS alone');
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(listen!) ?? [];
  const [host, port] = [bracketed ?? plain, Number(digits)];
  if (host === undefined || port > 65_535) throw new UsageError('--listen must be HOST:PORT, or [ADDRESS]:PORT');
  return { host, port, tls: { cert, key, clientCa } };
}
