import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { ormOptions } from '../../src/database/mikro-orm.config';
import { FINDING_MESSAGES } from '../../src/findings/finding-text';
import { ACTED, SEEN } from '../../src/findings/finding.statements';
import { HeldLock } from '../support/held-lock';
import { inSun, OLD_SENTENCES } from '../support/old-finding-sentences';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/test-database';

/** Never written as a sentence alone. */
const NEWER = new Set([
  'branch_refused',
  'database_restored',
  'witnesses_disagree',
  'witnesses_changed',
  'block_unreadable',
  'block_accepted',
  'wallet_unread',
  'token_used',
  'token_count',
  'terms_differ',
  'wallet_used',
  'wallet_act',
  'wallet_changed',
]);

describe('the migrations of findings carry them into columns', () => {
  const databases: TestDatabase[] = [];
  const keep = (database: TestDatabase) => {
    databases.push(database);
    return database;
  };
  afterAll(() => Promise.all(databases.map((database) => database.drop())));

  const [user, order] = ['11111111-0000-7000-8000-000000000001', '22222222-0000-7000-8000-000000000002'];
  const [removed, pool] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'];
  const SUBJECT = 'subject_type, subject_id, wallet_id, receiver';
  const NOTHING = { subject_type: null, subject_id: null, wallet_id: null, receiver: null };
  const INSERT = `insert into findings (kind, subject, reason, next_step, action) values ($1, $2, $3, 'look', $4) returning id`;

  /** Of two wallets of one name the first was removed a day ago. */
  async function beforeColumns(): Promise<{ orm: MikroORM; client: Client; url: string }> {
    const { url } = keep(await createEmptyDatabase());
    const orm = await MikroORM.init(ormOptions(url));
    await orm.migrator.up({ to: '0019-wallets-removed' });
    const client = new Client(url);
    await client.connect();
    await client.query(
      `insert into pool_wallets (id, name, address, role, key_source, state, removed_at) values
         ('${removed}', 'main to east', 'a', 'delegate', 'env:NO_KEY', 'draining', now() - interval '1 day'),
         ('${pool}', 'main to east', 'b', 'delegate', 'env:NO_KEY', 'active', null)`,
    );
    return { orm, client, url };
  }
  const close = (orm: MikroORM, client: Client) => Promise.all([orm.close(), client.end()]);

  it('with a code and parameters for every sentence there was, in TRX and in sun, open and resolved', async () => {
    const codes = Object.keys(FINDING_MESSAGES.en.reasons).filter((code) => !NEWER.has(code));
    expect(new Set(OLD_SENTENCES.map(({ code }) => code))).toEqual(new Set(codes));
    const { orm, client } = await beforeColumns();
    try {
      for (const [index, { kind, reason }] of OLD_SENTENCES.entries()) {
        await client.query(INSERT, [kind, `user ${index}`, reason, null]);
        await client.query(INSERT, [kind, `user ${index}0000`, inSun(reason), null]);
      }
      await client.query(`update findings set resolved_at = now() where subject like '%0000'`);
      // Of another kind, a sentence is none of its own.
      await client.query(INSERT, ['account_negative', 'user 7', 'has no account', null]);
      await orm.migrator.up();
      const { rows } = await client.query(
        'select kind, reason_code as code, parameters, reason from findings order by id',
      );
      const carried = OLD_SENTENCES.flatMap((sentence) => [sentence, { ...sentence, reason: inSun(sentence.reason) }]);
      const unknown = { kind: 'account_negative', code: null, parameters: null, reason: 'has no account' };
      expect(rows).toEqual([...carried, unknown]);
    } finally {
      await close(orm, client);
    }
  });

  it('with what they are about and what was done, as far as it is known', async () => {
    const pair = { subject_type: 'delegated_resource', wallet_id: pool };
    const delegation = { subject_type: 'delegation', subject_id: order };
    const rows: [kind: string, subject: string, expected: object, action?: string, actionCode?: string][] = [
      ['account_missing', `user ${user}`, { subject_type: 'user', subject_id: user }],
      ['charge_unfounded', 'ledger entry 7', { subject_type: 'ledger_entry', subject_id: '7' }],
      ['quota', `subscription ${user}`, { subject_type: 'subscription', subject_id: user }],
      ['orphan_transaction', 'transaction ff', { subject_type: 'transaction', subject_id: 'ff' }],
      ['delegation_foreign', 'main to east to T1', { ...pair, receiver: 'T1' }],
      [
        'delegation_missing',
        'main to east to T2',
        { ...pair, receiver: 'T2' },
        'paused: main to east takes no new orders',
        'wallet_paused',
      ],
      ['undelegation_foreign', 'gone to T3', { ...pair, wallet_id: null, receiver: 'T3' }],
      ['low_trx', 'main to east', { subject_type: 'wallet', wallet_id: pool }],
      ['low_stake', 'pool', { subject_type: 'pool' }],
      ['newer', 'something else', {}, 'done by hand'],
      ['hold_state', `delegation ${order}`, delegation, 'mended: the hold was released', 'hold_released'],
      ['hold_amount', `delegation ${order}`, delegation, 'mended: the hold was taken', 'hold_taken'],
      [
        'account_held',
        `user ${user}`,
        { subject_type: 'user', subject_id: user },
        'mended: the held amount is the sum of the open holds again',
        'held_corrected',
      ],
    ];
    const { orm, client } = await beforeColumns();
    try {
      for (const [kind, subject, , action] of rows) {
        await client.query(INSERT, [kind, subject, 'nobody has ever said that', action]);
      }
      // Of the wallet that had the name at that time.
      await client.query(
        `insert into findings (kind, subject, reason, next_step, last_seen_at, resolved_at)
         values ('delegation_foreign', 'main to east to T1', '', '', now() - interval '2 days', now())`,
      );
      await orm.migrator.up();
      const carried = await client.query(
        `select kind, ${SUBJECT}, action_code, reason_code, parameters, reason from findings order by id`,
      );
      const unsaid = { reason_code: null, parameters: null };
      expect(carried.rows).toEqual([
        ...rows.map(([kind, , about, , code = null]) => ({
          kind,
          ...NOTHING,
          ...about,
          action_code: code,
          ...unsaid,
          reason: 'nobody has ever said that',
        })),
        {
          kind: 'delegation_foreign',
          ...NOTHING,
          ...pair,
          wallet_id: removed,
          receiver: 'T1',
          action_code: null,
          ...unsaid,
          reason: '',
        },
      ]);
    } finally {
      await close(orm, client);
    }
  });

  it('while orders and an older version go on, which has them all', async () => {
    const { orm, client, url } = await beforeColumns();
    try {
      await client.query(`set lock_timeout = '1s'`);
      await client.query(INSERT, ['low_trx', 'main to east', '5 sun pay for 2 more activations', null]);
      // As a wallet is resumed: its row, then what is found of it.
      const resume = await HeldLock.take(url, `update pool_wallets set resumes_itself = false where id = '${pool}'`);
      const columns = orm.migrator.up({ to: '0020-findings-in-columns' });
      await resume.untilWaiting(1);
      await client.query('select id from findings');
      await resume.release();
      await columns;

      const seen = await HeldLock.take(url, 'update findings set last_seen_at = now()');
      const carried = orm.migrator.up();
      await seen.untilWaiting(1);
      await client.query('update pool_wallets set resting_until = null');
      await client.query(INSERT, ['undelegation_foreign', 'main to east to T1', 'gone', null]);
      await client.query(`update findings set last_seen_at = now() where kind = 'undelegation_foreign'`);
      await seen.release();
      await carried;
      const { rows } = await client.query(`select ${SUBJECT}, reason_code from findings order by id`);
      expect(rows).toEqual([
        { ...NOTHING, subject_type: 'wallet', wallet_id: pool, reason_code: 'low_trx' },
        { ...NOTHING, subject_type: 'delegated_resource', wallet_id: pool, receiver: 'T1', reason_code: null },
      ]);
    } finally {
      await close(orm, client);
    }
  });

  it('so that what an older version says of a finding counts, not the code beside it', async () => {
    const { url } = keep(await createTestDatabase());
    const client = new Client(url);
    await client.connect();
    const seenByOlder = `
      insert into findings (kind, subject, reason, next_step, amount_sun)
       select $1, $2, $3, $4, $5::bigint
        where not exists (select 1 from findings a
                           where a.kind = $1 and a.subject = $2 and a.acknowledged_at is not null and a.amount_sun >= $5::bigint)
       on conflict (kind, subject) where resolved_at is null
       do update set reason = excluded.reason, next_step = excluded.next_step, amount_sun = excluded.amount_sun, last_seen_at = now()
       returning id, xmax = 0 as is_new`;
    const older = (reason: string) =>
      client.query(seenByOlder, ['shortage', `delegation ${order}`, reason, 'look', '8']);
    const said = (shortage: string) => ({ shortage_sun: shortage, stake_sun: '9' });
    const newer = async (shortage: string, reason: string) => {
      const about = ['shortage', `delegation ${order}`, 'delegation', order, null, null];
      const { rows } = await client.query<{ id: string }>(SEEN.text, [
        ...about,
        'shortage',
        JSON.stringify(said(shortage)),
        reason,
        'look',
        shortage,
      ]);
      return rows[0]!.id;
    };
    const row = async () => {
      const columns = 'reason, reason_code, parameters, action, action_code, subject_type, subject_id';
      return (await client.query(`select ${columns} from findings`)).rows[0] as Record<string, unknown>;
    };
    try {
      const id = await newer('7', 'seven');
      await client.query(ACTED.text, [id, 'hold_taken', 'taken']);
      await older('seven');
      expect(await row()).toMatchObject({
        reason_code: 'shortage',
        parameters: said('7'),
        action_code: 'hold_taken',
      });
      await older('eight');
      await client.query('update findings set action = $2 where id = $1', [id, 'released']);
      expect(await row()).toEqual({
        reason: 'eight',
        reason_code: null,
        parameters: null,
        action: 'released',
        action_code: null,
        subject_type: 'delegation',
        subject_id: order,
      });
      await newer('8', 'eight');
      await client.query(ACTED.text, [id, 'hold_released', 'released']);
      await newer('9', 'nine');
      expect(await row()).toMatchObject({
        reason: 'nine',
        reason_code: 'shortage',
        parameters: said('9'),
        action_code: 'hold_released',
      });
    } finally {
      await client.end();
    }
  });
});
