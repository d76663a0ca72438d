import { Client } from 'pg';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { OrderWorld } from '../support/order-world';

/** Rows that say something else than the chain does, and are refused for it. Each is undone again. */
describe('the comparison of rows with the chain', () => {
  let world: OrderWorld;
  const ids: Record<'kept' | 'other' | 'back' | 'quota', string> = { kept: '', other: '', back: '', quota: '' };
  beforeAll(async () => {
    world = await OrderWorld.open({ env: { RECLAIM_DELAY: '24h', RECONCILE_EVERY: '24h' } });
    const callers = [await world.caller(), await world.caller({ balance: 10, subscription: 5 })];
    const order = async (at: number, amount: number) => {
      const body = { receiver_address: await world.receiver(), amount };
      return (await world.delegate(callers[at]!, body)).headers.get('x-delegation-id')!;
    };
    Object.assign(ids, { kept: await order(0, 1), other: await order(0, 1) });
    Object.assign(ids, { back: await order(0, 2), quota: await order(1, 1) });
    await world.untilState(ids.back, 'delegated');
    await world.query(`update delegations set reclaim_due_at = now() - interval '1 hour' where id = $1 returning id`, [
      ids.back,
    ]);
    await world.untilReclaimed(ids.back);
    await untilSettled(world.app.sql);
  });
  afterAll(() => world.close());

  /** Past every trigger; `$kept` and so on are orders. */
  async function write(texts: readonly string[]): Promise<void> {
    const all = [`set local session_replication_role = replica`, ...texts].join(';\n');
    const client = new Client(world.database.url);
    await client.connect();
    await client.query(all.replace(/\$(kept|other|back|quota)/g, (_, name: keyof typeof ids) => `'${ids[name]}'`));
    await client.end();
  }
  const swap = (column: string) => [
    `update delegations d set ${column} = o.${column} from delegations o
      where (d.id, o.id) in (($kept, $other), ($other, $kept))`,
  ];
  const add = (table: string, set: string, id: string, sun: number) => [
    `update ${table} set ${set} = ${set} + ${sun} where ${table === 'delegations' ? 'id' : 'delegation_id'} = ${id}`,
  ];
  const DROPPED = 'drop index ledger_entries_one_charge_per_delegation';
  const RESTORED = `create unique index ledger_entries_one_charge_per_delegation on ledger_entries (delegation_id) where kind = 'charge'`;

  it('finds nothing in rows as they are', async () => {
    expect(await expectChainTruth(world)).toHaveLength(4);
  });

  const CASES: [what: string, broken: string[], mended: string[], found: RegExp][] = [
    ['two receivers changed places', swap('receiver'), swap('receiver'), /was delegated in .* to .* instead of/],
    [
      'an order is of another stake',
      add('delegations', 'stake_sun', '$kept', 7),
      add('delegations', 'stake_sun', '$kept', -7),
      /was delegated .* sun instead of/,
    ],
    [
      'a shortage is noted that was none',
      add('delegations', 'shortage_sun', '$back', 7),
      add('delegations', 'shortage_sun', '$back', -7),
      /was undelegated .* sun instead of/,
    ],
    [
      'two orders have each other’s delegation',
      [
        `update chain_transactions set purpose = 'activation' where subject_id = $kept`,
        `update chain_transactions set subject_id = $kept where subject_id = $other`,
        `update chain_transactions set subject_id = $other, purpose = 'delegation' where subject_id = $kept and purpose = 'activation'`,
      ],
      [
        `update chain_transactions set purpose = 'activation' where subject_id = $kept`,
        `update chain_transactions set subject_id = $kept where subject_id = $other`,
        `update chain_transactions set subject_id = $other, purpose = 'delegation' where subject_id = $kept and purpose = 'activation'`,
      ],
      /was delegated in .* to .* instead of/,
    ],
    [
      'an undelegation is no order’s',
      [`update chain_transactions set tx_id = 'x' || tx_id where subject_id = $back and purpose = 'reclaim'`],
      [`update chain_transactions set tx_id = substr(tx_id, 2) where subject_id = $back and purpose = 'reclaim'`],
      /has undelegated .* and is no order's/,
    ],
    [
      'an order is not back',
      [`update delegations set state = 'delegated' where id = $back`],
      [`update delegations set state = 'reclaimed' where id = $back`],
      /is delegated and was undelegated/,
    ],
    [
      'a hold is gone',
      [`update holds set delegation_id = gen_random_uuid() where delegation_id = $quota`],
      [`update holds set delegation_id = $quota where subscription_id is not null`],
      /a hold that is not there/,
    ],
    [
      'an order is charged twice',
      [
        DROPPED,
        `insert into ledger_entries (user_id, kind, amount_sun, balance_sun, delegation_id)
          select user_id, kind, amount_sun, balance_sun, delegation_id from ledger_entries where delegation_id = $kept`,
      ],
      [`delete from ledger_entries where id = (select max(id) from ledger_entries)`, RESTORED],
      /has in the ledger: charge .*, charge .*; instead of/,
    ],
    [
      'an order is charged too much',
      add('ledger_entries', 'amount_sun', '$kept', -1),
      add('ledger_entries', 'amount_sun', '$kept', 1),
      /has in the ledger: charge of 3000001/,
    ],
    [
      'a charge is of another user',
      [
        `update ledger_entries set user_id = (select user_id from delegations where id = $quota) where delegation_id = $kept`,
      ],
      [
        `update ledger_entries set user_id = (select user_id from delegations where id = $other) where delegation_id = $kept`,
      ],
      /has in the ledger: charge of 3000000 to .*; instead of/,
    ],
    [
      'an order that a quota paid is charged as well',
      [`update ledger_entries set delegation_id = $quota where delegation_id = $kept`],
      [`update ledger_entries set delegation_id = $kept where delegation_id = $quota`],
      /has in the ledger: charge .*; instead of: nothing/,
    ],
    [
      'a charge is of no order',
      [`update ledger_entries set delegation_id = gen_random_uuid() where delegation_id = $kept`],
      [
        `update ledger_entries set delegation_id = $kept where kind = 'charge' and delegation_id not in (select id from delegations)`,
      ],
      /charges for no order/,
    ],
    [
      'an order costs what is not held',
      add('delegations', 'cost_sun', '$kept', 1),
      add('delegations', 'cost_sun', '$kept', -1),
      /costs 3000001 by balance, held are 3000000/,
    ],
    [
      'a quota is used twice',
      [`update subscriptions set used_energy = used_energy * 2`],
      [`update subscriptions set used_energy = used_energy / 2`],
      /quota .* has 130000 used/,
    ],
  ];

  it.each(CASES)('finds that %s', async (_, broken, mended, found) => {
    await write(broken);
    try {
      await expect(expectChainTruth(world)).rejects.toThrow(found);
    } finally {
      await write(mended);
    }
    await expectChainTruth(world);
  });
});
