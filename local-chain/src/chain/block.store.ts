import { deserialize, serialize } from 'node:v8';
import type { ChainDatabase } from '../state/chain.database';
import type { Block } from './block.model';
import type { IncludedTransaction, TransactionReceipt } from './transaction.receipt';

type BlockRow = { height: number; id: Uint8Array; timestamp: number; header: Uint8Array; signature: Uint8Array };
type TxRow = { id: Uint8Array; height: number; position: number; bytes: Uint8Array; info: Uint8Array };

const toBlock = (row: BlockRow): Block => ({
  height: row.height,
  id: Buffer.from(row.id).toString('hex'),
  timestamp: row.timestamp,
  header: Buffer.from(row.header),
  signature: Buffer.from(row.signature),
});

const toTransaction = (row: TxRow): IncludedTransaction => ({
  id: Buffer.from(row.id).toString('hex'),
  height: row.height,
  position: row.position,
  bytes: Buffer.from(row.bytes),
  receipt: deserialize(row.info) as TransactionReceipt,
});

/** Every block of the current fork with its transactions, on disk alone. */
export class BlockStore {
  private readonly byHeight;
  private readonly byId;
  private readonly newest;
  private readonly txById;
  private readonly txOfBlock;
  private readonly insertBlock;
  private readonly insertTx;

  constructor(private readonly database: ChainDatabase) {
    this.byHeight = database.prepare('SELECT * FROM block WHERE height = ?');
    this.byId = database.prepare('SELECT * FROM block WHERE id = ?');
    this.newest = database.prepare('SELECT * FROM block ORDER BY height DESC LIMIT 1');
    this.txById = database.prepare('SELECT * FROM tx WHERE id = ?');
    this.txOfBlock = database.prepare('SELECT * FROM tx WHERE height = ? ORDER BY position');
    this.insertBlock = database.prepare(
      'INSERT INTO block (height, id, timestamp, header, signature) VALUES (?, ?, ?, ?, ?)',
    );
    this.insertTx = database.prepare('INSERT INTO tx (id, height, position, bytes, info) VALUES (?, ?, ?, ?, ?)');
  }

  findHead(): Block | undefined {
    const row = this.newest.get() as BlockRow | undefined;
    return row && toBlock(row);
  }
  find(height: number): Block | undefined {
    const row = this.byHeight.get(height) as BlockRow | undefined;
    return row && toBlock(row);
  }
  findById(id: string): Block | undefined {
    const row = this.byId.get(Buffer.from(id, 'hex')) as BlockRow | undefined;
    return row && toBlock(row);
  }
  findTransaction(id: string): IncludedTransaction | undefined {
    const row = this.txById.get(Buffer.from(id, 'hex')) as TxRow | undefined;
    return row && toTransaction(row);
  }
  listTransactions(height: number): IncludedTransaction[] {
    return (this.txOfBlock.all(height) as unknown as TxRow[]).map(toTransaction);
  }
  /** All of them, oldest first, without holding them at once. */
  *everyTransaction(): Generator<IncludedTransaction> {
    for (const row of this.database.prepare('SELECT * FROM tx ORDER BY height, position').iterate())
      yield toTransaction(row as unknown as TxRow);
  }

  write(block: Block, transactions: readonly IncludedTransaction[]): void {
    this.insertBlock.run(block.height, Buffer.from(block.id, 'hex'), block.timestamp, block.header, block.signature);
    for (const tx of transactions)
      this.insertTx.run(Buffer.from(tx.id, 'hex'), tx.height, tx.position, tx.bytes, serialize(tx.receipt));
  }
  revert(from: number): void {
    this.database.prepare('DELETE FROM tx WHERE height >= ?').run(from);
    this.database.prepare('DELETE FROM block WHERE height >= ?').run(from);
  }
}
