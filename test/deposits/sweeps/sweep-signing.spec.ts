import { chmodSync, linkSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash, randomUUID } from 'node:crypto';
import { TronWeb, utils } from 'tronweb';
import { unsignedData } from '../../../src/chain/transactions/signing/transaction-builder';
import { signerOf } from '../../../src/chain/proof/witness-signature';
import { toHexAddress } from '../../../src/chain/tron/addresses';
import { bytesOf } from '../../../src/deposits/sweeps/sweep-bytes';
import { SWEEP_TRX, SWEEP_USDT } from '../../../src/deposits/sweeps/transaction-kinds';
import { SharedCommandLine } from '../../support/shared-command-line';
import { ACCOUNT, addressAt, USDT } from '../deposit-world';

const HOUR_MS = 3_600_000;
const TREASURY = addressAt(1_000_000);
/** Words that everybody knows, and the first address that they make on TRON. */
const WORDS = `${'abandon '.repeat(11)}about`;
const FIRST_OF_WORDS = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH';

interface Planned {
  readonly address?: string;
  readonly number?: number;
  readonly to?: string;
  readonly owner?: string;
  readonly amount?: bigint;
  readonly moves?: bigint;
  readonly permissionId?: number;
  readonly expiresInMs?: number;
}

/** As a plan has it; a thief of the service's machine writes into the file what he likes. */
function sweep(planned: Planned = {}): Record<string, unknown> {
  const { number = 0, address = addressAt(number), to = TREASURY, owner = address, amount = 5_000_000n } = planned;
  const { moves = amount, permissionId = 0, expiresInMs = 12 * HOUR_MS } = planned;
  const { rawDataHex } = unsignedData(
    { address: owner, permissionId },
    {
      kind: SWEEP_TRX,
      values: { to_address: to, amount: moves },
      reference: { number: 77, id: '00'.repeat(32) },
      expirationMs: Date.now() + expiresInMs,
      timestampMs: Date.now(),
    },
  );
  return { id: randomUUID(), address, number, asset: 'TRX', amount: String(amount), raw_data_hex: rawDataHex };
}

interface PlannedUsdt extends Planned {
  readonly contract?: string;
  readonly method?: string;
  /** The upper 12 bytes of the address word. */
  readonly word?: string;
}

function usdtSweep(planned: PlannedUsdt = {}): Record<string, unknown> {
  const { to = TREASURY, amount = 5_000_000n, moves = amount, method = 'a9059cbb', word = '00'.repeat(12) } = planned;
  const data = `${method}${word}${toHexAddress(to).slice(2)}${moves.toString(16).padStart(64, '0')}`;
  const { rawDataHex } = unsignedData(
    { address: addressAt(0), permissionId: 0 },
    {
      kind: SWEEP_USDT,
      values: { contract_address: planned.contract ?? USDT, data },
      reference: { number: 77, id: '00'.repeat(32) },
      expirationMs: Date.now() + 12 * HOUR_MS,
      timestampMs: Date.now(),
    },
  );
  return {
    id: randomUUID(),
    address: addressAt(0),
    number: 0,
    asset: 'USDT',
    amount: String(amount),
    raw_data_hex: rawDataHex,
  };
}

/** A call of USDT's `transfer` with a fee limit, made by tronweb. */
function usdtCall(): string {
  const message: unknown = utils.transaction.txJsonToPb({
    raw_data: {
      contract: [
        {
          parameter: {
            value: {
              owner_address: toHexAddress(addressAt(0)),
              contract_address: toHexAddress('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'),
              data: `a9059cbb${toHexAddress(TREASURY).padStart(64, '0')}${'5'.padStart(64, '0')}`,
            },
            type_url: 'type.googleapis.com/protocol.TriggerSmartContract',
          },
          type: 'TriggerSmartContract',
        },
      ],
      ref_block_bytes: '004d',
      ref_block_hash: '00'.repeat(8),
      expiration: Date.now() + HOUR_MS,
      timestamp: Date.now(),
      fee_limit: 100_000_000,
    },
  });
  return utils.transaction.txPbToRawDataHex(message).toLowerCase();
}

describe('a plan of sweeps is signed', () => {
  let folder: string;
  let cli: SharedCommandLine;
  let files = 0;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sweeps-'));
    // Without a database, a node or any other setting.
    cli = SharedCommandLine.with({});
  });
  afterAll(async () => {
    await cli.close();
    rmSync(folder, { recursive: true });
  });

  const write = (text: string, mode = 0o600) => {
    const file = join(folder, String(++files));
    writeFileSync(file, text, { mode });
    return file;
  };
  const planOf = (...sweeps: object[]) => write(JSON.stringify({ format: 'deposit-sweep-plan 1', sweeps }));
  const xprv = () => write(`${ACCOUNT.privateExtendedKey}\n`);
  const out = () => join(folder, `out-${++files}`);
  const sign = (plan: string, target: string, ...options: string[]) =>
    cli.run('deposit:sweep-sign', plan, target, ...options);
  async function refusalOf(plan: string, options = ['--to', TREASURY, '--xprv-file', xprv()]): Promise<string> {
    const target = out();
    const { exitCode, stderr } = await sign(plan, target, ...options);
    expect(exitCode).toBe(1);
    expect(() => statSync(target)).toThrow('ENOENT');
    return stderr;
  }

  it('never for another destination than the one that is typed', async () => {
    expect(await refusalOf(planOf(sweep(), sweep({ number: 1, to: addressAt(5) })))).toContain(
      `the transaction of ${addressAt(1)}: its bytes do not pay ${TREASURY}`,
    );
  });

  it.each<[string, () => object, string]>([
    ['another owner', () => sweep({ owner: addressAt(3) }), 'another owner'],
    ['a path whose key makes another address', () => ({ ...sweep(), number: 4 }), '0/4 makes another address'],
    ['another amount than the file shows', () => sweep({ moves: 6_000_000n }), 'move another amount'],
    ['a permission of its own', () => sweep({ permissionId: 2 }), 'permission 2'],
    ['bytes that have expired', () => sweep({ expiresInMs: -1_000 }), 'has expired'],
    ['bytes that live longer than a plan’s', () => sweep({ expiresInMs: 14 * HOUR_MS }), 'expires later'],
    ['a call of a contract, with a fee limit', () => ({ ...sweep(), raw_data_hex: usdtCall() }), 'no transfer of TRX'],
    [
      'a fee limit at a transfer',
      () => ({ ...sweep(), raw_data_hex: `${String(sweep()['raw_data_hex'])}900101` }),
      'field 18',
    ],
    ['USDT by the bytes of TRX', () => ({ ...sweep(), asset: 'USDT' }), 'no transfer of USDT: fee limit 0'],
    ['USDT to another destination', () => usdtSweep({ to: addressAt(5) }), `do not pay ${TREASURY}`],
    ['another amount of USDT', () => usdtSweep({ moves: 6_000_000n }), 'move another amount'],
    ['the token of another contract', () => usdtSweep({ contract: addressAt(9) }), 'call another contract'],
    ['another call', () => usdtSweep({ method: '095ea7b3' }), 'other than a transfer'],
    ['another fee limit', () => ({ ...usdtSweep(), raw_data_hex: usdtCall() }), 'fee limit 100000000'],
    [
      'a dirty address word',
      () => usdtSweep({ method: 'a9059cbb', word: `01${'00'.repeat(11)}` }),
      'other than a transfer',
    ],
    ['a malformed number', () => ({ ...sweep(), number: 2 ** 31 }), 'number of its sweep 1'],
    ['a malformed amount', () => ({ ...sweep(), amount: '5e6' }), 'amount of its sweep 1'],
  ])('never with %s', async (_, made, reason) => {
    expect(await refusalOf(planOf(made()))).toContain(reason);
  });

  it('never twice for one address', async () => {
    expect(await refusalOf(planOf(sweep(), sweep()))).toContain('the file has it twice');
  });

  it('never with a key that others can read, that is none, or of another account', async () => {
    const plan = planOf(sweep());
    const open = xprv();
    chmodSync(open, 0o640);
    const linked = join(folder, 'linked');
    linkSync(open, linked);
    const with_ = (...options: string[]) => refusalOf(plan, ['--to', TREASURY, ...options]);
    expect(await with_('--xprv-file', open)).toContain('others can read or write it (mode 0640)');
    expect(await with_('--xprv-file', linked)).toContain('others can read');
    expect(await with_('--xprv-file', join(folder, 'none'))).toContain('cannot be read: ENOENT');
    expect(await with_('--xprv-file', folder)).toContain('not a regular file');
    expect(await with_('--xprv-file', write(ACCOUNT.publicExtendedKey))).toContain('no extended private key');
    expect(await with_('--xprv-file', write(ACCOUNT.deriveChild(0).privateExtendedKey))).toContain(
      'neither the account',
    );
    const wrong = WORDS.replace('about', 'abandon');
    const said = await with_('--mnemonic-file', write(wrong));
    expect(said).toContain('no mnemonic');
    expect(said).not.toContain('abandon');
    expect(await with_('--mnemonic-file', write(WORDS))).toContain('0/0 makes another address');
  });

  it('never over a file that is there, nor with both or neither kind of key', async () => {
    const plan = planOf(sweep());
    const there = write('mine');
    const { exitCode, stderr } = await sign(plan, there, '--to', TREASURY, '--xprv-file', xprv());
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('EEXIST')]);
    expect(readFileSync(there, 'utf8')).toBe('mine');
    expect((await sign(plan, out(), '--to', TREASURY)).exitCode).toBe(2);
    const both = ['--to', TREASURY, '--xprv-file', xprv(), '--mnemonic-file', write(WORDS)];
    expect((await sign(plan, out(), ...both)).exitCode).toBe(2);
    expect((await sign(plan, out(), '--xprv-file', xprv())).exitCode).toBe(2);
    expect(await refusalOf(write('{"format":"deposit-sweep-signed 1","sweeps":[]}'))).toContain('its format is not');
  });

  it('with the key of each address, by its bytes, into a file that its owner alone reads; it shows the sums', async () => {
    const sweeps = [sweep(), sweep({ number: 7, amount: 1_234_567n })];
    const target = out();
    const shown = await cli.json(
      'deposit:sweep-sign',
      planOf(...sweeps),
      target,
      '--to',
      TREASURY,
      '--xprv-file',
      xprv(),
    );
    expect(shown).toEqual({ to: TREASURY, sweeps: 2, trx: '6.234567', usdt: '0.000000' });
    expect(statSync(target).mode & 0o777).toBe(0o600);
    const signed = JSON.parse(readFileSync(target, 'utf8')) as { format: string; sweeps: Record<string, unknown>[] };
    expect(signed.format).toBe('deposit-sweep-signed 1');
    expect(signed.sweeps).toEqual(
      sweeps.map((one) => ({ ...one, takes: expect.anything(), signature: expect.anything() })),
    );
    for (const { raw_data_hex: hex, signature, address } of signed.sweeps) {
      const digest = createHash('sha256')
        .update(Buffer.from(String(hex), 'hex'))
        .digest();
      expect(signerOf(digest, signature)).toBe(toHexAddress(String(address)));
    }
  });

  it('USDT and TRX of one address together, and USDT of another network by the contract that is typed', async () => {
    const keyed = ['--to', TREASURY, '--xprv-file', xprv()];
    const both = planOf(sweep(), usdtSweep());
    expect(await cli.json('deposit:sweep-sign', both, out(), ...keyed)).toEqual({
      to: TREASURY,
      sweeps: 2,
      trx: '5.000000',
      usdt: '5.000000',
    });
    const elsewhere = planOf(usdtSweep({ contract: addressAt(9) }));
    expect((await sign(elsewhere, out(), ...keyed, '--usdt-contract', addressAt(9))).exitCode).toBe(0);
  });

  it('by a mnemonic, of which the path m/44’/195’/0’/0/i is derived, and by the key at the root', async () => {
    const plan = planOf(sweep({ address: FIRST_OF_WORDS }));
    const words = write(`${WORDS.replaceAll(' ', '\n')}\n`);
    expect((await sign(plan, out(), '--to', TREASURY, '--mnemonic-file', words)).exitCode).toBe(0);
    expect(TronWeb.fromMnemonic(WORDS).address).toBe(FIRST_OF_WORDS);
  });

  it('and counts the bytes as the network does', () => {
    const hex = String(sweep()['raw_data_hex']);
    expect(bytesOf(hex)).toBe(hex.length / 2 + 3 + 67 + 64);
  });
});
