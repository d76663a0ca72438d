import { printDocument, printList } from '../../src/cli/output';

describe('what a command prints', () => {
  let printed: string;

  beforeEach(() => {
    printed = '';
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  });
  afterEach(() => jest.restoreAllMocks());

  it('is one JSON document with --json', () => {
    printDocument({ id: 'a', used: JSON.rawJSON('1.50'), note: null }, { json: true });
    printList(['id'], [], { json: true });
    printList(['id'], [{ id: '1', note: 'not a column' }], { json: true });
    expect(printed).toBe('{"id":"a","used":1.50,"note":null}\n[]\n[{"id":"1","note":"not a column"}]\n');
  });

  it('is a line for each field of one result without it', () => {
    printDocument({ balance: '1.500000', operator: false, permissions: ['delegate', 'balance'], unit_price: null }, {});
    expect(printed).toBe(
      ['balance      1.500000', 'operator     false', 'permissions  delegate,balance', 'unit_price   -', ''].join('\n'),
    );
  });

  it('is a table of a list without it, with its heading even when empty', () => {
    printList(
      ['id', 'note'],
      [
        { id: 'long id', note: '' },
        { id: '2', note: '能\u001B[31m\nx' },
      ],
      {},
    );
    printList(['id', 'note'], [], {});
    expect(printed).toBe('id       note\nlong id\n2        能 [31m x\nid  note\n');
  });

  it('has room for more rows than a call has for arguments', () => {
    const rows = Array.from({ length: 200_000 }, (_, id) => ({ id: String(id) }));
    printList(['id', 'note'], rows, {});
    const lines = printed.split('\n');
    expect([lines.length, lines[0], lines.at(-2)]).toEqual([rows.length + 2, 'id      note', '199999  -']);
  });

  it('is TRX for people where JSON has sun, however deep', () => {
    const wallet = {
      name: 'main',
      stake_sun: '6861111113',
      history: [{ detail: { there_sun: 1n, block: 7 } }],
      note_sun: null,
    };
    printDocument(wallet, {});
    printList(['name', 'stake_sun', 'note_sun'], [wallet], {});
    printList(['name', 'stake_sun'], [{ name: 'main', stake_sun: '6861111113' }], { json: true });
    expect(printed).toBe(
      [
        'name       main',
        'stake_trx  6861.111113',
        'history    [{"detail":{"there_trx":"0.000001","block":7}}]',
        'note_sun   -',
        'name  stake_trx    note_trx',
        'main  6861.111113  -',
        '[{"name":"main","stake_sun":"6861111113"}]',
        '',
      ].join('\n'),
    );
  });
});
