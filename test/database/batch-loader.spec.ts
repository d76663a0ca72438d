import type { QueryResult } from 'pg';
import { BatchLoader } from '../../src/database/batch-loader';
import { Queryable, type Statement } from '../../src/database/sql';
import { statement } from '../../src/database/statement';

const STATEMENT = statement<[keys: readonly string[]], { key: string }>('test_batch', 'select');

/** Answers by hand, statement by statement. */
class Answering extends Queryable {
  readonly asked: { keys: string[]; answer: (rows: object[]) => void; fail: (error: Error) => void }[] = [];

  protected run(_statement: Statement, [keys]: unknown[]): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      const answer = (rows: object[]) => resolve({ rows } as QueryResult);
      this.asked.push({ keys: keys as string[], answer, fail: reject });
    });
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a batched lookup', () => {
  let db: Answering;
  let lookup: BatchLoader<{ key: string }>;
  beforeEach(() => {
    db = new Answering();
    lookup = new BatchLoader(db, STATEMENT);
  });

  it('asks once for all who ask in one turn, and gives each its own row or none', async () => {
    const found = Promise.all(['a', 'b', 'a', 'c'].map((key) => lookup.find(key)));
    await turn();
    expect(db.asked.map(({ keys }) => keys)).toEqual([['a', 'b', 'c']]);
    db.asked[0]!.answer([{ key: 'b' }, { key: 'a' }]);
    expect(await found).toEqual([{ key: 'a' }, { key: 'b' }, { key: 'a' }, null]);
  });

  it('never answers a question from a statement that was sent before it was asked', async () => {
    const first = lookup.find('a');
    await turn();
    const second = lookup.find('a');
    await turn();
    expect(db.asked).toHaveLength(2);
    db.asked[0]!.answer([{ key: 'a' }]);
    db.asked[1]!.answer([]);
    expect([await first, await second]).toEqual([{ key: 'a' }, null]);
  });

  it('gathers while two statements are under way, and goes on when one is back', async () => {
    for (const key of ['a', 'b', 'c', 'd']) {
      void lookup.find(key);
      await turn();
    }
    expect(db.asked.map(({ keys }) => keys)).toEqual([['a'], ['b']]);
    db.asked[0]!.answer([]);
    await turn();
    await turn();
    expect(db.asked.map(({ keys }) => keys)).toEqual([['a'], ['b'], ['c', 'd']]);
  });

  it('fails for everybody of a batch, and works again', async () => {
    const both = Promise.allSettled([lookup.find('a'), lookup.find('b')]);
    await turn();
    db.asked[0]!.fail(new Error('gone'));
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = lookup.find('a');
    await turn();
    await turn();
    db.asked[1]!.answer([{ key: 'a' }]);
    expect(await next).toEqual({ key: 'a' });
  });
});
