import { createHash } from 'node:crypto';
import { TronWeb, utils } from 'tronweb';
import { startLocalChain, type LocalChain, type LocalChainOptions } from '../../local-chain/src/local-chain';
import { parseJson } from '../../local-chain/src/protobuf/lossless.json';

export const TRX = 1_000_000;
/** The node's JSON: each test says by its expectations what is in it. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Answer = Record<string, any>;

export interface Key {
  key: string;
  base58: string;
  hex: string;
}

export const keyOf = (key: string): Key => {
  const base58 = TronWeb.address.fromPrivateKey(key) as string;
  return { key, base58, hex: TronWeb.address.toHex(base58).toLowerCase() };
};
export const named = (name: string): Key => keyOf(createHash('sha256').update(`test: ${name}`).digest('hex'));

/** Asks again until it is so; jest's own limit ends what never is. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

export interface Built extends Answer {
  txID: string;
  raw_data: Answer;
}

interface BuildOptions {
  permissionId?: number;
  header?: Answer;
  data?: string;
}

/** A real local chain with blocks by hand, and transactions built byte by byte, nothing checked on this side. */
export class TestChain {
  private stamp = 0;
  readonly pool: Key;
  readonly rich: Key;
  readonly activate: Key;

  constructor(readonly chain: Pick<LocalChain, 'url' | 'accounts'> & { close?(): Promise<void> }) {
    const role = (name: string): Key => keyOf(chain.accounts.find((account) => account.role === name)!.private_key);
    [this.pool, this.rich, this.activate] = [role('pool'), role('rich'), role('activate')];
  }

  static async start(options: LocalChainOptions = {}): Promise<TestChain> {
    return new TestChain(await startLocalChain({ block: 'manual', control: true, ...options }));
  }

  async close(): Promise<void> {
    await this.chain.close?.();
  }

  async call(route: string, body: unknown = {}): Promise<{ status: number; text: string }> {
    const response = await fetch(`${this.chain.url}/${route}`, { method: 'POST', body: JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  }
  async post(route: string, body: unknown = {}): Promise<Answer> {
    return JSON.parse((await this.call(route, body)).text) as Answer;
  }
  async control(name: string, body: unknown = {}): Promise<Answer> {
    const { status, text } = await this.call(`control/${name}`, body);
    if (status !== 200) throw new Error(`control/${name}: ${status} ${text}`);
    return JSON.parse(text) as Answer;
  }
  async state(): Promise<Answer> {
    return parseJson(await (await fetch(`${this.chain.url}/control/state`)).text()) as Answer;
  }
  blocks(count = 1): Promise<Answer> {
    return this.control('block', { count });
  }
  async head(): Promise<Answer> {
    const { blockID, block_header: header } = await this.post('wallet/getblock', { detail: false });
    return { blockID, ...header.raw_data };
  }

  async header(): Promise<Answer> {
    const { blockID, number = 0, timestamp } = await this.head();
    this.stamp = Math.max(this.stamp + 1, timestamp);
    const bytes = (number & 0xffff).toString(16).padStart(4, '0');
    return {
      ref_block_bytes: bytes,
      ref_block_hash: blockID.slice(16, 32),
      expiration: timestamp + 60_000,
      timestamp: this.stamp,
    };
  }

  async build(type: string, value: Answer, { permissionId, header, data }: BuildOptions = {}): Promise<Built> {
    const contract = {
      parameter: { value, type_url: `type.googleapis.com/protocol.${type}` },
      type,
      ...(permissionId === undefined ? {} : { Permission_id: permissionId }),
    };
    const tx = {
      visible: false,
      txID: '',
      raw_data_hex: '',
      raw_data: { contract: [contract], ...(await this.header()), ...header, ...(data ? { data } : {}) },
    };
    const pb = utils.transaction.txJsonToPb(tx);
    tx.txID = utils.transaction.txPbToTxID(pb).replace(/^0x/, '');
    tx.raw_data_hex = utils.transaction.txPbToRawDataHex(pb).toLowerCase();
    return tx;
  }

  sign(tx: Built, ...keys: Key[]): Built {
    const signature = keys.map(({ key }) =>
      utils.crypto.ECKeySign(Buffer.from(tx.txID, 'hex'), [...Buffer.from(key, 'hex')]),
    );
    return { ...tx, signature };
  }

  /** What the node answers; a refusal's message as text. */
  async send(tx: Built, ...keys: Key[]): Promise<Answer> {
    const answer = await this.post('wallet/broadcasttransaction', this.sign(tx, ...keys));
    return answer['message'] ? { ...answer, message: Buffer.from(answer['message'], 'hex').toString() } : answer;
  }

  /** Sends what must be accepted, and puts it in a block. */
  async must(tx: Built, ...keys: Key[]): Promise<Built> {
    const answer = await this.send(tx, ...keys);
    if (answer['result'] !== true) throw new Error(`refused: ${JSON.stringify(answer)}`);
    await this.blocks();
    return tx;
  }

  transfer(from: Key, to: Key, amount: number, options?: BuildOptions): Promise<Built> {
    return this.build('TransferContract', { owner_address: from.hex, to_address: to.hex, amount }, options);
  }
  delegate(from: Key, to: Key, balance: number, more: Answer = {}, options?: BuildOptions): Promise<Built> {
    return this.build(
      'DelegateResourceContract',
      { owner_address: from.hex, receiver_address: to.hex, balance, resource: 'ENERGY', ...more },
      options,
    );
  }
  undelegate(from: Key, to: Key, balance: number, more: Answer = {}): Promise<Built> {
    return this.build('UnDelegateResourceContract', {
      owner_address: from.hex,
      receiver_address: to.hex,
      balance,
      resource: 'ENERGY',
      ...more,
    });
  }
  account(key: Key, side = 'wallet'): Promise<Answer> {
    return this.post(`${side}/getaccount`, { address: key.hex });
  }
  resources(key: Key): Promise<Answer> {
    return this.post('wallet/getaccountresource', { address: key.hex });
  }
  info(tx: Built): Promise<Answer> {
    return this.post('wallet/gettransactioninfobyid', { value: tx.txID });
  }
  /** An account that is there, with TRX and a stake. */
  async put(name: string, balanceTrx: number, energyTrx = 0): Promise<Key> {
    const key = named(name);
    await this.control('account', {
      address: key.base58,
      type: 'Normal',
      balance_sun: balanceTrx * TRX,
      staked_energy_sun: String(energyTrx * TRX),
    });
    return key;
  }
}
